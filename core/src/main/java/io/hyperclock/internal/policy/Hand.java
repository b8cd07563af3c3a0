/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import io.hyperclock.internal.slot.PaddedCounters;

/**
 * The hand of one clock. A stripe of threads takes a stretch of slots from it and visits them
 * alone, so it comes back to the shared pointer once in {@value #STRETCH} looks; one thread alone
 * visits slot by slot. Where a stripe is, is one word: the next slot, and how many are left.
 */
final class Hand {
  /** Slots taken at once. */
  static final int STRETCH = 64;

  private static final int SLOT_SHIFT = 32;
  private static final int POINTER = 0;

  private final int slots;
  private final PaddedCounters counters = new PaddedCounters(1);

  /** A hand over a number of slots. */
  Hand(int slots) {
    this.slots = slots;
  }

  /** The same place, or the first of a new stretch if none is left. */
  long ready(long place) {
    if ((int) place != 0) {
      return place;
    }
    // [S8] stripes get different stretches.
    long first = Long.remainderUnsigned(counters.getAndAdd(POINTER, STRETCH), slots);
    return first << SLOT_SHIFT | STRETCH;
  }

  /** The slot to look at. */
  static int slot(long place) {
    return (int) (place >>> SLOT_SHIFT);
  }

  /** The place behind one with slots left. */
  long next(long place) {
    int slot = slot(place) + 1;
    long left = (int) place - 1;
    return (slot == slots ? 0L : (long) slot << SLOT_SHIFT) | left;
  }
}
