/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Medians over the rounds of one cache with one budget.
 *
 * @param cache the cache
 * @param budgetBytes size of the data cache, 0 if there is none
 * @param lookupsPerSecond median
 * @param slowest smallest lookups a second
 * @param fastest largest lookups a second
 * @param cpuMicros median processor time a lookup
 * @param hitRatio median
 * @param cachedBytes median
 * @param p50Micros median
 * @param p99Micros median
 */
record Summary(
    CacheChoice cache,
    long budgetBytes,
    double lookupsPerSecond,
    double slowest,
    double fastest,
    double cpuMicros,
    double hitRatio,
    double cachedBytes,
    double p50Micros,
    double p99Micros) {

  /**
   * Summarises rounds.
   *
   * @param cache the cache
   * @param rounds measurements with one budget, at least one
   */
  static Summary of(CacheChoice cache, List<Measurement> rounds) {
    double[] speeds = sorted(rounds, Measurement::lookupsPerSecond);
    return new Summary(
        cache,
        rounds.get(0).budgetBytes(),
        median(speeds),
        speeds[0],
        speeds[speeds.length - 1],
        median(sorted(rounds, Measurement::cpuNanos)) / 1e3,
        median(sorted(rounds, Measurement::hitRatio)),
        median(sorted(rounds, Measurement::cachedBytes)),
        median(sorted(rounds, Measurement::p50Nanos)) / 1e3,
        median(sorted(rounds, Measurement::p99Nanos)) / 1e3);
  }

  private static double[] sorted(List<Measurement> rounds, ToDoubleFunction<Measurement> field) {
    return rounds.stream().mapToDouble(field).sorted().toArray();
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
