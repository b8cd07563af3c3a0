/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.sizing;

import java.util.Arrays;
import java.util.List;

/**
 * How a cache followed a load whose entries get larger and smaller, and what it cost to grow.
 *
 * @param capacity bytes of the cache
 * @param resizes tables that took the place of another
 * @param movedEntries entries moved to them
 * @param phases of the load, in order
 * @param samples of the cache that sizes itself
 * @param fixedLongestMicros longest insert in the time of each sample, of a cache whose estimate is
 *     the size of the small entries: it evicts as many for a large one, and moves none
 * @param fill entries that caches were filled with from empty, or 0 if none were
 * @param growingNanos processor time of an insert while a cache grows from empty
 * @param toldNanos the same of one that was told how many entries come
 * @param fixedNanos the same of one of a fixed size
 */
public record SizingRun(
    long capacity,
    long resizes,
    long movedEntries,
    List<Phase> phases,
    List<SizeSample> samples,
    List<Double> fixedLongestMicros,
    int fill,
    double growingNanos,
    double toldNanos,
    double fixedNanos) {
  /**
   * One phase of the load.
   *
   * @param charge bytes of its entries
   * @param hits in percent, after the first capacity of inserts
   * @param toldHits the same of the cache whose estimate is the size of the entries
   * @param metadata in percent of the capacity, two capacities of inserts after its begin
   */
  public record Phase(long charge, double hits, double toldHits, double metadata) {}

  /**
   * Processor time of the longest insert.
   *
   * @return microseconds
   */
  public double longestMicros() {
    return samples.stream().mapToDouble(SizeSample::longestInsertMicros).max().orElse(0);
  }

  /**
   * The same as {@link #longestMicros95} of the cache with an estimate.
   *
   * @return microseconds
   */
  public double longestOfFixedMicros95() {
    return percentile(fixedLongestMicros.stream().mapToDouble(d -> d).toArray());
  }

  /**
   * Longest insert of the time of a sample, where 19 samples of 20 have a shorter one.
   *
   * @return microseconds
   */
  public double longestMicros95() {
    return percentile(samples.stream().mapToDouble(SizeSample::longestInsertMicros).toArray());
  }

  /**
   * Longest insert of the cache with an estimate.
   *
   * @return microseconds
   */
  public double longestOfFixedMicros() {
    return fixedLongestMicros.stream().mapToDouble(d -> d).max().orElse(0);
  }

  private static double percentile(double[] all) {
    double[] sorted = Arrays.stream(all).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[(int) (0.95 * (sorted.length - 1))];
  }
}
