/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

/**
 * How many looks at the size of a table to let pass after a new one could not be had: each time
 * twice as many.
 */
final class Pause {
  private static final int FIRST = 16;
  private static final int LONGEST = 1 << 16;

  // Plain: a lost step does no harm.
  private int left;
  private int next = FIRST;
  private boolean isForRoom;
  private boolean isLargerWanted;

  boolean isOver() {
    return left <= 0;
  }

  /** Whether a table could not be had, and the last look wanted a larger one than there is. */
  boolean isForLarger() {
    return next > FIRST && isLargerWanted;
  }

  /** Notes what a look has found. */
  void note(boolean wantsLarger) {
    isLargerWanted = wantsLarger;
  }

  /** Whether it is over as soon as the capacity has room. */
  boolean isForRoom() {
    return isForRoom;
  }

  /** One look passes; whether it comes after the pause. */
  boolean pass() {
    if (left > 0) {
      left--;
      return false;
    }
    return true;
  }

  /**
   * Another look is to come later.
   *
   * @param forRoom whether the capacity had no room, and not the heap
   */
  void begin(boolean forRoom) {
    isForRoom = forRoom;
    left = next;
    next = Math.min(LONGEST, 2 * next);
  }

  /** What stood in the way of a table is gone, or may be. */
  void end() {
    left = 0;
    next = FIRST;
  }
}
