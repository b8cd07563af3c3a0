/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import io.hyperclock.internal.slot.GenerationWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotStore;

/**
 * Finds which entry of two full buckets is to leave: one that is of no use any more, else the one
 * that a policy ranks lowest. Entries that are held are passed.
 */
public final class LocalVictim {
  private static final int PLACES = 2 * SlotStore.BUCKET_SLOTS;

  /** Others may use or take what was found. */
  private static final int TRIES = 4;

  /** The value of entries to a policy. */
  public interface Rank {
    /**
     * Rank of an entry without a pin.
     *
     * @param meta its word
     * @return the lower, the sooner it leaves; at least 0
     */
    int of(int slot, long meta);
  }

  /** Takes an entry and frees it. */
  public interface Eviction {
    /**
     * Evicts an entry unless its word has changed.
     *
     * @return whether it left
     */
    boolean evict(int slot, long meta);
  }

  private LocalVictim() {}

  public static boolean evict(
      SlotStore store,
      EvictableEntries residents,
      int first,
      int second,
      Rank rank,
      Eviction eviction) {
    for (int tries = 0; tries < TRIES; tries++) {
      int least = -1;
      int lowest = Integer.MAX_VALUE;
      long leastMeta = 0;
      long fewest = Long.MAX_VALUE;
      for (int place = 0; place < PLACES; place++) {
        int bucket = place < SlotStore.BUCKET_SLOTS ? first : second;
        int slot = bucket * SlotStore.BUCKET_SLOTS + place % SlotStore.BUCKET_SLOTS;
        long meta = store.metaAcquire(slot);
        if (!MetaWord.isShareable(meta) || MetaWord.refcount(meta) != 0) {
          continue;
        }
        boolean useless = !MetaWord.isVisible(meta) || residents.isDead(slot);
        int value = useless ? -1 : rank.of(slot, meta);
        // Of equals the one whose slot has had the fewest: the newest has its chance.
        long tenancies = GenerationWord.generation(store.tailOpaque(slot));
        if (value < lowest || value == lowest && tenancies < fewest) {
          least = slot;
          lowest = value;
          fewest = tenancies;
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
