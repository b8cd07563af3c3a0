/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.CacheMonitor;
import io.hyperclock.CapacityMode;
import io.hyperclock.EntryVisitor;
import io.hyperclock.OpenHandle;
import io.hyperclock.OpenScope;
import io.hyperclock.ReadScopeStats;
import io.hyperclock.internal.handle.HandleTracker;
import io.hyperclock.internal.policy.Replacement;
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

/**
 * What can be seen of a cache; sums over its shards allocate nothing.
 *
 * @param requireOpen throws if the cache is closed
 */
record CacheMonitorImpl<V>(
    CacheParts parts, Shards shards, Supplier<LoadStats> loads, Runnable requireOpen)
    implements CacheMonitor<V> {
  @Override
  public long capacityBytes() {
    requireOpen.run();
    return shards.capacityBytes();
  }

  @Override
  public CapacityMode capacityMode() {
    requireOpen.run();
    return shards.mode();
  }

  @Override
  public long usageBytes() {
    requireOpen.run();
    return shards.total(shard -> shard.ledger.usage());
  }

  @Override
  public long pinnedUsageBytes() {
    requireOpen.run();
    return shards.total(shard -> shard.ledger.standaloneUsage())
        + shards.sum(TableScan::pinnedBytes);
  }

  @Override
  public long droppedFileBytes() {
    requireOpen.run();
    return shards.sum(TableScan::deadBytes);
  }

  @Override
  public long occupancy() {
    requireOpen.run();
    return shards.total(shard -> shard.ledger.occupancy());
  }

  @Override
  public long slots() {
    requireOpen.run();
    return shards.total(shard -> shard.newest().store.slots());
  }

  @Override
  public CacheStats stats() {
    requireOpen.run();
    parts.lookForLeaks();
    HandleTracker tracker = parts.tracker;
    CacheStats stats =
        new StatsSnapshot(shards, parts.stats)
            .add(CacheStat.CAPACITY_BYTES, shards.capacityBytes())
            .add(CacheStat.SLOTS, slots())
            .add(CacheStat.CALLBACK_FAILURES, parts.callbacks.failures.count())
            .add(CacheStat.DOUBLE_CLOSES, parts.doubleCloses.count())
            .add(CacheStat.LEAKED_HANDLES, tracker == null ? 0 : tracker.leaked())
            .add(CacheStat.LONG_PINS, tracker == null ? 0 : tracker.openForLong())
            .add(loadStats())
            .add(scopeStats())
            .toStats(SlotStores.access(parts.config.storage()));
    // Behind the figures, which tell what was there. Else a move waits for the next write.
    shards.moveMore();
    return stats;
  }

  @Override
  public LoadStats loadStats() {
    return loads.get();
  }

  @Override
  public List<Problem> problems() {
    requireOpen.run();
    parts.lookForLeaks();
    return parts.observation.problems(ProblemReport.of(shards, parts));
  }

  @Override
  public List<OpenHandle> longestHeld(int max) {
    requireOpen.run();
    if (max < 0) {
      throw new IllegalArgumentException("max must be >= 0: max=" + max);
    }
    HandleTracker tracker = parts.tracker;
    return tracker == null ? List.of() : tracker.longestHeld(max);
  }

  @Override
  public ReadScopeStats scopeStats() {
    return parts.scopes.stats();
  }

  @Override
  public List<OpenScope> openScopes() {
    return parts.scopes.list();
  }

  @Override
  public void forEachEntry(EntryVisitor<? super V> visitor) {
    TableScan.PinnedVisitor each = pinned(visitor);
    shards.forEachScan(scan -> scan.forEachPinned((meta, cold) -> true, each));
  }

  /**
   * Visits entries in the order of what they are worth to the replacement. Counts how many there
   * are of each worth, then walks over the tables once for each worth, from the highest on, until
   * it has visited enough: no memory for a list is needed, and no entry is looked up. An entry
   * whose worth changes meanwhile may be met twice or not at all.
   */
  @Override
  public void forEachHottest(int most, EntryVisitor<? super V> visitor) {
    TableScan.PinnedVisitor each = pinned(visitor);
    if (most < 0) {
      throw new IllegalArgumentException("most must be >= 0: most=" + most);
    }
    long[] counts = new long[Replacement.MAX_WORTH + 1];
    for (int i = 0; i < shards.count(); i++) {
      Replacement judge = shards.at(i).replacement;
      shards.scan(i).forEachWord((meta, cold, dead) -> counts[judge.worth(meta, cold)]++);
    }
    long[] left = {most};
    for (int worth = counts.length - 1; worth >= 0 && left[0] > 0; worth--) {
      if (counts[worth] > 0) {
        visitWorth(worth, left, each);
      }
    }
  }

  private void visitWorth(int worth, long[] left, TableScan.PinnedVisitor visitor) {
    TableScan.PinnedVisitor each =
        (hi, lo, value, cold) -> {
          left[0]--;
          visitor.visit(hi, lo, value, cold);
        };
    for (int i = 0; i < shards.count(); i++) {
      Replacement judge = shards.at(i).replacement;
      shards
          .scan(i)
          .forEachPinned((meta, cold) -> left[0] > 0 && judge.worth(meta, cold) == worth, each);
    }
  }

  @SuppressWarnings("unchecked")
  private TableScan.PinnedVisitor pinned(EntryVisitor<? super V> visitor) {
    requireOpen.run();
    Objects.requireNonNull(visitor, "visitor must not be null");
    return (hi, lo, value, cold) ->
        visitor.visit(hi, lo, (V) value, parts.types.of(cold), ChargeWord.chargeBytes(cold));
  }
}
