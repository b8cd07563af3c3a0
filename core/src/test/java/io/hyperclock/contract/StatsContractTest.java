/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReadScope;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import io.hyperclock.entry.Priority;
import io.hyperclock.stats.CacheStat;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.LoadStats;
import io.hyperclock.stats.RoleStats;
import io.hyperclock.stats.SlotAccess;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** Counters and snapshots. */
abstract class StatsContractTest extends CacheContract {
  private static final EntryType<String> FILTER =
      EntryType.<String>named("filter").role(EntryRole.FILTER_BLOCK).build();
  private static final EntryType<String> OTHER_FILTER =
      EntryType.<String>named("other filter").role(EntryRole.FILTER_BLOCK).build();

  StatsContractTest(Variant variant) {
    super(variant);
  }

  private static long sum(CacheStats stats, ToLongFunction<RoleStats> part) {
    return stats.roles().values().stream().mapToLong(part).sum();
  }

  @Test
  void newCacheHasDoneNothing() {
    BlockCache<Object> cache = roomy(10);
    CacheStats stats = cache.monitor().stats();
    assertThat(stats.roles()).isEmpty();
    assertThat(stats.slotAccess() == SlotAccess.ARRAY)
        .isEqualTo(variant.storage() == SlotStorage.HEAP);
    assertThat(stats)
        .isEqualTo(
            new CacheStats(
                Map.of(
                    CacheStat.CAPACITY_BYTES,
                    cache.monitor().capacityBytes(),
                    CacheStat.SLOTS,
                    cache.monitor().slots()),
                stats.slotAccess(),
                Map.of()));
  }

  @Test
  void snapshotAgreesWithTheCacheAndWithItself() {
    BlockCache<Object> cache = track(builder(100L * variant.shards(), 1).recordHits(true).build());
    for (long lo = 0; lo < 1000; lo++) {
      switch ((int) lo % 3) {
        case 0 -> insert(cache, lo, 2);
        case 1 -> cache.insert(HI, lo, text(lo), FILTER, 1, Priority.LOW);
        default -> insertBlock(cache, lo, 3, Priority.LOW);
      }
    }
    List<Handle<Object>> pins = new ArrayList<>();
    cache
        .monitor()
        .forEachEntry(
            (hi, lo, value, type, charge) -> {
              if (lo % 5 == 0) {
                pins.add(pin(cache, lo));
              }
            });
    assertThat(pins).isNotEmpty();
    CacheStats stats = cache.monitor().stats();
    assertThat(stats.capacityBytes()).isEqualTo(cache.monitor().capacityBytes());
    assertThat(stats.usageBytes()).isEqualTo(cache.monitor().usageBytes());
    assertThat(stats.pinnedUsageBytes())
        .isEqualTo(cache.monitor().pinnedUsageBytes())
        .isEqualTo(pins.stream().mapToLong(Handle::chargeBytes).sum());
    assertThat(stats.occupancy()).isEqualTo(cache.monitor().occupancy());
    assertThat(stats.slots()).isEqualTo(cache.monitor().slots());
    assertThat(stats.inserts()).isEqualTo(1000);
    assertThat(stats.evictions()).isEqualTo(1000 - cache.monitor().occupancy());
    assertThat(stats.hits()).isEqualTo(pins.size());

    assertThat(stats.roles())
        .containsOnlyKeys(EntryRole.DATA_BLOCK, EntryRole.FILTER_BLOCK, EntryRole.INDEX_BLOCK);
    assertThat(sum(stats, RoleStats::entries)).isEqualTo(stats.occupancy());
    assertThat(sum(stats, RoleStats::chargeBytes)).isEqualTo(stats.usageBytes());
    assertThat(sum(stats, RoleStats::pinnedBytes)).isEqualTo(stats.pinnedUsageBytes());
    assertThat(sum(stats, RoleStats::hits)).isEqualTo(stats.hits());
    assertThat(sum(stats, RoleStats::inserts)).isEqualTo(stats.inserts());
    assertThat(sum(stats, RoleStats::evictions)).isEqualTo(stats.evictions());
    release(pins);
  }

  /** One snapshot has what loads, read scopes and dropped files have figures of their own for. */
  @Test
  void snapshotHasLoadsScopesAndDroppedFiles() {
    BlockCache<Object> cache = roomy(10);
    assertThat(cache.get(HI, 1, (hi, lo) -> text(lo))).isEqualTo(text(1));
    assertThatThrownBy(
            () ->
                cache.get(
                    HI,
                    2,
                    (hi, lo) -> {
                      throw new IllegalArgumentException("planned");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    FileKey file = cache.fileKeys().open("dropped", 1);
    cache.insert(file.hi(), file.lo(0), text(0), 3);
    cache.fileKeys().drop(file);
    Block block = inserted(cache, 3, 2);
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, 3)).isSameAs(block);
      cache.erase(HI, 3);
      CacheStats stats = cache.monitor().stats();
      LoadStats loads = cache.monitor().loadStats();
      assertThat(loads.totalLoadNanos()).isPositive();
      assertThat(stats.values())
          .containsEntry(CacheStat.LOADS, 1L)
          .containsEntry(CacheStat.LOAD_FAILURES, 1L)
          .containsEntry(CacheStat.LOAD_WAITERS, loads.waiters())
          .containsEntry(CacheStat.LOAD_NANOS, loads.totalLoadNanos())
          .containsEntry(CacheStat.LOADS_UNDER_WAY, 0L)
          .containsEntry(CacheStat.OPEN_SCOPES, 1L)
          .containsEntry(CacheStat.RETIRED_VALUES, 1L)
          .containsEntry(CacheStat.RETIRED_BYTES, 2L)
          .containsEntry(CacheStat.DROPPED_FILE_BYTES, cache.monitor().droppedFileBytes());
      assertThat(cache.monitor().droppedFileBytes()).isEqualTo(3);
      assertThat(stats.get(CacheStat.SCOPES_STUCK_NANOS)).isNotNegative();
      assertAddsUp(cache);
    }
    CacheStats after = cache.monitor().stats();
    assertThat(after.get(CacheStat.OPEN_SCOPES)).isZero();
    assertThat(after.get(CacheStat.RETIRED_BYTES)).isZero();
  }

  /** Everything that is in use is accounted for. */
  private static void assertAddsUp(BlockCache<Object> cache) {
    CacheStats stats = cache.monitor().stats();
    assertThat(
            stats.metadataBytes()
                + stats.standaloneUsageBytes()
                + sum(stats, RoleStats::chargeBytes)
                + stats.erasedBytes())
        .as("%s", stats)
        .isEqualTo(stats.usageBytes())
        .isEqualTo(cache.monitor().usageBytes());
    assertThat(stats.standaloneUsageBytes() + sum(stats, RoleStats::pinnedBytes))
        .as("%s", stats)
        .isEqualTo(stats.pinnedUsageBytes())
        .isEqualTo(cache.monitor().pinnedUsageBytes());
    assertThat(sum(stats, RoleStats::entries) + stats.erasedEntries())
        .as("%s", stats)
        .isEqualTo(stats.occupancy())
        .isEqualTo(cache.monitor().occupancy());
    assertThat(sum(stats, RoleStats::hits)).isEqualTo(stats.hits());
    assertThat(sum(stats, RoleStats::inserts)).isEqualTo(stats.inserts());
    assertThat(sum(stats, RoleStats::evictions)).isEqualTo(stats.evictions());
  }

  @Test
  void figuresAddUpWithErasedAndStandaloneEntries() {
    BlockCache<Object> cache =
        track(
            builder(100_000L * variant.shards(), 100)
                .metadataCharge(MetadataCharge.FULL)
                .recordHits(true)
                .build());
    insert(cache, 1, 3);
    cache.insert(HI, 2, text(2), FILTER, 5, Priority.LOW);
    Handle<Object> erased = pin(cache, 2);
    cache.erase(HI, 2);
    Handle<Object> twin = insertPinned(cache, 1, 7);
    Handle<Object> alone = cache.createStandalone(HI, 4, text(4), OTHER_FILTER, 11, false);
    assertThat(twin.isStandalone()).isTrue();
    assertAddsUp(cache);
    assertThat(cache.monitor().stats().erasedEntries()).isEqualTo(1);
    assertThat(cache.monitor().stats().erasedBytes()).isEqualTo(5);
    assertThat(cache.monitor().stats().standaloneUsageBytes()).isEqualTo(18);
    erased.close();
    twin.close();
    alone.close();
    assertThat(cache.monitor().stats().erasedEntries()).isZero();
    assertAddsUp(cache);
  }

  @Test
  void figuresAddUpAfterConcurrentWork() throws Exception {
    BlockCache<Object> cache = track(builder(300L * variant.shards(), 1).recordHits(true).build());
    int threads = 3;
    List<Queue<Handle<Object>>> kept = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      kept.add(new ArrayDeque<>());
    }
    Crew.run(
        threads,
        thread -> {
          SplittableRandom mine = new SplittableRandom(seed + thread);
          Queue<Handle<Object>> pins = kept.get(thread);
          for (int i = 0; i < 20_000; i++) {
            long lo = mine.nextLong(700);
            switch (mine.nextInt(6)) {
              case 0 -> insert(cache, lo, 1 + lo % 3);
              case 1 -> cache.insert(HI, lo, text(lo), FILTER, 1 + lo % 2, Priority.LOW);
              case 2 -> cache.erase(HI, lo);
              case 3 -> cache.get(HI, lo);
              default -> {
                Handle<Object> handle = cache.lookup(HI, lo);
                if (handle != null) {
                  pins.add(handle);
                }
                if (pins.size() > 20) {
                  pins.remove().close();
                }
              }
            }
            if (i % 1000 == 0) {
              long most = variant.isAutomatic() ? Long.MAX_VALUE : cache.monitor().slots();
              assertThat(cache.monitor().stats().occupancy()).isBetween(0L, most);
            }
          }
        });
    assertAddsUp(cache);
    assertThat(cache.monitor().stats().hits()).isPositive();
    kept.forEach(pins -> pins.forEach(Handle::close));
    assertAddsUp(cache);
    assertThat(cache.monitor().stats().pinnedUsageBytes()).isZero();
    assertThat(cache.monitor().stats().erasedEntries()).isZero();
  }

  @Test
  void rolesAreKeptApart() {
    BlockCache<Object> cache = track(roomyBuilder(20).recordHits(true).build());
    insert(cache, 1, 2);
    insert(cache, 2, 3);
    cache.insert(HI, 3, text(3), FILTER, 5, Priority.LOW);
    cache.insert(HI, 4, text(4), OTHER_FILTER, 7, Priority.LOW);
    inserted(cache, 5, 4);
    cache.get(HI, 3);
    cache.get(HI, 4);
    cache.get(HI, 4);
    cache.erase(HI, 2);
    Handle<Object> pinned = pin(cache, 4);
    Handle<Object> erased = pin(cache, 5);
    cache.erase(HI, 5);

    CacheStats stats = cache.monitor().stats();
    assertThat(stats.role(EntryRole.DATA_BLOCK)).isEqualTo(new RoleStats(1, 2, 0, 0, 2, 0));
    assertThat(stats.role(EntryRole.FILTER_BLOCK)).isEqualTo(new RoleStats(2, 12, 7, 4, 2, 0));
    RoleStats index = stats.role(EntryRole.INDEX_BLOCK);
    assertThat(index.entries()).as("visible entries").isZero();
    assertThat(index.pinnedBytes()).as("erased ones included").isEqualTo(4);
    assertThat(index.hits()).isEqualTo(1);
    assertThat(stats.role(EntryRole.BLOB_VALUE)).isEqualTo(RoleStats.NONE);
    assertThat(stats.roles()).doesNotContainKey(EntryRole.BLOB_VALUE);
    assertThat(stats.pinnedUsageBytes()).isEqualTo(11);
    pinned.close();
    erased.close();
  }

  @Test
  void hitsAndMissesAreCountedForEveryRead() {
    BlockCache<Object> cache = track(roomyBuilder(20).recordHits(true).build());
    insert(cache, 1, 1);
    insert(cache, 2, 1);
    cache.get(HI, 1);
    cache.get(HI, 9);
    assertHits(cache, 1, 1);
    cache.lookup(HI, 2).close();
    cache.lookup(HI, 9);
    assertHits(cache, 2, 2);
    cache.peek(HI, 1);
    cache.peek(HI, 9);
    assertHits(cache, 2, 2);
    long[] keys = {HI, 1, HI, 9, HI, 2, HI, 2, HI, 8};
    cache.getAll(keys, new Object[5]);
    assertHits(cache, 5, 4);
    @SuppressWarnings("unchecked")
    Handle<Object>[] handles = new Handle[5];
    assertThat(cache.lookupAll(keys, handles)).isEqualTo(3);
    assertHits(cache, 8, 6);
    handles[0].ref().close();
    handles[0].close();
    handles[2].close();
    handles[3].close();
    cache.monitor().forEachEntry((hi, lo, value, type, charge) -> {});
    cache.erase(HI, 1);
    cache.erase(HI, 9);
    insert(cache, 2, 1);
    assertHits(cache, 8, 6);
    assertThat(cache.monitor().stats().hitRatio()).isEqualTo(8.0 / 14);
  }

  private static void assertHits(BlockCache<Object> cache, long hits, long misses) {
    CacheStats stats = cache.monitor().stats();
    assertThat(stats.hits()).isEqualTo(hits);
    assertThat(stats.misses()).isEqualTo(misses);
    assertThat(sum(stats, RoleStats::hits)).isEqualTo(hits);
  }

  @Test
  void hitsAreNotCountedUnlessAskedFor() {
    BlockCache<Object> cache = roomy(10);
    insert(cache, 1, 1);
    cache.get(HI, 1);
    cache.get(HI, 2);
    cache.lookup(HI, 1).close();
    assertHits(cache, 0, 0);
    assertThat(cache.monitor().stats().hitRatio()).isZero();
    assertThat(cache.monitor().stats().inserts()).isEqualTo(1);
  }

  @Test
  void outcomesOfInsertsAreCounted() {
    BlockCache<Object> cache = track(builder(10, 1).shards(1).build());
    Handle<Object> all = insertPinned(cache, 1, 10);
    insertBlock(cache, 1, 0, Priority.LOW);
    assertThat(cache.monitor().stats().keptExisting()).isEqualTo(1);
    insertPinned(cache, 1, 0).close();
    assertThat(cache.monitor().stats().keptExisting()).isEqualTo(2);
    assertThat(cache.monitor().stats().inserts()).isEqualTo(1);
    insertBlock(cache, 2, 1, Priority.LOW);
    assertThat(cache.monitor().stats().refused()).isEqualTo(variant.strict() ? 1 : 0);
    assertThat(cache.monitor().stats().inserts()).isEqualTo(variant.strict() ? 1 : 2);
    all.close();
    insertBlock(cache, 3, 11, Priority.LOW);
    assertThat(cache.monitor().stats().dropped()).isEqualTo(variant.strict() ? 0 : 1);
    assertThat(cache.monitor().stats().refused()).isEqualTo(variant.strict() ? 2 : 0);
  }

  @Test
  void overwritesAreCountedApart() {
    BlockCache<Object> cache = roomy(10);
    cache.put(HI, 1, text(1), 3);
    cache.put(HI, 1, text(2), 4);
    cache.put(HI, 1, text(3), 5);
    assertThat(cache.monitor().stats().inserts()).isEqualTo(1);
    assertThat(cache.monitor().stats().replaced()).isEqualTo(2);
    assertThat(cache.monitor().stats().keptExisting()).isZero();
    assertAddsUp(cache);
    assertThat(cache.monitor().usageBytes()).isEqualTo(5);
  }

  @Test
  void metadataIsChargedWhereAsked() {
    assumeThat(variant.isAutomatic()).isFalse();
    long capacityBytes = variant.shards() * 100_000L;
    BlockCache<Object> free = cache(capacityBytes, 1000);
    assertThat(free.monitor().usageBytes()).isZero();
    assertThat(free.monitor().stats().metadataBytes()).isZero();

    BlockCache<Object> charged =
        track(builder(capacityBytes, 1000).metadataCharge(MetadataCharge.FULL).build());
    long metadata = charged.monitor().stats().metadataBytes();
    assertThat(metadata).isBetween(32 * charged.monitor().slots(), 100 * charged.monitor().slots());
    assertThat(charged.monitor().usageBytes()).isEqualTo(metadata);
    insert(charged, 1, 500);
    assertThat(charged.monitor().usageBytes()).isEqualTo(metadata + 500);
    try (Handle<Object> handle = pin(charged, 1)) {
      assertThat(handle.chargeBytes()).isEqualTo(500);
      assertThat(charged.monitor().stats().role(EntryRole.DATA_BLOCK).chargeBytes()).isEqualTo(500);
    }
    for (long lo = 2; lo < 3000; lo++) {
      insert(charged, lo, 500);
      assertThat(charged.monitor().usageBytes()).isLessThanOrEqualTo(capacityBytes);
    }
    charged.eraseUnreferenced();
    assertThat(charged.monitor().usageBytes()).isEqualTo(metadata);
  }
}
