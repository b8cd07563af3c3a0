/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import io.hyperclock.internal.slot.Meta;
import io.hyperclock.internal.slot.SlotStore;

/**
 * Finds which entry of two full buckets is to leave: one that is of no use any more, else the one
 * that a policy ranks lowest. Entries that are held are passed.
 */
final class LeastOfBuckets {
  private static final int PLACES = 2 * SlotStore.BUCKET_SLOTS;

  /** Others may use or take what was found. */
  private static final int TRIES = 4;

  /** The value of entries to a policy. */
  interface Rank {
    /**
     * Rank of an entry that nobody holds.
     *
     * @param meta its word
     * @return the lower, the sooner it leaves; at least 0
     */
    int of(int slot, long meta);
  }

  /** Takes an entry and frees it. */
  interface Eviction {
    /**
     * Evicts an entry unless its word has changed.
     *
     * @return whether it left
     */
    boolean evict(int slot, long meta);
  }

  private LeastOfBuckets() {}

  static boolean evict(
      SlotStore store, Residents residents, int first, int second, Rank rank, Eviction eviction) {
    for (int tries = 0; tries < TRIES; tries++) {
      int least = -1;
      int lowest = Integer.MAX_VALUE;
      long leastMeta = 0;
      // Of equals not always the same: its slot has the newest entry from then on.
      int start = first + second;
      for (int i = 0; i < PLACES; i++) {
        int place = start + i & PLACES - 1;
        int bucket = place < SlotStore.BUCKET_SLOTS ? first : second;
        int slot = bucket * SlotStore.BUCKET_SLOTS + place % SlotStore.BUCKET_SLOTS;
        long meta = store.metaAcquire(slot);
        if (!Meta.isShareable(meta) || Meta.refcount(meta) != 0) {
          continue;
        }
        boolean useless = !Meta.isVisible(meta) || residents.isDead(slot);
        int value = useless ? -1 : rank.of(slot, meta);
        if (value < lowest) {
          least = slot;
          lowest = value;
          leastMeta = meta;
        }
      }
      if (least < 0) {
        return false;
      }
      if (eviction.evict(least, leastMeta)) {
        return true;
      }
    }
    return false;
  }
}
