/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

/**
 * What became of an insert. {@link #REFUSED} leaves the value with the caller; after every other
 * outcome the cache has taken it over.
 */
public enum InsertResult {
  /** The entry is in the table and can be found. */
  INSERTED,
  /**
   * The key was present; the older value stays and counts as used. The new value has been disposed,
   * as if inserted and evicted at once.
   */
  KEPT_EXISTING,
  /**
   * No slot or room could be had although capacity is not strict: the value has been disposed, as
   * if inserted and evicted at once.
   */
  DROPPED,
  /**
   * Strict capacity left no room: the entry was not added and the value is still the caller's.
   * Unpinned entries may have been evicted in the attempt.
   */
  REFUSED;

  /**
   * Whether the caller still owns the value it passed.
   *
   * @return true for {@link #REFUSED} only
   */
  public boolean isRefused() {
    return this == REFUSED;
  }
}
