/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which versions of each key a read may find. A version is a number that grows with each write of
 * its key; a write that began while no other write of the key was under way comes after all
 * versions with lower numbers, so that none of them may be found once it has taken effect and
 * returned. Thread-safe.
 */
final class SoakVersions {
  private static final int COUNT_SHIFT = 48;
  private static final long ONE_WRITER = 1L << COUNT_SHIFT;
  private static final long VERSION_MASK = ONE_WRITER - 1;

  /** Writers under way in the upper 16 bits, the newest version begun in the lower 48. */
  private final AtomicLongArray states;

  private final AtomicLongArray floors;

  SoakVersions(int keys) {
    states = new AtomicLongArray(keys);
    floors = new AtomicLongArray(keys);
  }

  /**
   * A write that has begun.
   *
   * @param key its key
   * @param version its version
   * @param alone whether all older versions had been settled when it began
   */
  record Write(int key, long version, boolean alone) {}

  /** Begins a write; owed one call of {@link #end}. */
  Write begin(int key) {
    long before = states.getAndAdd(key, ONE_WRITER + 1);
    return new Write(key, (before & VERSION_MASK) + 1, before >>> COUNT_SHIFT == 0);
  }

  /**
   * Ends a write.
   *
   * @param write what began
   * @param hidesOlder whether no older value of the key can be found from now on
   */
  void end(Write write, boolean hidesOlder) {
    if (hidesOlder && write.alone()) {
      floors.accumulateAndGet(write.key(), write.version(), Math::max);
    }
    states.getAndAdd(write.key(), -ONE_WRITER);
  }

  /** Oldest version that a read which begins now may find. */
  long floor(int key) {
    return floors.get(key);
  }

  /** Newest version that was begun: what storage holds. */
  long newest(int key) {
    return states.get(key) & VERSION_MASK;
  }

  int keys() {
    return states.length();
  }
}
