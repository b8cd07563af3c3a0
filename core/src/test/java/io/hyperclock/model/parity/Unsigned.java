/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model.parity;

/** Arithmetic on 64-bit words taken as unsigned. */
final class Unsigned {
  private Unsigned() {}

  /** High 64 bits of the 128-bit product. */
  static long multiplyHigh(long a, long b) {
    return Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
  }

  /** A number below {@code n} in proportion to where {@code h} lies among all words. */
  static long fastRange(long h, long n) {
    return multiplyHigh(h, n);
  }

  static long min(long a, long b) {
    return Long.compareUnsigned(a, b) <= 0 ? a : b;
  }

  static int floorLog2(long x) {
    return 63 - Long.numberOfLeadingZeros(x);
  }
}
