/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import io.hyperclock.internal.policy.EvictionRequest;

/**
 * Slots that the main hand of an {@link AdaptiveClock} has gone on by and that one thread at a time
 * visits, so that the hand all threads share is moved once in {@value #SLOTS} visits. Visits of one
 * thread alone are in the order of the slots.
 */
final class ClockStretch {
  static final int SLOTS = 64;

  /** Part of a small table: threads are to visit different slots. */
  private static final int TABLE_SHARE = 4;

  private final AdaptiveEntries clock;
  private final int slots;
  private int next;
  private int left;

  /** An empty stretch. */
  ClockStretch(AdaptiveEntries clock, int number) {
    this.clock = clock;
    int most = Math.max(1, clock.store.slots() / TABLE_SHARE);
    this.slots = number == EvictionRequest.NOT_KEPT ? 1 : Math.min(SLOTS, most);
  }

  /** The next slot to visit. */
  int next() {
    if (left == 0) {
      left = slots;
      next = clock.moveHand(slots);
    }
    left--;
    int slot = next;
    next = slot + 1 == clock.store.slots() ? 0 : slot + 1;
    return slot;
  }
}
