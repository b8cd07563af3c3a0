/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import io.hyperclock.internal.slot.Tail;
import io.hyperclock.internal.table.PairedProbing;
import io.hyperclock.internal.table.Probing;

/** Keys whose probe paths and lanes are the same in every cache of {@link Block#builder}. */
final class Keys {
  static final long SEED = 0;

  /** High word of every key. */
  static final long HI = 0;

  /** Number of slots of every cache. */
  static final int SLOTS = 6;

  private static final long[] SAME_PATH = samePath(5);

  static final long A = SAME_PATH[0];
  static final long B = SAME_PATH[1];
  static final long C = SAME_PATH[2];
  static final long D = SAME_PATH[3];
  static final long E = SAME_PATH[4];

  private Keys() {}

  private static long[] samePath(int count) {
    Probing probing = PairedProbing.create(SLOTS, SEED);
    long[] keys = new long[count];
    int found = 0;
    for (long lo = 1; found < count; lo++) {
      long hash = probing.hash(HI, lo);
      if (probing.home(hash, HI, lo) == 0 && probing.increment(hash) == 2 && Tail.lane(hash) == 0) {
        keys[found++] = lo;
      }
    }
    return keys;
  }
}
