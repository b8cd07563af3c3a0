/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.accumulo;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.Key128;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.accumulo.core.spi.cache.CacheEntry;
import org.jspecify.annotations.Nullable;

/**
 * Accumulo's view of a {@link io.hyperclock.BlockCache} of byte arrays.
 *
 * <p><b>Keys</b> are the 128-bit hashes of the block names ({@link Key128}); names are not kept.
 *
 * <p><b>Memory.</b> A block is charged with its bytes, its objects and its index, the slots with
 * theirs, and all of it never exceeds the configured size: a block that does not fit is handed to
 * its reader and not kept.
 *
 * <p><b>Replacement.</b> A block that is read once leaves before those that are read again.
 *
 * <p><b>Loads.</b> Threads that miss the same block at the same time load it once. Dependencies are
 * resolved before, outside of that. No lock is held while a loader runs, and a failed load throws
 * to its own caller alone.
 *
 * <p><b>Statistics.</b> Each {@code getBlock} is one request, dependencies included; it is a hit if
 * it neither loaded nor waited.
 *
 * <p>Thread-safe. A hit takes no lock and, but for the hash of the name, allocates nothing.
 */
public final class HyperClockBlockCache implements org.apache.accumulo.core.spi.cache.BlockCache {
  /** In place of the usual size of a block: the cache sizes itself. */
  public static final long UNKNOWN_ENTRY_BYTES = 0;

  /** In place of a compressed share: what pays. */
  public static final double SHARE_FINDS_ITSELF = -1;

  private final BlockStore store;
  private final SingleFlight loads = new SingleFlight();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  /**
   * Makes an empty cache.
   *
   * @param maxBytes memory to use, greater than 0
   * @param entryBytes usual size of a block, or {@link #UNKNOWN_ENTRY_BYTES}
   * @param role what the blocks count as in the statistics of the cache below
   * @throws IllegalArgumentException if a size is out of range or there is no room for the slots
   */
  public HyperClockBlockCache(long maxBytes, long entryBytes, EntryRole role) {
    this(maxBytes, entryBytes, role, 0);
  }

  /**
   * Makes an empty cache with a compressed tier below it.
   *
   * @param maxBytes memory to use for both, greater than 0
   * @param entryBytes usual size of a block, or {@link #UNKNOWN_ENTRY_BYTES}
   * @param role what the blocks count as in the statistics of the cache below
   * @param compressedShare share of the compressed tier in the memory, at least 0 and less than 1;
   *     0 for none
   * @throws IllegalArgumentException if a size is out of range or there is no room for the slots
   */
  public HyperClockBlockCache(
      long maxBytes, long entryBytes, EntryRole role, double compressedShare) {
    this(maxBytes, entryBytes, role, compressedShare, null);
  }

  /**
   * Makes a cache with a compressed tier below it and one on disk below that. It starts with what
   * was on disk when the last one with that directory was cleared.
   *
   * @param maxBytes memory to use, greater than 0
   * @param entryBytes usual size of a block, or {@link #UNKNOWN_ENTRY_BYTES}
   * @param role what the blocks count as in the statistics of the cache below
   * @param compressedShare share of the compressed tier in the memory, at least 0 and less than 1;
   *     0 for none, and then there can be no disk either; or {@link #SHARE_FINDS_ITSELF}
   * @param disk space on disk, or null for none
   * @throws IllegalArgumentException if a size is out of range or there is no room for the slots
   * @throws IllegalStateException if the directory is in use
   */
  public HyperClockBlockCache(
      long maxBytes,
      long entryBytes,
      EntryRole role,
      double compressedShare,
      @Nullable DiskSpace disk) {
    if (compressedShare != SHARE_FINDS_ITSELF && !(compressedShare >= 0 && compressedShare < 1)) {
      throw new IllegalArgumentException(
          "compressedShare must be in [0, 1): compressedShare=" + compressedShare);
    }
    if (compressedShare == 0 && disk != null) {
      throw new IllegalArgumentException(
          "compressedShare must be > 0 if there is a disk: compressedShare=0");
    }
    store =
        compressedShare == 0
            ? new PlainStore(maxBytes, entryBytes, role)
            : new TieredStore(maxBytes, compressedShare, disk, entryBytes, role);
  }

  /**
   * Keeps a block unless there is one of that name, which is then returned and assumed to hold the
   * same bytes: Accumulo's files do not change.
   */
  @Override
  public CacheEntry cacheBlock(String blockName, byte[] buffer) {
    return store.insert(Key128.of(blockName), buffer);
  }

  @Override
  public @Nullable CacheEntry getBlock(String blockName) {
    return find(Key128.of(blockName));
  }

  @Override
  public @Nullable CacheEntry getBlock(String blockName, Loader loader) {
    Key128 key = Key128.of(blockName);
    CachedBlock block = find(key);
    if (block != null) {
      return block;
    }
    Map<String, byte[]> dependencies = resolve(loader.getDependencies());
    return dependencies == null ? null : loads.run(key, () -> load(key, loader, dependencies));
  }

  /** Same as {@link #getMaxSize}: slots and objects are charged too. */
  @Override
  public long getMaxHeapSize() {
    return store.capacityBytes();
  }

  @Override
  public long getMaxSize() {
    return store.capacityBytes();
  }

  @Override
  public Stats getStats() {
    long hitCount = hits.sum();
    return new BlockStats(hitCount, hitCount + misses.sum());
  }

  /**
   * Memory in use: blocks with their objects and indexes, and the slots.
   *
   * @return bytes, at most {@link #getMaxSize}
   */
  public long usageBytes() {
    return store.usageBytes();
  }

  /** Drops all blocks from memory; what is on disk is closed, for the next cache to start with. */
  public void clear() {
    store.clear();
  }

  private @Nullable CachedBlock find(Key128 key) {
    CachedBlock block = store.find(key);
    (block == null ? misses : hits).increment();
    return block;
  }

  private @Nullable Map<String, byte[]> resolve(Map<String, Loader> loaders) {
    if (loaders.isEmpty()) {
      return Map.of();
    }
    Map<String, byte[]> buffers = new HashMap<>();
    for (Map.Entry<String, Loader> dependency : loaders.entrySet()) {
      CacheEntry entry = getBlock(dependency.getKey(), dependency.getValue());
      if (entry == null) {
        return null;
      }
      buffers.put(dependency.getKey(), entry.getBuffer());
    }
    return buffers;
  }

  private @Nullable CachedBlock load(Key128 key, Loader loader, Map<String, byte[]> dependencies) {
    CachedBlock loadedMeanwhile = store.peek(key);
    if (loadedMeanwhile != null) {
      return loadedMeanwhile;
    }
    byte[] buffer = loader.load(store.maxBlockBytes(), dependencies);
    return buffer == null ? null : store.insert(key, buffer);
  }
}
