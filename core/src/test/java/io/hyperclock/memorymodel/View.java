/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import java.util.Arrays;

/**
 * What a thread of a {@link WeakMemory} exploration knows, or what a value hands on to the thread
 * that acquires it.
 */
final class View {
  /** For each location the place of the oldest value that may still be seen. */
  final int[] oldest;

  /** The accesses of mode TOTAL that happened before, one bit each. */
  long before;

  /** Those of {@link #before} that have an access of their own thread behind them on the way. */
  long passed;

  View(int locations) {
    oldest = new int[locations];
  }

  View(View from) {
    oldest = from.oldest.clone();
    before = from.before;
    passed = from.passed;
  }

  void join(View other) {
    for (int i = 0; i < oldest.length; i++) {
      oldest[i] = Math.max(oldest[i], other.oldest[i]);
    }
    before |= other.before;
    passed |= other.passed;
  }

  /** A value has been put at a place of a location. */
  void shift(int location, int place) {
    if (oldest[location] >= place) {
      oldest[location]++;
    }
  }

  /** The first values of a location can no longer be seen by any thread. */
  void drop(int location, int count) {
    oldest[location] = Math.max(0, oldest[location] - count);
  }

  void clear() {
    Arrays.fill(oldest, 0);
    before = 0;
    passed = 0;
  }

  void describe(StringBuilder text) {
    for (int place : oldest) {
      text.append((char) place);
    }
    TotalOrder.describe(before, text);
    TotalOrder.describe(passed, text);
  }
}
