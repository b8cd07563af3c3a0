/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.accumulo;

import io.hyperclock.BlockCache;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.TieredBlockCacheBuilder;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import io.hyperclock.secondary.compressed.CompressedSecondaryCacheBuilder;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Blocks in a cache with a compressed tier below it; both share one budget. What leaves the cache
 * is compressed, and decompressed when it is asked for again, which costs less than the file.
 *
 * <p>With a disk below the two, what is loaded is written there at once, and climbs from there by
 * being used: so that all of it is there after a restart.
 */
final class TieredStore implements BlockStore {
  private final EntryType<CachedBlock> type;
  private static final Duration FLUSH_LIMIT = Duration.ofSeconds(60);

  /** What the compressed tier may come to if its share finds itself, and what it begins with. */
  private static final double MOST_SHARE = 0.75;

  private static final double FIRST_SHARE = 1.0 / 16;

  private final CompressedSecondaryCache compressed;
  private final @Nullable DiskSecondaryCache disk;
  private final TieredBlockCache<CachedBlock> cache;
  private final long maxBytes;
  private final int maxBlockBytes;

  /**
   * A store that is empty but for what is on disk.
   *
   * @param maxBytes memory for both
   * @param compressedShare share of the compressed tier, in (0, 1); or {@link
   *     HyperClockBlockCache#SHARE_FINDS_ITSELF}
   */
  TieredStore(
      long maxBytes,
      double compressedShare,
      @Nullable DiskSpace space,
      long entryBytes,
      EntryRole role) {
    this.maxBytes = maxBytes;
    boolean isFound = compressedShare == HyperClockBlockCache.SHARE_FINDS_ITSELF;
    type =
        EntryType.<CachedBlock>named("accumulo-block").role(role).codec(new BlockCodec()).build();
    CompressedSecondaryCacheBuilder below =
        CompressedSecondaryCache.builder()
            .capacityBytes(
                Math.max(1, (long) (maxBytes * (isFound ? FIRST_SHARE : compressedShare))))
            .maxCapacityBytes(
                Math.max(1, (long) (maxBytes * (isFound ? MOST_SHARE : compressedShare))));
    if (entryBytes != HyperClockBlockCache.UNKNOWN_ENTRY_BYTES) {
      below.estimatedEntryCharge(Math.max(1, entryBytes / 2));
    }
    compressed = below.build();
    TieredBlockCacheBuilder<CachedBlock> tiers =
        TieredBlockCache.builder(PlainStore.builder(maxBytes, entryBytes)).tier(compressed);
    if (isFound) {
      tiers.totalCapacityBytes(maxBytes);
    } else {
      tiers
          .admission(space == null ? AdmissionPolicy.ALL : AdmissionPolicy.THREE_QUEUES)
          .totalCapacityBytes(maxBytes, compressedShare);
    }
    disk =
        space == null
            ? null
            : DiskSecondaryCache.builder()
                .directory(space.directory())
                .capacityBytes(space.bytes())
                .build();
    cache = build(tiers, disk);
    BlockCache<?> primary = cache.primary();
    maxBlockBytes =
        PlainStore.maxBlockBytes(primary.monitor().capacityBytes(), primary.monitor().usageBytes());
  }

  /** A disk whose cache cannot be made is closed, so that its directory can be opened again. */
  private static TieredBlockCache<CachedBlock> build(
      TieredBlockCacheBuilder<CachedBlock> tiers, @Nullable DiskSecondaryCache disk) {
    try {
      return (disk == null ? tiers : tiers.tier(disk)).build();
    } catch (RuntimeException | Error e) {
      if (disk != null) {
        disk.close();
      }
      throw e;
    }
  }

  /** Key, then bytes. */
  private final class BlockCodec implements EntryCodec<CachedBlock> {
    @Override
    public int encodedSizeBytes(CachedBlock block) {
      return 2 * Long.BYTES + block.getBuffer().length;
    }

    @Override
    public void encode(CachedBlock block, ByteBuffer target) {
      Key128 key = block.key();
      target.putLong(key.hi()).putLong(key.lo()).put(block.getBuffer());
    }

    @Override
    public CachedBlock decode(ByteBuffer source, @Nullable Object context) {
      Key128 key = new Key128(source.getLong(), source.getLong());
      byte[] buffer = new byte[source.remaining()];
      source.get(buffer);
      return new CachedBlock(TieredStore.this, key, buffer);
    }

    @Override
    public long chargeBytes(CachedBlock block) {
      return CachedBlock.chargeBytes(block.getBuffer().length);
    }
  }

  @Override
  public @Nullable CachedBlock find(Key128 key) {
    return cache.get(key.hi(), key.lo(), type);
  }

  @Override
  public @Nullable CachedBlock peek(Key128 key) {
    return (CachedBlock) cache.primary().peek(key.hi(), key.lo());
  }

  @Override
  public InsertResult offer(Key128 key, CachedBlock block, long chargeBytes) {
    return cache.insert(key.hi(), key.lo(), block, type, chargeBytes, Priority.LOW);
  }

  @Override
  public void recharge(CachedBlock block, long chargeBytes) {
    PlainStore.recharge(cache.primary(), block, chargeBytes);
  }

  @Override
  public long capacityBytes() {
    return maxBytes;
  }

  @Override
  public long usageBytes() {
    return cache.primary().monitor().usageBytes() + compressed.stats().usageBytes();
  }

  @Override
  public int maxBlockBytes() {
    return maxBlockBytes;
  }

  @Override
  public void clear() {
    if (disk != null) {
      awaitHandOff();
      disk.close();
    }
    cache.primary().eraseUnreferenced();
    long capacity = compressed.stats().capacityBytes();
    compressed.deflate(capacity);
    compressed.inflate(capacity);
  }

  private void awaitHandOff() {
    long deadline = System.nanoTime() + FLUSH_LIMIT.toNanos();
    while (cache.stats().pendingOffers() > 0 && deadline - System.nanoTime() > 0) {
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
  }
}
