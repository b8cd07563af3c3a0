/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.policy.EvictableEntries;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;

/**
 * How a new entry comes by its slot: one without a tag, in the emptier bucket of the key. If both
 * buckets are full one of their entries leaves, the least valuable without a pin: a <em>local
 * eviction</em>.
 *
 * <p>A slot without a tag may be under construction, and another insert may take one first, also
 * one that was evicted for this insert; then the next is tried. Progress: lock-free.
 */
public final class Claims {
  /**
   * Result of {@link #claim}: every entry in both buckets is held, others took what was evicted, or
   * the caller may not evict.
   */
  public static final int NONE = -1;

  /** So often others may claim what was evicted for this insert. */
  private static final int LOCAL_EVICTIONS = 4;

  /** Free slots of a bucket from which on the key's other bucket need not be the emptier. */
  private static final int SPARE = 3;

  private final Buckets buckets;
  private final SlotProtocol slots;
  private final SlotStore store;
  private final Replacement replacement;

  /** Claims of slots of one table. */
  public Claims(Buckets buckets, SlotProtocol slots, Replacement replacement) {
    this.buckets = buckets;
    this.slots = slots;
    this.store = slots.store();
    this.replacement = replacement;
  }

  /**
   * Makes a slot the caller's own if none has to be made free for it.
   *
   * @return the slot, or {@link #NONE}
   */
  int claimWithoutEviction(long hash) {
    return claimUntagged(buckets.first(hash), buckets.second(hash));
  }

  /**
   * Makes a slot of one bucket the caller's own if that has some to spare.
   *
   * @return the slot, or {@link #NONE}
   */
  int claimIn(int bucket) {
    long free = store.untagged(bucket);
    return Long.bitCount(free) >= SPARE ? claimOneOf(bucket, bucket, free) : NONE;
  }

  /**
   * Makes a slot the caller's own, evicting one of the key's two buckets if it must.
   *
   * @param residents says whether the caller may evict, and does it
   * @param request takes what left for it
   * @return the slot, or {@link #NONE}
   */
  public int claim(long hash, EvictableEntries residents, EvictionRequest request) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    for (int evictions = 0; ; evictions++) {
      int slot = claimUntagged(first, second);
      if (slot != NONE) {
        return slot;
      }
      if (evictions == LOCAL_EVICTIONS
          || !residents.mayEvict()
          || !replacement.makeRoomIn(residents, first, second, request)) {
        return NONE;
      }
      request.evictedLocally();
    }
  }

  private int claimUntagged(int first, int second) {
    long free = store.untagged(first, second);
    long emptier = SlotStore.ofEmptier(free);
    int slot = claimOneOf(first, second, emptier);
    return slot != NONE ? slot : claimOneOf(first, second, free ^ emptier);
  }

  private int claimOneOf(int first, int second, long free) {
    for (long left = free; left != 0; left &= left - 1) {
      int slot = SlotStore.slot(first, second, left);
      if (slots.claim(slot)) {
        return slot;
      }
    }
    return NONE;
  }
}
