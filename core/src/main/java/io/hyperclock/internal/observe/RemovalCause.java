/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

/** Why an entry left, which decides what callbacks run. */
public enum RemovalCause {
  /** By an erase, a close or a last release: the disposer is called. */
  FREED,

  /** By the clock, after it had been erased: the disposer is called as within an eviction. */
  SWEPT,

  /** By the clock, unused since it was inserted: the listener is called, then the disposer. */
  EVICTED,

  /** By the clock, used since it was inserted: the listener is called, then the disposer. */
  EVICTED_AFTER_HIT;

  /** The end that the hand brings an entry. */
  public static RemovalCause byHand(boolean visible, boolean wasHit) {
    if (!visible) {
      return SWEPT;
    }
    return wasHit ? EVICTED_AFTER_HIT : EVICTED;
  }

  /** Whether the listener is notified. */
  public boolean isEviction() {
    return this == EVICTED || this == EVICTED_AFTER_HIT;
  }
}
