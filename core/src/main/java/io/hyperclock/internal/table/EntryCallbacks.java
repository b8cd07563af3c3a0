/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

/**
 * What a table tells the cache about the values it lets go, and about reads. Implementations never
 * throw by themselves.
 */
public interface EntryCallbacks {
  /**
   * An entry leaves by the clock hand: the listener sees it unless it had been erased, and if it
   * does not take the value over the value is disposed.
   */
  void evict(long hi, long lo, Object value, long cold, boolean erased, boolean wasHit);

  /**
   * Whether this thread is within {@link #evict}: it must not sweep then, or it might never end.
   */
  boolean isEvicting();

  /** The last owner of a value lets it go. */
  void dispose(long hi, long lo, Object value, long cold);

  /** Whether blocks of this key are of no use any more and should be evicted first. */
  boolean isDead(long hi);

  /** Files dropped so far. */
  long drops();

  /** The error for a pin-free read of a value that is freed by hand. */
  IllegalStateException pinRequired(long hi, long lo);
}
