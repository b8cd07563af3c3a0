/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.util.List;

/**
 * What one cache costs the garbage collector, measured in one JVM (two for G1, one of them for
 * marking).
 *
 * @param collector name of the collector
 * @param cache name of the cache
 * @param entries entries that it holds
 * @param fork number of this run among equal ones
 * @param collectionMillis wall time of each explicit collection
 * @param markMillis time of concurrent marking of each; empty where it does not exist
 * @param heapUsedBytes heap in use after the last collection
 * @param directBytes memory of direct buffers
 * @param bytesPerRead what a read that hits allocates
 */
public record GcRun(
    String collector,
    String cache,
    long entries,
    int fork,
    List<Double> collectionMillis,
    List<Double> markMillis,
    long heapUsedBytes,
    long directBytes,
    double bytesPerRead) {}
