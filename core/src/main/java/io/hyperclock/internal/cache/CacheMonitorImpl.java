/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.CacheMonitor;
import io.hyperclock.CapacityMode;
import io.hyperclock.EntryVisitor;
import io.hyperclock.OpenHandle;
import io.hyperclock.OpenScopeInfo;
import io.hyperclock.ReadScopeStats;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.handle.HandleTracker;
import io.hyperclock.internal.sizing.SlotStores;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.table.TableScan;
import io.hyperclock.stats.CacheStat;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.LoadStats;
import io.hyperclock.stats.Problem;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** What can be seen of a cache; sums over its shards allocate nothing. */
final class CacheMonitorImpl<V> implements CacheMonitor<V> {
  private final ManagedCache<V> cache;
  private final Shard[] shards;
  private final CapacitySettings limits;
  private final Supplier<LoadStats> loads;

  CacheMonitorImpl(ManagedCache<V> cache, CapacitySettings limits, Supplier<LoadStats> loads) {
    this.cache = cache;
    this.shards = cache.shards;
    this.limits = limits;
    this.loads = loads;
  }

  @Override
  public long capacityBytes() {
    cache.requireOpen();
    return limits.capacityBytes();
  }

  @Override
  public CapacityMode capacityMode() {
    cache.requireOpen();
    return limits.mode();
  }

  private long sum(ToLongFunction<CapacityLedger> figure) {
    long sum = 0;
    for (Shard shard : shards) {
      sum += figure.applyAsLong(shard.ledger());
    }
    return sum;
  }

  @Override
  public long usageBytes() {
    cache.requireOpen();
    return sum(CapacityLedger::usage);
  }

  @Override
  public long pinnedUsageBytes() {
    cache.requireOpen();
    long pinned = sum(CapacityLedger::standaloneUsage);
    for (Shard shard : shards) {
      pinned += ShardScan.sum(shard, TableScan::pinnedBytes);
    }
    return pinned;
  }

  @Override
  public long droppedFileBytes() {
    cache.requireOpen();
    long dead = 0;
    for (Shard shard : shards) {
      dead += ShardScan.sum(shard, TableScan::deadBytes);
    }
    return dead;
  }

  @Override
  public long occupancy() {
    cache.requireOpen();
    return sum(CapacityLedger::occupancy);
  }

  @Override
  public long slots() {
    cache.requireOpen();
    long slots = 0;
    for (Shard shard : shards) {
      slots += shard.newest().store().slots();
    }
    return slots;
  }

  @Override
  public CacheStats stats() {
    cache.requireOpen();
    cache.lookForLeaks();
    HandleTracker tracker = cache.tracker;
    return new StatsSnapshot(shards, cache.stats)
        .add(CacheStat.CAPACITY_BYTES, limits.capacityBytes())
        .add(CacheStat.SLOTS, slots())
        .add(CacheStat.CALLBACK_FAILURES, cache.callbacks.failures().count())
        .add(CacheStat.DOUBLE_CLOSES, cache.doubleCloses.count())
        .add(CacheStat.LEAKED_HANDLES, tracker == null ? 0 : tracker.leaked())
        .add(CacheStat.LONG_PINS, tracker == null ? 0 : tracker.openForLong())
        .toStats(SlotStores.access(cache.config.storage()));
  }

  @Override
  public LoadStats loadStats() {
    return loads.get();
  }

  @Override
  public List<Problem> problems() {
    cache.requireOpen();
    cache.lookForLeaks();
    return cache.observation.problems(
        cache.config.isAutomatic()
            ? ProblemReport.ofAutomatic(shards, cache.stats)
            : ProblemReport.of(shards, cache.stats, cache.config.estimatedEntryCharge()));
  }

  @Override
  public List<OpenHandle> longestHeld(int max) {
    cache.requireOpen();
    if (max < 0) {
      throw new IllegalArgumentException("max must be >= 0: max=" + max);
    }
    HandleTracker tracker = cache.tracker;
    return tracker == null ? List.of() : tracker.longestHeld(max);
  }

  @Override
  public ReadScopeStats scopeStats() {
    return cache.scopes.stats();
  }

  @Override
  public List<OpenScopeInfo> openScopes() {
    return cache.scopes.list();
  }

  @Override
  @SuppressWarnings("unchecked")
  public void forEachEntry(EntryVisitor<? super V> visitor) {
    cache.requireOpen();
    Objects.requireNonNull(visitor, "visitor must not be null");
    for (Shard shard : shards) {
      new ShardScan(shard)
          .forEachPinned(
              (hi, lo, value, cold) ->
                  visitor.visit(hi, lo, (V) value, shard.type(cold), ChargeWord.chargeBytes(cold)));
    }
  }

  @Override
  public void forEachHottest(int most, EntryVisitor<? super V> visitor) {
    cache.requireOpen();
    Objects.requireNonNull(visitor, "visitor must not be null");
    if (most < 0) {
      throw new IllegalArgumentException("most must be >= 0: most=" + most);
    }
    new HottestEntries<V>(shards, most, visitor).visit();
  }
}
