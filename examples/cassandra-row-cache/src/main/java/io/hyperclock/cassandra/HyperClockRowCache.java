/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.cassandra;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import java.util.Comparator;
import java.util.Iterator;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.cassandra.cache.ICache;
import org.apache.cassandra.cache.IRowCacheEntry;
import org.apache.cassandra.cache.RowCacheKey;
import org.apache.cassandra.io.util.Memory;
import org.jspecify.annotations.Nullable;

/**
 * Rows outside the heap, pinned while they are deserialised, freed by the cache.
 *
 * <p>Cassandra counts on it that a reader's row goes in only if the sentinel that the reader had
 * left is still there: a write removes it, and the reader's row is of before the write. So {@link
 * #replace} never adds, neither it nor {@link #put} leaves the older one if there is no room for
 * the new, and what was made before a {@link #clear} is never found after it.
 */
final class HyperClockRowCache implements ICache<RowCacheKey, IRowCacheEntry> {
  private final EntryType<CachedRow> rows =
      EntryType.<CachedRow>named("row").disposer((keyHi, keyLo, row) -> row.free()).build();

  /** How often the cache was cleared; rows of an earlier generation are not found. */
  private final AtomicLong generation = new AtomicLong();

  private final BlockCache<CachedRow> cache;
  private final LongFunction<Memory> allocator;
  private long capacity;

  HyperClockRowCache(long capacity) {
    this(capacity, Memory::allocate);
  }

  HyperClockRowCache(long capacity, LongFunction<Memory> allocator) {
    this.cache = BlockCache.<CachedRow>builder().capacityBytes(capacity).defaultType(rows).build();
    this.capacity = capacity;
    this.allocator = allocator;
  }

  private @Nullable CachedRow row(RowKey key, IRowCacheEntry entry, long generation) {
    return CachedRow.of(key, entry, generation, allocator);
  }

  /** Whether the row is of this key and not only of its hash, and of after the last clear. */
  private boolean isLive(CachedRow row, RowKey key) {
    return row.generation == generation.get() && row.isOf(key);
  }

  @Override
  public @Nullable IRowCacheEntry get(RowCacheKey key) {
    RowKey wanted = RowKey.of(key);
    try (Handle<CachedRow> handle = cache.lookup(wanted.hi(), wanted.lo())) {
      if (handle == null || !isLive(handle.value(), wanted)) {
        return null;
      }
      handle.value().used();
      return handle.value().read();
    }
  }

  @Override
  public boolean containsKey(RowCacheKey key) {
    RowKey wanted = RowKey.of(key);
    Handle<CachedRow> handle = cache.lookup(wanted.hi(), wanted.lo());
    if (handle == null) {
      return false;
    }
    boolean live = isLive(handle.value(), wanted);
    handle.discard();
    return live;
  }

  @Override
  public void put(RowCacheKey key, IRowCacheEntry value) {
    RowKey wanted = RowKey.of(key);
    CachedRow row = row(wanted, value, generation.get());
    if (row == null) {
      cache.erase(wanted.hi(), wanted.lo());
      return;
    }
    cache.put(wanted.hi(), wanted.lo(), row, row.chargeBytes());
  }

  @Override
  public boolean putIfAbsent(RowCacheKey key, IRowCacheEntry value) {
    RowKey wanted = RowKey.of(key);
    try (Handle<CachedRow> handle = cache.lookup(wanted.hi(), wanted.lo())) {
      if (handle != null && isLive(handle.value(), wanted)) {
        return false;
      }
      if (handle != null) {
        // Of before a clear, or of a key with the same hash: it must not be in the way.
        cache.erase(wanted.hi(), wanted.lo(), handle.value());
      }
    }
    CachedRow row = row(wanted, value, generation.get());
    return row != null
        && cache.insert(wanted.hi(), wanted.lo(), row, row.chargeBytes()) == InsertResult.INSERTED;
  }

  @Override
  public boolean replace(RowCacheKey key, IRowCacheEntry old, IRowCacheEntry value) {
    RowKey wanted = RowKey.of(key);
    try (Handle<CachedRow> handle = cache.lookup(wanted.hi(), wanted.lo())) {
      if (handle == null || !isLive(handle.value(), wanted) || !handle.value().holds(old)) {
        return false;
      }
      CachedRow seen = handle.value();
      // As old as what it replaces: a clear from here on is after both.
      CachedRow row = row(wanted, value, seen.generation);
      InsertResult result =
          row == null
              ? InsertResult.REFUSED
              : cache.compareAndReplace(
                  wanted.hi(), wanted.lo(), seen, row, rows, row.chargeBytes());
      if (row != null && result.callerKeepsValue()) {
        row.free();
      }
      if (result == InsertResult.REFUSED) {
        // A sentinel that stayed would keep everyone from caching the key.
        cache.erase(wanted.hi(), wanted.lo(), seen);
      }
      return result == InsertResult.REPLACED;
    }
  }

  @Override
  public void remove(RowCacheKey key) {
    // A row of another key with the same hash goes too, as if it had been evicted.
    RowKey wanted = RowKey.of(key);
    cache.erase(wanted.hi(), wanted.lo());
  }

  @Override
  public void clear() {
    // Rows that a writer is just bringing in are of before: nobody finds them.
    generation.incrementAndGet();
    cache.monitor().forEachEntry((keyHi, keyLo, row, type, charge) -> eraseOld(keyHi, keyLo, row));
  }

  private void eraseOld(long keyHi, long keyLo, CachedRow row) {
    if (row.generation != generation.get()) {
      cache.erase(keyHi, keyLo, row);
    }
  }

  /** Weakly consistent, and holds 16 bytes a row: keys are decoded when it comes to them. */
  @Override
  public Iterator<RowCacheKey> keyIterator() {
    LongStream.Builder words = LongStream.builder();
    cache.monitor().forEachEntry((keyHi, keyLo, row, type, charge) -> words.add(keyHi).add(keyLo));
    return new RowKeys(this, words.build().toArray());
  }

  /** Those that were read or written last, the latest first. */
  @Override
  public Iterator<RowCacheKey> hotKeyIterator(int n) {
    record Use(long at, long hi, long lo) {}
    PriorityQueue<Use> hottest = new PriorityQueue<>(Comparator.comparingLong(Use::at));
    cache
        .monitor()
        .forEachEntry(
            (keyHi, keyLo, row, type, charge) -> {
              hottest.add(new Use(row.lastUse(), keyHi, keyLo));
              if (hottest.size() > n) {
                hottest.poll();
              }
            });
    Stream<Use> latestFirst = hottest.stream().sorted(Comparator.comparingLong(Use::at).reversed());
    return new RowKeys(
        this, latestFirst.flatMapToLong(use -> LongStream.of(use.hi(), use.lo())).toArray());
  }

  /** The key of a row that is still there, or null; not a use. */
  @Nullable RowCacheKey keyOf(long keyHi, long keyLo) {
    Handle<CachedRow> handle = cache.lookup(keyHi, keyLo);
    if (handle == null) {
      return null;
    }
    CachedRow row = handle.value();
    RowCacheKey key = row.generation == generation.get() ? row.key() : null;
    handle.discard();
    return key;
  }

  @Override
  public synchronized long capacity() {
    return capacity;
  }

  /** Zero keeps nothing. */
  @Override
  public synchronized void setCapacity(long capacity) {
    cache.setCapacityBytes(Math.max(1, capacity));
    this.capacity = capacity;
  }

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, cache.monitor().occupancy());
  }

  /** Rows, their keys and the cache's own tables. */
  @Override
  public long weightedSize() {
    return cache.monitor().usageBytes();
  }
}
