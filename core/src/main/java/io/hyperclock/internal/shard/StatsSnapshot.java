/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.internal.slot.Cold;
import io.hyperclock.internal.slot.Meta;
import io.hyperclock.internal.table.CapacityLedger;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.RoleStats;
import io.hyperclock.stats.SlotAccess;
import java.util.EnumMap;
import java.util.Map;

/** Gathers one {@link CacheStats} by a scan of all shards. Totals are sums over the roles. */
final class StatsSnapshot {
  private static final EntryRole[] ROLES = EntryRole.values();

  private final long[] entries = new long[ROLES.length];
  private final long[] charges = new long[ROLES.length];
  private final long[] pinned = new long[ROLES.length];
  private final StatsRecorder recorder;
  private long usage;
  private long standalone;
  private long metadata;
  private long occupancy;
  private long erasedEntries;
  private long erasedBytes;

  StatsSnapshot(Shard[] shards, StatsRecorder recorder) {
    this.recorder = recorder;
    for (Shard shard : shards) {
      CapacityLedger ledger = shard.ledger();
      usage += ledger.usage();
      standalone += ledger.standaloneUsage();
      metadata += ledger.metadataBytes();
      occupancy += ledger.occupancy();
      shard.scan().forEachWord((meta, cold) -> add(shard, meta, cold));
    }
  }

  private void add(Shard shard, long meta, long cold) {
    int role = shard.type(cold).role().ordinal();
    long charge = Cold.chargeBytes(cold);
    if (Meta.isVisible(meta)) {
      entries[role]++;
      charges[role] += charge;
    } else {
      erasedEntries++;
      erasedBytes += charge;
    }
    if (Meta.refcount(meta) != 0) {
      pinned[role] += charge;
    }
  }

  CacheStats toStats(
      long capacity,
      long slots,
      SlotAccess slotAccess,
      long callbackFailures,
      long doubleCloses,
      Observation observation) {
    Map<EntryRole, RoleStats> roles = new EnumMap<>(EntryRole.class);
    long pinnedBytes = standalone;
    long hits = 0;
    long inserts = 0;
    long evictions = 0;
    for (EntryRole role : ROLES) {
      int i = role.ordinal();
      RoleStats stats =
          new RoleStats(
              entries[i],
              charges[i],
              pinned[i],
              recorder.hits(role),
              recorder.inserts(role),
              recorder.evictions(role));
      if (!stats.equals(RoleStats.NONE)) {
        roles.put(role, stats);
      }
      pinnedBytes += pinned[i];
      hits += stats.hits();
      inserts += stats.inserts();
      evictions += stats.evictions();
    }
    return new CacheStats(
        capacity,
        usage,
        pinnedBytes,
        standalone,
        metadata,
        occupancy,
        slots,
        hits,
        recorder.misses(),
        inserts,
        recorder.keptExisting.sum(),
        recorder.replaced.sum(),
        recorder.dropped.sum(),
        recorder.refused.sum(),
        evictions,
        recorder.localEvictions.sum(),
        recorder.withoutSlot.sum(),
        recorder.effortExceeded.sum(),
        callbackFailures,
        doubleCloses,
        observation.leakedHandles(),
        observation.longPins(),
        erasedEntries,
        erasedBytes,
        slotAccess,
        roles);
  }
}
