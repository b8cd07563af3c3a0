/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.caches;

import java.util.function.IntConsumer;

/** What a cache went through before the first measured operation. */
public enum CacheState {
  /** Full, then turned over {@value #TURNOVERS} times: what a cache in use is like. */
  STEADY,
  /** Filled once; reads leave an eighth of the capacity empty. */
  FRESH;

  /** How often every entry has been replaced in a steady cache. */
  public static final int TURNOVERS = 12;

  private static final int LAG = 16;
  private static final int LIVES = 2;

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
   * Brings an empty cache into this state. Policies that want to see a key again before they keep
   * it would turn over a small part of the cache only. So each second key is read twice a little
   * later, and what the policy has kept for {@value #LIVES} turnovers is erased; one erase makes
   * room for one insert, so the cache stays full. A fresh cache sees neither.
   *
   * @param size entries there is room for
   * @param fresh inserts into a fresh cache
   * @param put puts the key with a number, one never put before
   * @param read reads the key with a number
   * @param erase removes the key with a number, if it is cached
   */
  public void fill(int size, int fresh, IntConsumer put, IntConsumer read, IntConsumer erase) {
    int inserts = inserts(size, fresh);
    for (int i = 0; i < inserts; i++) {
      put.accept(i);
      if (this == STEADY && i >= LAG && (i & 1) == 0) {
        read.accept(i - LAG);
        read.accept(i - LAG);
      }
      if (this == STEADY && i >= LIVES * size) {
        erase.accept(i - LIVES * size);
      }
    }
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
