/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.ForcedSizing;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.InsertResult;
import io.hyperclock.MetadataCharge;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.cache.InvariantsChecker;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A cached value that notices how it is treated. What readers and the disposer tell each other goes
 * through plain fields on purpose: only the cache orders it.
 */
final class StressBlock {
  /** Blocks that the cache frees. */
  static final EntryType<StressBlock> FREED =
      EntryType.<StressBlock>named("freed").disposer((hi, lo, block) -> block.dispose(lo)).build();

  /** Blocks that the collector frees. */
  static final EntryType<StressBlock> COLLECTED = EntryType.of("collected");

  static final long CHARGE_BYTES = 1024;

  private static final AtomicIntegerFieldUpdater<StressBlock> DISPOSALS =
      AtomicIntegerFieldUpdater.newUpdater(StressBlock.class, "disposals");

  final long key;
  final long hash;

  /** Written by pinned readers, each its own. */
  int usedByFirst;

  int usedBySecond;

  /** What the disposer saw of the readers' writes; -1 before. */
  int usesSeenByDisposer = -1;

  private int freed;
  private volatile int disposals;
  private volatile boolean wrongKey;

  StressBlock(long key) {
    this.key = key;
    this.hash = Keys.hash(key);
  }

  void dispose(long keyLo) {
    usesSeenByDisposer = usedByFirst + usedBySecond;
    freed = 1;
    if (keyLo != key) {
      wrongKey = true;
    }
    DISPOSALS.incrementAndGet(this);
  }

  /** How often the block was freed, or -1 if once under a wrong key. */
  int disposals() {
    return wrongKey ? -1 : disposals;
  }

  /** Whether a reader who holds this block for the key has something wrong in its hands. */
  boolean isWrongFor(long wanted) {
    return key != wanted || freed != 0;
  }

  static {
    try (BlockCache<StressBlock> cache = cache(1)) {
      if (cache.monitor().slots() != Keys.SLOTS) {
        throw new IllegalStateException(
            "slots must be " + Keys.SLOTS + ": slots=" + cache.monitor().slots());
      }
    }
  }

  /** A cache with room for so many blocks, and slots to spare. */
  static BlockCache<StressBlock> cache(int entries) {
    return builder(entries).build();
  }

  static BlockCacheBuilder<StressBlock> builder(int entries) {
    return BlockCache.<StressBlock>builder()
        .capacityBytes(entries * CHARGE_BYTES)
        .estimatedEntryCharge(entries * CHARGE_BYTES)
        .shards(1)
        .metadataCharge(MetadataCharge.NONE)
        .hashSeed(HashSeed.fixed(Keys.SEED));
  }

  /** A cache with room for many blocks whose table changes its size at each write, if it can. */
  static BlockCache<StressBlock> movingCache() {
    BlockCacheBuilder<StressBlock> builder =
        BlockCache.<StressBlock>builder()
            .capacityBytes(64 * CHARGE_BYTES)
            .initialEntries(1)
            .shards(1)
            .metadataCharge(MetadataCharge.NONE)
            .hashSeed(HashSeed.fixed(Keys.SEED));
    return ForcedSizing.every(builder, 1, CHARGE_BYTES).build();
  }

  static InsertResult insert(
      BlockCache<StressBlock> cache, StressBlock block, EntryType<StressBlock> type) {
    return cache.insert(Keys.HI, block.key, block, type, CHARGE_BYTES, Priority.BOTTOM);
  }

  static boolean isInserted(
      BlockCache<StressBlock> cache, StressBlock block, EntryType<StressBlock> type) {
    return insert(cache, block, type) == InsertResult.INSERTED;
  }

  static InsertResult put(
      BlockCache<StressBlock> cache, StressBlock block, EntryType<StressBlock> type) {
    return cache.put(Keys.HI, block.key, block, type, CHARGE_BYTES, Priority.BOTTOM);
  }

  static InsertResult compareAndReplace(
      BlockCache<StressBlock> cache, StressBlock expected, StressBlock block) {
    return cache.compareAndReplace(Keys.HI, block.key, expected, block, COLLECTED, CHARGE_BYTES);
  }

  /** A put with a charge of its own, which no entry can take in place. */
  static InsertResult move(BlockCache<StressBlock> cache, StressBlock block, int charge) {
    return cache.put(
        Keys.HI, block.key, block, COLLECTED, CHARGE_BYTES - 1 - charge, Priority.BOTTOM);
  }

  static InsertResult compareAndMove(
      BlockCache<StressBlock> cache, StressBlock expected, StressBlock block) {
    return cache.compareAndReplace(
        Keys.HI, block.key, expected, block, COLLECTED, CHARGE_BYTES / 2);
  }

  static Handle<StressBlock> insertPinned(BlockCache<StressBlock> cache, StressBlock block) {
    return cache.insertPinned(Keys.HI, block.key, block, FREED, CHARGE_BYTES, Priority.BOTTOM);
  }

  static Handle<StressBlock> putPinned(BlockCache<StressBlock> cache, StressBlock block) {
    return cache.putPinned(Keys.HI, block.key, block, FREED, CHARGE_BYTES, Priority.BOTTOM);
  }

  static Handle<StressBlock> standalone(BlockCache<StressBlock> cache, StressBlock block) {
    Handle<StressBlock> handle =
        cache.createStandalone(Keys.HI, block.key, block, FREED, CHARGE_BYTES, true);
    return Objects.requireNonNull(handle);
  }

  static @Nullable StressBlock get(BlockCache<StressBlock> cache, long key) {
    return cache.get(Keys.HI, key);
  }

  static @Nullable Handle<StressBlock> lookup(BlockCache<StressBlock> cache, long key) {
    return cache.lookup(Keys.HI, key);
  }

  static boolean erase(BlockCache<StressBlock> cache, long key) {
    return cache.erase(Keys.HI, key);
  }

  /** Number of ways in which a quiet cache is inconsistent in itself. */
  static int inconsistencies(BlockCache<StressBlock> cache) {
    return InvariantsChecker.violations(cache).size();
  }

  /** Slots and bytes in use, and inconsistencies. */
  static int left(BlockCache<StressBlock> cache) {
    return (int) (cache.monitor().occupancy() + cache.monitor().usageBytes())
        + inconsistencies(cache);
  }

  /** Closes a cache and counts blocks that were not freed exactly once, and inconsistencies. */
  static int wrongAfterClose(BlockCache<StressBlock> cache, StressBlock... blocks) {
    int wrong = inconsistencies(cache);
    cache.close();
    return wrong + notFreedOnce(blocks) + inconsistencies(cache);
  }

  /** Number of blocks that were not freed exactly once. */
  static int notFreedOnce(StressBlock... blocks) {
    int wrong = 0;
    for (StressBlock block : blocks) {
      wrong += block.disposals() == 1 ? 0 : 1;
    }
    return wrong;
  }
}
