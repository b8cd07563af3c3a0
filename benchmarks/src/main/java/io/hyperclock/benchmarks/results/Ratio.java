/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How many times as much one side does as the other.
 *
 * @param median median of the ratios within rounds, so that what slows a machine down for minutes
 *     does not count; where forks are not paired, ratio of the medians
 * @param min lowest ratio of two forks
 * @param max highest ratio of two forks
 */
public record Ratio(double median, double min, double max) {
  /**
   * Compares forks. Those of one round are compared with each other where both sides have as many;
   * else the spread is between the worst and the best pair.
   *
   * @param ours scores, at least one, in order of the rounds
   * @param theirs scores, at least one, in order of the rounds
   * @return the ratio
   */
  public static Ratio of(List<Double> ours, List<Double> theirs) {
    if (ours.size() == theirs.size()) {
      List<Double> rounds =
          IntStream.range(0, ours.size()).mapToObj(i -> ours.get(i) / theirs.get(i)).toList();
      return new Ratio(median(rounds), Collections.min(rounds), Collections.max(rounds));
    }
    double[] a = sorted(ours);
    double[] b = sorted(theirs);
    return new Ratio(median(ours) / median(theirs), a[0] / b[b.length - 1], a[a.length - 1] / b[0]);
  }

  /**
   * Median of scores.
   *
   * @param scores at least one
   * @return the middle one, or the mean of the middle two
   */
  public static double median(List<Double> scores) {
    double[] sorted = sorted(scores);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static double[] sorted(List<Double> scores) {
    if (scores.isEmpty()) {
      throw new IllegalArgumentException("scores must not be empty: scores=[]");
    }
    return scores.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }
}
