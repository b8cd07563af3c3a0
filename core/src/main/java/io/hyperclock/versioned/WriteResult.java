/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

/** Outcome of a put, insert, replace or erase. */
public enum WriteResult {
  /** The key had no committed value and has one now. */
  INSERTED,
  /** The key has a committed value already, which an insert leaves alone; nothing changed. */
  KEPT_EXISTING,
  /** The committed value took the place of an older one. */
  REPLACED,
  /** The key had a committed value and has none now. */
  ERASED,
  /** There was no committed value to replace or erase; nothing changed. */
  NOT_PRESENT,
  /**
   * The key has a prepared version, or another writer of the key was stopped in the middle of its
   * few steps; nothing changed. May be tried again.
   */
  IN_PROGRESS,
  /** Strict capacity has no room for the value; nothing changed but that others were evicted. */
  REFUSED,
  /**
   * There is no slot for the value, or it is larger than the capacity of a shard. The key has no
   * committed value now: an older one is gone, as after an erase.
   */
  DROPPED
}
