/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

/** What a replacement policy may ask and do of the entries of a table. */
public interface EvictableEntries {
  /**
   * Hash of the key in a slot.
   *
   * @param slot one the caller has taken; of any other it is a guess
   */
  long hash(int slot);

  /**
   * Frees an entry.
   *
   * @param slot one the caller has taken
   * @param meta its word when it was taken
   * @param request for which; takes the sums that need not change at once
   * @return its charge
   */
  long evict(int slot, long meta, EvictionRequest request);

  /** Whether the calling thread may evict: not from within a callback of an eviction. */
  default boolean mayEvict() {
    return true;
  }

  /** Whether the entry in a slot is of no use any more and should leave first. */
  default boolean isDead(int slot) {
    return false;
  }

  /** Grows when entries have died. */
  default long deaths() {
    return 0;
  }
}
