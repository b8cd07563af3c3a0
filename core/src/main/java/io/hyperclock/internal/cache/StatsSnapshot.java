/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.ReadScopeStats;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.observe.StatsRecorder;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.stats.CacheStat;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.LoadStats;
import io.hyperclock.stats.RoleStats;
import io.hyperclock.stats.SlotAccess;
import java.util.EnumMap;
import java.util.Map;

/** Gathers one {@link CacheStats} by a scan of all shards. Totals are sums over the roles. */
final class StatsSnapshot {
  private static final EntryRole[] ROLES = EntryRole.values();

  private final Map<CacheStat, Long> values = new EnumMap<>(CacheStat.class);
  private final Map<EntryRole, RoleStats> roles = new EnumMap<>(EntryRole.class);
  private final long[] entries = new long[ROLES.length];
  private final long[] charges = new long[ROLES.length];
  private final long[] pinned = new long[ROLES.length];
  private long erasedEntries;
  private long erasedBytes;
  private long deadBytes;

  StatsSnapshot(Shards shards, StatsRecorder recorder) {
    for (int i = 0; i < shards.count(); i++) {
      Shard shard = shards.at(i);
      CapacityLedger ledger = shard.ledger;
      add(CacheStat.USAGE_BYTES, ledger.usage());
      add(CacheStat.PINNED_USAGE_BYTES, ledger.standaloneUsage());
      add(CacheStat.STANDALONE_USAGE_BYTES, ledger.standaloneUsage());
      add(CacheStat.METADATA_BYTES, ledger.metadataBytes());
      add(CacheStat.OCCUPANCY, ledger.occupancy());
      Resizing resizing = shards.resizing(i);
      add(CacheStat.HELD_TABLE_BYTES, resizing == null ? 0 : resizing.held.bytes());
      shards.scan(i).forEachWord((meta, cold, dead) -> scanned(shard, meta, cold, dead));
    }
    for (EntryRole role : ROLES) {
      add(role, recorder);
    }
    add(CacheStat.MISSES, recorder.misses.sum());
    add(CacheStat.KEPT_EXISTING, recorder.keptExisting.sum());
    add(CacheStat.REPLACED, recorder.replaced.sum());
    add(CacheStat.DROPPED, recorder.dropped.sum());
    add(CacheStat.REFUSED, recorder.refused.sum());
    add(CacheStat.LOCAL_EVICTIONS, recorder.localEvictions.sum());
    add(CacheStat.WITHOUT_SLOT, recorder.withoutSlot.sum());
    add(CacheStat.EVICTION_EFFORT_EXCEEDED, recorder.effortExceeded.sum());
    add(CacheStat.RESIZES, recorder.resizes.sum());
    add(CacheStat.MOVED_ENTRIES, recorder.movedEntries.sum());
    add(CacheStat.ERASED_ENTRIES, erasedEntries);
    add(CacheStat.ERASED_BYTES, erasedBytes);
    add(CacheStat.DROPPED_FILE_BYTES, deadBytes);
  }

  private void scanned(Shard shard, long meta, long cold, boolean dead) {
    int role = shard.types.of(cold).role().ordinal();
    long charge = ChargeWord.chargeBytes(cold);
    if (MetaWord.isVisible(meta)) {
      entries[role]++;
      charges[role] += charge;
    } else {
      erasedEntries++;
      erasedBytes += charge;
    }
    if (MetaWord.refcount(meta) != 0) {
      pinned[role] += charge;
    }
    deadBytes += dead ? charge : 0;
  }

  private void add(EntryRole role, StatsRecorder recorder) {
    int i = role.ordinal();
    RoleStats stats =
        new RoleStats(
            entries[i],
            charges[i],
            pinned[i],
            recorder.hits(role),
            recorder.inserts(role),
            recorder.evictions(role));
    // Not by equals: what the JDK makes of a record may keep its class and loader for ever.
    long any = entries[i] | charges[i] | pinned[i];
    if ((any | stats.hits() | stats.inserts() | stats.evictions()) != 0) {
      roles.put(role, stats);
    }
    add(CacheStat.PINNED_USAGE_BYTES, pinned[i]);
    add(CacheStat.HITS, stats.hits());
    add(CacheStat.INSERTS, stats.inserts());
    add(CacheStat.EVICTIONS, stats.evictions());
  }

  StatsSnapshot add(CacheStat stat, long value) {
    values.merge(stat, value, Long::sum);
    return this;
  }

  StatsSnapshot add(LoadStats loads) {
    return add(CacheStat.LOADS, loads.loads())
        .add(CacheStat.LOAD_FAILURES, loads.loadFailures())
        .add(CacheStat.LOAD_WAITERS, loads.waiters())
        .add(CacheStat.LOAD_NANOS, loads.totalLoadNanos())
        .add(CacheStat.LOADS_UNDER_WAY, loads.underWay());
  }

  StatsSnapshot add(ReadScopeStats scopes) {
    return add(CacheStat.OPEN_SCOPES, scopes.openScopes())
        .add(CacheStat.RETIRED_VALUES, scopes.retiredValues())
        .add(CacheStat.RETIRED_BYTES, scopes.retiredBytes())
        .add(CacheStat.SCOPES_STUCK_NANOS, scopes.stuckFor().toNanos());
  }

  CacheStats toStats(SlotAccess slotAccess) {
    return new CacheStats(values, slotAccess, roles);
  }
}
