/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.util.List;
import java.util.Map;

/**
 * What a command about tiers measured: a table, and curves if there are any.
 *
 * @param title text over it
 * @param note what was measured, a paragraph
 * @param columns heads of the table
 * @param rows cells, as many as columns each
 * @param hits points of each curve: seconds, then hits in percent; may be empty
 */
public record TierRun(
    String title,
    String note,
    List<String> columns,
    List<List<String>> rows,
    Map<String, List<double[]>> hits) {}
