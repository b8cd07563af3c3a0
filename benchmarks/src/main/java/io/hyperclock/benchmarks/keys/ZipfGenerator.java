/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.keys;

import java.util.SplittableRandom;

/**
 * Draws ranks 0, 1, … n-1 with probabilities proportional to 1/(rank+1)<sup>exponent</sup>,
 * exactly, in constant time and space. Not thread-safe.
 *
 * <p>Source: W. Hörmann, G. Derflinger, "Rejection-inversion to generate variates from monotone
 * discrete distributions" (1996).
 */
public final class ZipfGenerator {
  private final int n;
  private final double exponent;
  private final SplittableRandom random;
  private final double areaLow;
  private final double areaHigh;
  private final double alwaysAccept;

  /**
   * Makes a generator.
   *
   * @param n number of ranks, at least 1
   * @param exponent skew, greater than 0 and not 1
   * @param random source of randomness
   */
  public ZipfGenerator(int n, double exponent, SplittableRandom random) {
    if (n < 1) {
      throw new IllegalArgumentException("n must be >= 1: n=" + n);
    }
    if (!(exponent > 0) || exponent == 1) {
      throw new IllegalArgumentException("exponent must be > 0 and not 1: exponent=" + exponent);
    }
    this.n = n;
    this.exponent = exponent;
    this.random = random;
    this.areaLow = area(1.5) - 1;
    this.areaHigh = area(n + 0.5);
    this.alwaysAccept = 2 - inverseArea(area(2.5) - weight(2));
  }

  /**
   * Draws a rank.
   *
   * @return a rank in [0, n)
   */
  public int next() {
    while (true) {
      double area = areaHigh + random.nextDouble() * (areaLow - areaHigh);
      double x = inverseArea(area);
      int k = (int) Math.max(1, Math.min(n, Math.round(x)));
      if (k - x <= alwaysAccept || area >= area(k + 0.5) - weight(k)) {
        return k - 1;
      }
    }
  }

  private double weight(double x) {
    return Math.pow(x, -exponent);
  }

  private double area(double x) {
    return (Math.pow(x, 1 - exponent) - 1) / (1 - exponent);
  }

  private double inverseArea(double area) {
    return Math.pow(1 + area * (1 - exponent), 1 / (1 - exponent));
  }
}
