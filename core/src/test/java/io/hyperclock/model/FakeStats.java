/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.stats.CacheStat;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.RoleStats;
import io.hyperclock.stats.SlotAccess;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counters of a {@link FakeCache}. */
final class FakeStats {
  private final Map<InsertResult, Long> results = new EnumMap<>(InsertResult.class);
  private final Map<EntryRole, long[]> roles = new EnumMap<>(EntryRole.class);
  private long misses;
  private long callbackFailures;
  private long doubleCloses;

  private long[] role(FakeEntry entry) {
    return roles.computeIfAbsent(entry.type.role(), role -> new long[3]);
  }

  synchronized void read(@Nullable FakeEntry entry) {
    if (entry == null) {
      misses++;
    } else {
      entry.hit = true;
      role(entry)[0]++;
    }
  }

  synchronized void inserted(InsertResult result, FakeEntry entry) {
    results.merge(result, 1L, Long::sum);
    role(entry)[1] += result == InsertResult.INSERTED ? 1 : 0;
  }

  synchronized void evicted(FakeEntry entry) {
    role(entry)[2]++;
  }

  synchronized void doubleClosed() {
    doubleCloses++;
  }

  /** Runs foreign code and counts its failure. */
  void guard(Runnable callback) {
    try {
      callback.run();
    } catch (RuntimeException e) {
      synchronized (this) {
        callbackFailures++;
      }
    }
  }

  synchronized CacheStats snapshot(
      FakeCache cache,
      Collection<FakeEntry> visible,
      Collection<FakeEntry> hidden,
      boolean miscount) {
    Map<EntryRole, RoleStats> byRole = new EnumMap<>(EntryRole.class);
    roles.forEach((role, counts) -> byRole.put(role, of(role, counts, visible)));
    Map<CacheStat, Long> values = new EnumMap<>(CacheStat.class);
    values.put(CacheStat.CAPACITY_BYTES, cache.monitor().capacityBytes());
    values.put(CacheStat.USAGE_BYTES, cache.monitor().usageBytes());
    values.put(CacheStat.PINNED_USAGE_BYTES, pinned(visible) + pinned(hidden));
    values.put(
        CacheStat.STANDALONE_USAGE_BYTES,
        hidden.stream().filter(e -> e.standalone).mapToLong(e -> e.charge).sum());
    values.put(CacheStat.OCCUPANCY, cache.monitor().occupancy());
    values.put(CacheStat.SLOTS, cache.monitor().slots());
    values.put(CacheStat.HITS, byRole.values().stream().mapToLong(RoleStats::hits).sum());
    values.put(CacheStat.MISSES, misses);
    values.put(
        CacheStat.INSERTS,
        byRole.values().stream().mapToLong(RoleStats::inserts).sum() + (miscount ? 1 : 0));
    values.put(CacheStat.KEPT_EXISTING, results.getOrDefault(InsertResult.KEPT_EXISTING, 0L));
    values.put(CacheStat.REPLACED, results.getOrDefault(InsertResult.REPLACED, 0L));
    values.put(CacheStat.DROPPED, results.getOrDefault(InsertResult.DROPPED, 0L));
    values.put(CacheStat.REFUSED, results.getOrDefault(InsertResult.REFUSED, 0L));
    values.put(CacheStat.EVICTIONS, byRole.values().stream().mapToLong(RoleStats::evictions).sum());
    values.put(CacheStat.CALLBACK_FAILURES, callbackFailures);
    values.put(CacheStat.DOUBLE_CLOSES, doubleCloses);
    values.put(CacheStat.ERASED_ENTRIES, hidden.stream().filter(e -> !e.standalone).count());
    values.put(
        CacheStat.ERASED_BYTES,
        hidden.stream().filter(e -> !e.standalone).mapToLong(e -> e.charge).sum());
    return new CacheStats(values, SlotAccess.ARRAY, byRole);
  }

  private static RoleStats of(EntryRole role, long[] counts, Collection<FakeEntry> visible) {
    long entries = visible.stream().filter(e -> e.type.role() == role).count();
    long charges =
        visible.stream().filter(e -> e.type.role() == role).mapToLong(e -> e.charge).sum();
    return new RoleStats(entries, charges, 0, counts[0], counts[1], counts[2]);
  }

  private static long pinned(Collection<FakeEntry> entries) {
    return entries.stream().filter(e -> e.pins > 0).mapToLong(e -> e.charge).sum();
  }
}
