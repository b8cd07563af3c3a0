/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import io.hyperclock.internal.slot.Tags;
import io.hyperclock.internal.table.Buckets;

/**
 * Keys that may lie in the buckets 0 and 1 only, in every cache of {@link StressBlock#builder} and
 * {@link Crowd}.
 */
final class Keys {
  static final long SEED = 0;

  /** High word of every key. */
  static final long HI = 0;

  /** Most buckets of a table in which this is so. */
  static final int MOST_BUCKETS = 6;

  /** Buckets of every cache of {@link StressBlock#builder}. */
  static final Buckets BUCKETS = new Buckets(Buckets.LEAST, SEED);

  /** Number of slots of every such cache. */
  static final int SLOTS = 8 * BUCKETS.count();

  private static final int OTHERS = 24;
  private static final long TAGS = Tags.pattern(BUCKETS.hash(HI, 0));
  private static final long[] SAME_TAG = keys(5, true);
  private static final long[] OTHER_TAGS = keys(OTHERS, false);

  /** These have one tag. */
  static final long A = SAME_TAG[0];

  static final long B = SAME_TAG[1];
  static final long C = SAME_TAG[2];
  static final long D = SAME_TAG[3];
  static final long E = SAME_TAG[4];

  private Keys() {}

  /**
   * A key with another tag than {@link #A}.
   *
   * @param index which one, below 24
   */
  static long other(int index) {
    return OTHER_TAGS[index];
  }

  /** Hash of a key with the high word {@link #HI}. */
  static long hash(long lo) {
    return BUCKETS.hash(HI, lo);
  }

  private static long[] keys(int count, boolean sameTag) {
    long[] keys = new long[count];
    int found = 0;
    for (long lo = 1; found < count; lo++) {
      if (areFirst(hash(lo)) && (Tags.pattern(hash(lo)) == TAGS) == sameTag) {
        keys[found++] = lo;
      }
    }
    return keys;
  }

  private static boolean areFirst(long hash) {
    for (int count = Buckets.LEAST; count <= MOST_BUCKETS; count++) {
      Buckets buckets = new Buckets(count, SEED);
      if (buckets.first(hash) != 0 || buckets.second(hash) != 1) {
        return false;
      }
    }
    return true;
  }
}
