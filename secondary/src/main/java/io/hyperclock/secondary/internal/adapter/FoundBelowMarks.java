/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.random.RandomGenerator;

/**
 * Remembers in the primary that a value was found below once: an entry without charge that is
 * evicted like any other. It stands under a key of its own, the value's key combined with a random
 * word pair, so that no read of a user's key finds it and it never stands in the way of a value.
 * Two of n keys meet by that with probability n<sup>2</sup> / 2<sup>128</sup>.
 */
final class FoundBelowMarks {
  private static final EntryType<Object> TYPE = EntryType.of("found below");
  private static final Object MARK = new Object();

  private final BlockCache<Object> primary;
  private final long maskHi;
  private final long maskLo;

  FoundBelowMarks(BlockCache<Object> primary, RandomGenerator random) {
    this.primary = primary;
    this.maskHi = random.nextLong();
    this.maskLo = random.nextLong();
  }

  static boolean isMark(EntryType<?> type) {
    return type == TYPE;
  }

  void set(long hi, long lo) {
    primary.insert(hi ^ maskHi, lo ^ maskLo, MARK, TYPE, 0, Priority.LOW);
  }

  /** Not a use of the mark, and not counted by the primary. */
  boolean isSet(long hi, long lo) {
    return primary.peek(hi ^ maskHi, lo ^ maskLo) != null;
  }

  void clear(long hi, long lo) {
    primary.erase(hi ^ maskHi, lo ^ maskLo);
  }
}
