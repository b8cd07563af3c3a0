/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model.parity;

import io.hyperclock.InsertResult;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * RocksDB's fixed-table HyperClockCache, non-strict and fully charged, restated for one thread as
 * plainly as possible: what {@code rocksDbParity(true)} must agree with at every step. Shares no
 * code with the cache.
 */
final class ParityOracle implements ParityCache {
  private final long hashSeed;
  private final ParityShard[] shards;
  private final List<BenchKey> evicted = new ArrayList<>();

  /**
   * An oracle.
   *
   * @param shards a power of two, or 0 for the default
   */
  ParityOracle(long capacityBytes, long estimatedEntryCharge, int shards, long hashSeed) {
    this.hashSeed = hashSeed;
    int count = shards == 0 ? defaultShards(capacityBytes) : shards;
    this.shards = new ParityShard[count];
    for (int i = 0; i < count; i++) {
      this.shards[i] =
          new ParityShard(ceilDiv(capacityBytes, count), estimatedEntryCharge, evicted::add);
    }
  }

  static int defaultShards(long capacityBytes) {
    long parts = capacityBytes / (32L << 20);
    return parts < 2 ? 1 : 1 << Math.min(6, Unsigned.floorLog2(parts));
  }

  private static long ceilDiv(long a, int b) {
    return (a + b - 1) / b;
  }

  private ParityShard shard(ParityHash hash) {
    return shards[(int) ((hash.word0() >>> 32) & (shards.length - 1))];
  }

  private ParityHash hash(BenchKey key) {
    return ParityHash.of(key.hi(), key.lo(), hashSeed);
  }

  @Override
  public @Nullable Pin lookup(BenchKey key) {
    ParityHash hash = hash(key);
    return shard(hash).lookup(key, hash);
  }

  @Override
  public InsertResult insert(BenchKey key, long chargeBytes, Priority priority) {
    ParityHash hash = hash(key);
    return shard(hash).insert(key, hash, chargeBytes, countdown(priority));
  }

  @Override
  public Pin insertPinned(BenchKey key, long chargeBytes, Priority priority) {
    ParityHash hash = hash(key);
    return shard(hash).insertPinned(key, hash, chargeBytes, countdown(priority));
  }

  private static int countdown(Priority priority) {
    return switch (priority) {
      case HIGH -> 3;
      case LOW -> 2;
      case BOTTOM -> 1;
    };
  }

  @Override
  public boolean erase(BenchKey key) {
    ParityHash hash = hash(key);
    return shard(hash).erase(key, hash);
  }

  @Override
  public long occupancy() {
    return sum(ParityShard::occupancy);
  }

  @Override
  public long usageBytes() {
    return sum(ParityShard::usageBytes);
  }

  @Override
  public long pinnedUsageBytes() {
    return sum(ParityShard::pinnedUsageBytes);
  }

  @Override
  public long slots() {
    return sum(ParityShard::slots);
  }

  private long sum(java.util.function.ToLongFunction<ParityShard> of) {
    long sum = 0;
    for (ParityShard shard : shards) {
      sum += of.applyAsLong(shard);
    }
    return sum;
  }

  @Override
  public List<BenchKey> drainEvicted() {
    List<BenchKey> drained = List.copyOf(evicted);
    evicted.clear();
    return drained;
  }
}
