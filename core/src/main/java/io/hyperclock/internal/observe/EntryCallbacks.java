/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

/**
 * What a table tells the cache about the values it lets go, and about reads. Implementations never
 * throw by themselves.
 */
public interface EntryCallbacks {
  /** Notes that the hand took an entry that was not erased. */
  void countEviction(long cold);

  /** Whether values of this entry's type are freed explicitly. */
  boolean hasDisposer(long cold);

  /** Whether the user's code is called at the end of an entry of this type if the hand takes it. */
  boolean isHeard(long cold);

  /**
   * The value of an ended entry has no reader left: the listener sees it if the clock evicted it,
   * and unless another owner takes the value over it is disposed.
   */
  void end(long hi, long lo, Object value, long cold, RemovalCause ending);

  /**
   * Whether this thread is within {@link #end} of an entry that the hand took: it must not sweep
   * then, or it might never end.
   */
  boolean isEvicting();

  /** Whether blocks of this key are of no use any more and should be evicted first. */
  boolean isDead(long hi);

  /** Files dropped so far. */
  long drops();

  /** The error for a pin-free read of a value that is freed explicitly. */
  IllegalStateException pinRequired(long hi, long lo);
}
