/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import io.hyperclock.secondary.TieredStats;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What a run showed.
 *
 * @param populated most entries while the cache was filled
 * @param seconds time of the operations by the clock on the wall
 * @param parallelOpsPerSecond operations of all threads by that time
 * @param threadOpsPerSecond operations of a thread by its own time, final releases included
 * @param lookups operations that looked for a key
 * @param hits those that found it
 * @param occupancy entries after the final releases
 * @param slots slots of the table, or 0 if it grows
 * @param pinned values held at the end of the operations
 * @param checksums sum over the values read
 * @param latency nanoseconds of each operation
 * @param gatherLatency microseconds of each visit of all entries
 * @param scan the entries after the final releases
 * @param problems what the cache says about its settings
 * @param below what the tier below did, or null if there is none
 */
record Outcome(
    long populated,
    double seconds,
    double parallelOpsPerSecond,
    double threadOpsPerSecond,
    long lookups,
    long hits,
    long occupancy,
    long slots,
    long pinned,
    long checksums,
    Histogram latency,
    Histogram gatherLatency,
    BenchCache.Scan scan,
    List<String> problems,
    @Nullable TieredStats below) {

  double hitRatio() {
    return lookups == 0 ? 0 : (double) hits / lookups;
  }

  double loadFactor() {
    return slots == 0 ? 0 : (double) occupancy / slots;
  }
}
