/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

/** How an entry came to its end, which decides what the user's code is told. */
public enum RemovalCause {
  /** By an erase, a close or a last release: the disposer is called. */
  FREED,

  /** By the hand, after it had been erased: the disposer is called as within an eviction. */
  SWEPT,

  /** By the hand, unused since it was inserted: the listener is called, then the disposer. */
  EVICTED,

  /** By the hand, used since it was inserted: the listener is called, then the disposer. */
  EVICTED_AFTER_HIT;

  /** The end that the hand brings an entry. */
  static RemovalCause byHand(boolean visible, boolean wasHit) {
    if (!visible) {
      return SWEPT;
    }
    return wasHit ? EVICTED_AFTER_HIT : EVICTED;
  }

  /** Whether the hand did it. */
  public boolean isByHand() {
    return this != FREED;
  }

  /** Whether the listener is told. */
  public boolean isEviction() {
    return this == EVICTED || this == EVICTED_AFTER_HIT;
  }
}
