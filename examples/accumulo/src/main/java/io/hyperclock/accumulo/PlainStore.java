/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.accumulo;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.entry.Priority;
import org.jspecify.annotations.Nullable;

/** Blocks in a cache without tiers below it. */
final class PlainStore implements BlockStore {
  private static final long LEAST_SHARD_BYTES = 32L << 20;

  private final EntryType<CachedBlock> type;
  private final BlockCache<CachedBlock> cache;
  private final int maxBlockBytes;

  PlainStore(long maxBytes, long entryBytes, EntryRole role) {
    type = EntryType.<CachedBlock>named("accumulo-block").role(role).build();
    cache = builder(maxBytes, entryBytes).build();
    maxBlockBytes = maxBlockBytes(maxBytes, cache.monitor().usageBytes());
  }

  /** For a cache with blocks of a usual size, or one that sizes itself if that is not known. */
  static BlockCacheBuilder<CachedBlock> builder(long maxBytes, long entryBytes) {
    BlockCacheBuilder<CachedBlock> builder =
        BlockCache.<CachedBlock>builder().capacityBytes(maxBytes).capacityMode(CapacityMode.STRICT);
    return entryBytes == HyperClockBlockCache.UNKNOWN_ENTRY_BYTES
        ? builder
        : builder.estimatedEntryCharge(entryBytes);
  }

  /** What fits into one shard beside its slots: a block never spans shards. */
  static int maxBlockBytes(long maxBytes, long slotBytes) {
    double shardBytes = Math.min(maxBytes, LEAST_SHARD_BYTES);
    double room = shardBytes * (maxBytes - slotBytes) / maxBytes - CachedBlock.chargeBytes(0);
    return (int) Math.max(0, room);
  }

  /** See {@link BlockStore#recharge}. */
  static void recharge(BlockCache<?> cache, CachedBlock block, long chargeBytes) {
    Key128 key = block.key();
    Handle<?> handle = cache.lookup(key.hi(), key.lo());
    if (handle == null) {
      return;
    }
    boolean hasRoom = true;
    try {
      hasRoom = handle.value() != block || handle.adjustCharge(chargeBytes);
    } finally {
      if (hasRoom) {
        handle.discard();
      } else {
        handle.eraseIfLast();
      }
    }
  }

  @Override
  public @Nullable CachedBlock find(Key128 key) {
    return cache.get(key.hi(), key.lo());
  }

  @Override
  public @Nullable CachedBlock peek(Key128 key) {
    return cache.peek(key.hi(), key.lo());
  }

  @Override
  public InsertResult offer(Key128 key, CachedBlock block, long chargeBytes) {
    return cache.insert(key.hi(), key.lo(), block, type, chargeBytes, Priority.LOW);
  }

  @Override
  public void recharge(CachedBlock block, long chargeBytes) {
    recharge(cache, block, chargeBytes);
  }

  @Override
  public long capacityBytes() {
    return cache.monitor().capacityBytes();
  }

  @Override
  public long usageBytes() {
    return cache.monitor().usageBytes();
  }

  @Override
  public int maxBlockBytes() {
    return maxBlockBytes;
  }

  @Override
  public void clear() {
    cache.eraseUnreferenced();
  }
}
