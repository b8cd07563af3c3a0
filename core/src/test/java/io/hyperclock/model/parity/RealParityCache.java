/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model.parity;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.InsertResult;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The real cache in parity mode. */
final class RealParityCache implements ParityCache, AutoCloseable {
  private static final EntryType<BenchKey> TYPE = EntryType.of("parity");

  private final List<BenchKey> evicted = new ArrayList<>();
  private final BlockCache<BenchKey> cache;

  /**
   * A cache to compare.
   *
   * @param shards number of shards, or 0 for the default
   */
  RealParityCache(
      long capacityBytes,
      long estimatedEntryCharge,
      int shards,
      long hashSeed,
      SlotStorage storage) {
    var builder =
        BlockCache.<BenchKey>builder()
            .capacityBytes(capacityBytes)
            .estimatedEntryCharge(estimatedEntryCharge)
            .hashSeed(HashSeed.fixed(hashSeed))
            .storage(storage)
            .rocksDbParity(true)
            .evictionListener(this::evicted);
    cache = (shards == 0 ? builder : builder.shards(shards)).build();
  }

  private boolean evicted(
      long hi, long lo, BenchKey value, EntryType<?> type, long chargeBytes, boolean wasHit) {
    BenchKey key = new BenchKey(hi, lo);
    if (!key.equals(value)) {
      throw new AssertionError("evicted key must be the value's: key=" + key + ", value=" + value);
    }
    evicted.add(key);
    return false;
  }

  @Override
  public @Nullable Pin lookup(BenchKey key) {
    Handle<BenchKey> handle = cache.lookup(key.hi(), key.lo());
    return handle == null ? null : new HandlePin(handle);
  }

  @Override
  public InsertResult insert(BenchKey key, long chargeBytes, Priority priority) {
    return cache.insert(key.hi(), key.lo(), key, TYPE, chargeBytes, priority);
  }

  @Override
  public Pin insertPinned(BenchKey key, long chargeBytes, Priority priority) {
    return new HandlePin(cache.insertPinned(key.hi(), key.lo(), key, TYPE, chargeBytes, priority));
  }

  @Override
  public boolean erase(BenchKey key) {
    return cache.erase(key.hi(), key.lo());
  }

  @Override
  public long occupancy() {
    return cache.occupancy();
  }

  @Override
  public long usageBytes() {
    return cache.usageBytes();
  }

  @Override
  public long pinnedUsageBytes() {
    return cache.pinnedUsageBytes();
  }

  @Override
  public long slots() {
    return cache.slots();
  }

  @Override
  public List<BenchKey> drainEvicted() {
    List<BenchKey> drained = List.copyOf(evicted);
    evicted.clear();
    return drained;
  }

  BlockCache<BenchKey> cache() {
    return cache;
  }

  @Override
  public void close() {
    cache.close();
  }

  private record HandlePin(Handle<BenchKey> handle) implements Pin {
    @Override
    public BenchKey key() {
      return handle.value();
    }

    @Override
    public boolean isStandalone() {
      return handle.isStandalone();
    }

    @Override
    public boolean release(boolean useful, boolean eraseIfLast) {
      return handle.release(useful, eraseIfLast);
    }
  }
}
