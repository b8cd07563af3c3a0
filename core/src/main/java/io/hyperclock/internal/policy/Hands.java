/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import io.hyperclock.internal.slot.PaddedCounters;

/**
 * The hands of one clock. Each thread has its hand and seldom shares it with others, so that hunts
 * do not wait for one another's cache lines. Two hands half a turn apart visit an entry as often as
 * one that goes twice as fast; a hand is set going, at some distance from the first, when its first
 * thread comes, so that one thread alone has a plain clock.
 */
final class Hands {
  private static final int MAX_HANDS = 16;

  /** Fewest slots for each hand. */
  private static final int SLOTS_PER_HAND = 1024;

  private static final int STARTED = 0;
  private static final int FIRST = 1;
  private static final long NOT_STARTED = 0;

  private final PaddedCounters counters;
  private final int slots;
  private final int hands;

  /** Hands over a number of slots. */
  Hands(int slots) {
    this.slots = slots;
    this.hands = Math.min(MAX_HANDS, Integer.highestOneBit(Math.max(1, slots / SLOTS_PER_HAND)));
    this.counters = new PaddedCounters(FIRST + hands);
  }

  /** The hand of the calling thread. */
  int mine() {
    return FIRST + ((int) Thread.currentThread().getId() & hands - 1);
  }

  /** Where a hand is, for {@link #slot}. */
  long position(int hand) {
    long position = counters.get(hand);
    return position == NOT_STARTED ? start(hand) : position;
  }

  private long start(int hand) {
    // [S8] hands started at once get different distances.
    long others = counters.getAndAdd(STARTED, 1);
    long turn = Long.reverse(others) >>> Integer.SIZE;
    counters.compareAndSet(hand, NOT_STARTED, slots + (turn * slots >>> Integer.SIZE));
    return counters.get(hand);
  }

  /** The slot at a position. */
  int slot(long position) {
    return (int) Long.remainderUnsigned(position, slots);
  }

  /**
   * Moves a hand on, unless another thread has moved it meanwhile.
   *
   * @return where to go on
   */
  long move(int hand, long from, long to) {
    // [S8] two hunts may look at the same slots; each step they take there is a compare-and-set.
    return counters.compareAndSet(hand, from, to) ? to : position(hand);
  }
}
