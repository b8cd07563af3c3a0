/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.caches;

/** What a cache went through before the first measured operation. */
public enum CacheState {
  /** Full, then turned over {@value #TURNOVERS} times: what a cache in use is like. */
  STEADY,
  /** Filled once; reads leave an eighth of the capacity empty. */
  FRESH;

  /** How often every entry has been replaced in a steady cache. */
  public static final int TURNOVERS = 12;

  /**
   * Inserts of new keys that bring an empty cache into this state.
   *
   * @param size entries there is room for
   * @param fresh inserts into a fresh cache
   * @return a count
   */
  public int inserts(int size, int fresh) {
    return this == STEADY ? Math.multiplyExact(1 + TURNOVERS, size) : fresh;
  }

  /**
   * Checks that a cache is full if it should be.
   *
   * @param entries entries in it
   * @param size entries there is room for
   * @throws IllegalStateException if a steady cache holds less than 98 % of them
   */
  public void requireFull(long entries, long size) {
    if (this == STEADY && entries < 0.98 * size) {
      throw new IllegalStateException(
          "a steady cache must be full: entries=" + entries + ", size=" + size);
    }
  }
}
