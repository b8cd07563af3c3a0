/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.HashSeed;
import io.hyperclock.InsertResult;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.slot.SlotStore;

/**
 * A cache with as much room as anybody needs, but not in the two buckets of {@link Keys}: those are
 * full, or nearly so, of entries that are worth more than what the actors insert.
 */
final class Crowd {
  /** Entries in two full buckets. */
  static final int PLACES = 2 * SlotStore.BUCKET_SLOTS;

  /** Entries of a cache that has something to choose from. */
  private static final int LEARNING_ENTRIES = 33;

  private static final int ENTRIES = 15;
  private static final int ROOM = 4;

  static {
    try (BlockCache<StressBlock> cache = builder(ENTRIES).build()) {
      requireMore(cache, 3);
    }
    try (BlockCache<StressBlock> cache = builder(LEARNING_ENTRIES).build()) {
      requireMore(cache, Keys.MOST_BUCKETS);
    }
  }

  final BlockCache<StressBlock> cache;
  final StressBlock[] others;

  private Crowd(BlockCache<StressBlock> cache, int free, EntryType<StressBlock> type) {
    this.cache = cache;
    others = new StressBlock[PLACES - free];
    for (int i = 0; i < others.length; i++) {
      others[i] = new StressBlock(Keys.other(i));
      if (insertDear(others[i], type) != InsertResult.INSERTED) {
        throw new IllegalStateException("both buckets must have room: entry=" + i);
      }
    }
  }

  /** Two buckets with so many slots free, as many in each or one more in the second. */
  static Crowd withFree(int free, EntryType<StressBlock> type) {
    return new Crowd(builder(ENTRIES).build(), free, type);
  }

  /** The second bucket is full, the first has so many slots free. */
  static Crowd withFreeInFirst(int free, EntryType<StressBlock> type) {
    Crowd full = new Crowd(builder(ENTRIES).build(), 0, type);
    // They have gone to the two in turn.
    for (int i = 0; i < free; i++) {
      full.cache.erase(Keys.HI, full.others[2 * i].key);
    }
    return new Crowd(full, free);
  }

  private Crowd(Crowd full, int erased) {
    cache = full.cache;
    others = new StressBlock[PLACES - erased];
    int kept = 0;
    for (int i = 0; i < PLACES; i++) {
      if (i % 2 != 0 || i >= 2 * erased) {
        others[kept++] = full.others[i];
      }
    }
  }

  /** As {@link #withFree} under the adaptive replacement. */
  static Crowd learning(int free, EntryType<StressBlock> type) {
    BlockCacheBuilder<StressBlock> builder =
        builder(LEARNING_ENTRIES).replacementPolicy(ReplacementPolicy.ADAPTIVE);
    return new Crowd(builder.build(), free, type);
  }

  private static BlockCacheBuilder<StressBlock> builder(int entries) {
    return BlockCache.<StressBlock>builder()
        .capacityBytes((entries + ROOM) * StressBlock.CHARGE_BYTES)
        .estimatedEntryCharge((entries + ROOM) * StressBlock.CHARGE_BYTES / entries)
        .shards(1)
        .replacementPolicy(ReplacementPolicy.CLASSIC)
        .metadataCharge(MetadataCharge.NONE)
        .hashSeed(HashSeed.fixed(Keys.SEED));
  }

  private static void requireMore(BlockCache<StressBlock> cache, int buckets) {
    if (cache.monitor().slots() != buckets * SlotStore.BUCKET_SLOTS) {
      throw new IllegalStateException(
          "buckets must be " + buckets + ": slots=" + cache.monitor().slots());
    }
  }

  /** Inserts an entry that others make room for before it does. */
  InsertResult insertDear(StressBlock block, EntryType<StressBlock> type) {
    return cache.insert(Keys.HI, block.key, block, type, StressBlock.CHARGE_BYTES, Priority.HIGH);
  }

  /** Entries beside those that were there first. */
  int entriesMore() {
    return (int) cache.monitor().occupancy() - others.length;
  }
}
