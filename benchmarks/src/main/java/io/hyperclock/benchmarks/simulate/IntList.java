/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import java.util.Arrays;

/** A growing list of ints. Not thread-safe. */
final class IntList {
  private int[] values = new int[1024];
  private int size;

  /**
   * Adds a value.
   *
   * @param value any value
   */
  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  /**
   * Number of values.
   *
   * @return a count
   */
  int size() {
    return size;
  }

  /**
   * The values.
   *
   * @return a new array
   */
  int[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
