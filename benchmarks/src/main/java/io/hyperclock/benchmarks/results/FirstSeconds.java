/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.util.List;

/**
 * How fast a cache is in the first seconds of a process.
 *
 * @param cache name of the cache
 * @param entries entries there is room for; there are twice as many keys
 * @param threads threads that read and insert what is missing
 * @param stepMillis length of a step
 * @param millionOpsPerSecond rate in each step, from the first read on
 */
public record FirstSeconds(
    String cache, int entries, int threads, int stepMillis, List<Double> millionOpsPerSecond) {}
