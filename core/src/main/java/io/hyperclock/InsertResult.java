/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

/**
 * Outcome of an insert. After {@link #REFUSED}, {@link #NOT_PRESENT} and {@link #NOT_EXPECTED} the
 * value is still the caller's; after the others the cache has taken it over.
 *
 * <pre>{@code
 * InsertResult result = cache.insert(file.hi(), file.lo(offset), bytes, bytes.length);
 * if (result.callerKeepsValue()) {
 *   giveBack(bytes);
 * }
 * }</pre>
 */
public enum InsertResult {
  /** The entry is in the table and can be found; there was none of its key before. */
  INSERTED,
  /** The entry is in the table in place of an older one, which is freed after its last reader. */
  REPLACED,
  /**
   * The key was present; the older value stays and counts as used. The new value has been disposed;
   * that is no eviction, and no listener sees it.
   */
  KEPT_EXISTING,
  /** There was no entry to replace; the value is still the caller's. */
  NOT_PRESENT,
  /** The entry holds another value than expected; the new value is still the caller's. */
  NOT_EXPECTED,
  /**
   * No slot or room could be had although capacity is not strict, or the value is larger than its
   * shard: it has been disposed; that is no eviction, and no listener sees it. An older entry that
   * it was to replace is erased.
   */
  DROPPED,
  /**
   * No slot or room: the value was not added and is still the caller's. Under strict capacity every
   * kind of insert may end so, otherwise only a compare-and-replace. Unpinned entries may have been
   * evicted in the attempt. <b>An older value of the key may be gone or may still be found</b>: if
   * it is outdated, call {@link BlockCache#erase}.
   */
  REFUSED;

  /**
   * Whether the caller still owns the value it passed.
   *
   * @return true for {@link #REFUSED}, {@link #NOT_PRESENT} and {@link #NOT_EXPECTED}
   */
  public boolean callerKeepsValue() {
    return this == REFUSED || this == NOT_PRESENT || this == NOT_EXPECTED;
  }
}
