/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.EvictionListener;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the eviction listener sees, and what its answer does. */
abstract class ListenerContractTest extends CacheContract {
  /** One call of the listener. */
  private record Eviction(
      long hi, long lo, Object value, EntryType<?> type, long charge, boolean wasHit) {}

  private final List<Eviction> seen = new ArrayList<>();
  private long churned = 100_000;
  private final EvictionListener<Object> recorder =
      (hi, lo, value, type, charge, wasHit) -> {
        seen.add(new Eviction(hi, lo, value, type, charge, wasHit));
        return false;
      };

  ListenerContractTest(Variant variant) {
    super(variant);
  }

  private BlockCache<Object> small(EvictionListener<Object> listener) {
    return track(builder(40L * variant.shards(), 1).evictionListener(listener).build());
  }

  private void churn(BlockCache<Object> cache) {
    long end = churned + 600L * variant.shards();
    for (; churned < end; churned++) {
      insertBlock(cache, churned, 1, Priority.HIGH);
    }
  }

  @Test
  void everyEvictionIsSeenOnceWithItsEntry() {
    BlockCache<Object> cache = small(recorder);
    Map<Long, Block> all = new HashMap<>();
    for (long lo = 0; lo < 3000; lo++) {
      all.put(lo, inserted(cache, lo, lo % 3));
    }
    assertThat(seen).hasSize((int) (3000 - cache.monitor().occupancy()));
    assertThat(cache.monitor().stats().evictions()).isEqualTo(seen.size());
    assertThat(seen.stream().map(Eviction::lo)).doesNotHaveDuplicates();
    for (Eviction eviction : seen) {
      assertThat(eviction.hi()).isEqualTo(HI);
      assertThat(eviction.value()).isSameAs(all.get(eviction.lo()));
      assertThat(eviction.type()).isSameAs(Block.TYPE);
      assertThat(eviction.charge()).isEqualTo(eviction.lo() % 3);
      assertThat(eviction.wasHit()).isFalse();
      assertThat(has(cache, eviction.lo())).isFalse();
    }
  }

  @Test
  void edgeKeysAreReportedInFull() {
    BlockCache<Object> cache = small(recorder);
    cache.insert(-1, -1, "ones", 1);
    cache.insert(0, 0, "zeros", 1);
    cache.insert(Long.MIN_VALUE, Long.MAX_VALUE, "ends", 1);
    do {
      churn(cache);
      // Moves of entries put off when they leave.
    } while (variant.isAutomatic()
        && (cache.contains(-1, -1)
            || cache.contains(0, 0)
            || cache.contains(Long.MIN_VALUE, Long.MAX_VALUE)));
    assertThat(seen.stream().filter(e -> e.value() instanceof String))
        .extracting(Eviction::hi, Eviction::lo, Eviction::value)
        .containsExactlyInAnyOrder(
            org.assertj.core.api.Assertions.tuple(-1L, -1L, "ones"),
            org.assertj.core.api.Assertions.tuple(0L, 0L, "zeros"),
            org.assertj.core.api.Assertions.tuple(Long.MIN_VALUE, Long.MAX_VALUE, "ends"));
  }

  @Test
  void hitFlagTellsWhetherAnyReadFoundTheEntry() {
    BlockCache<Object> cache = small(recorder);
    EntryType<Object> type = EntryType.of("left to the collector");
    Map<Long, Boolean> expected = new HashMap<>();
    long lo = 0;
    for (Priority priority : Priority.values()) {
      for (int read = 0; read < 7; read++, lo++) {
        cache.insert(HI, lo, text(lo), type, 1, priority);
        expected.put(lo, read < 5);
        switch (read) {
          case 0 -> cache.get(HI, lo);
          case 1 -> cache.lookup(HI, lo).close();
          case 2 -> cache.getAll(new long[] {HI, lo}, new Object[1]);
          case 3 -> {
            @SuppressWarnings("unchecked")
            Handle<Object>[] handles = new Handle[1];
            cache.lookupAll(new long[] {HI, lo}, handles);
            handles[0].close();
          }
          case 4 -> {
            cache.get(HI, lo);
            cache.get(HI, lo);
          }
          case 5 -> cache.peek(HI, lo);
          default -> cache.get(HI, lo + 1_000_000);
        }
      }
    }
    churn(cache);
    cache.setCapacityBytes(1);
    Map<Long, Boolean> flags = new HashMap<>();
    seen.stream().filter(e -> e.type() == type).forEach(e -> flags.put(e.lo(), e.wasHit()));
    assertThat(expected).containsAllEntriesOf(flags);
    assertThat(flags).as("one may fit").hasSizeGreaterThanOrEqualTo(expected.size() - 1);
  }

  /** They pin the entry to compare it, and where its buckets are full so that it stays. */
  @Test
  void writersThatLeaveAnEntryAsItIsDoNotCountAsReads() {
    BlockCache<Object> cache = small(recorder);
    EntryType<Object> type = EntryType.of("left to the collector");
    int kept = 0;
    for (long lo = 0; lo < 200; lo++) {
      cache.insert(HI, lo, text(lo), type, 1, Priority.HIGH);
      assertThat(cache.erase(HI, lo, "other")).isFalse();
      InsertResult result = cache.compareAndReplace(HI, lo, "other", "newer", type, 1);
      kept += result == InsertResult.NOT_EXPECTED ? 1 : 0;
    }
    assertThat(kept).isPositive();
    churn(cache);
    cache.setCapacityBytes(1);
    assertThat(seen.stream().filter(e -> e.type() == type)).isNotEmpty();
    assertThat(seen).noneMatch(Eviction::wasHit);
  }

  @Test
  void hitFlagStartsAnewWithEachEntryOfASlot() {
    BlockCache<Object> cache = small(recorder);
    for (long round = 0; round < 20; round++) {
      for (long lo = 0; lo < 20; lo++) {
        insert(cache, lo, 1);
        cache.get(HI, lo);
        cache.erase(HI, lo);
      }
    }
    churn(cache);
    assertThat(seen).isNotEmpty().noneMatch(Eviction::wasHit);
  }

  @Test
  void listenerMayTakeValuesOver() {
    List<Block> taken = new ArrayList<>();
    BlockCache<Object> cache =
        small(
            (hi, lo, value, type, charge, wasHit) -> {
              assertThat(((Block) value).timesFreed()).isZero();
              if (lo % 2 == 0) {
                return false;
              }
              taken.add((Block) value);
              blocks.keep((Block) value);
              return true;
            });
    List<Block> all = new ArrayList<>();
    for (long lo = 0; lo < 2000; lo++) {
      all.add(inserted(cache, lo, 1));
    }
    assertThat(cache.monitor().stats().callbackFailures()).isZero();
    assertThat(taken).hasSizeGreaterThan(100);
    for (Block block : all) {
      boolean freed = block.lo % 2 == 0 && !has(cache, block.lo);
      assertThat(block.timesFreed()).isEqualTo(freed ? 1 : 0);
    }
  }

  @Test
  void failingListenerIsCountedAndTheValueIsFreed() {
    BlockCache<Object> cache =
        small(
            (hi, lo, value, type, charge, wasHit) -> {
              throw new IllegalStateException("listener");
            });
    for (long lo = 0; lo < 1000; lo++) {
      inserted(cache, lo, 1);
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(40L * variant.shards());
    }
    assertThat(cache.monitor().stats().callbackFailures())
        .isEqualTo(1000 - cache.monitor().occupancy())
        .isEqualTo(cache.monitor().stats().evictions());
  }

  @Test
  void onlyTheClockHandIsListenedTo() {
    BlockCache<Object> cache = track(roomyBuilder(20).evictionListener(recorder).build());
    inserted(cache, 1, 1);
    cache.erase(HI, 1);
    inserted(cache, 2, 1);
    pin(cache, 2).eraseIfLast();
    inserted(cache, 3, 1);
    Handle<Object> handle = pin(cache, 3);
    cache.erase(HI, 3);
    handle.close();
    cache.createStandalone(HI, 4, block(4), Block.TYPE, 1, false).close();
    inserted(cache, 5, 1);
    insertBlock(cache, 5, 1, Priority.LOW);
    insertPinned(cache, 5, 1).close();
    cache.eraseUnreferenced();
    inserted(cache, 6, 1);
    close(cache);
    assertThat(seen).isEmpty();
  }

  @Test
  void shrinkingIsListenedTo() {
    BlockCache<Object> cache = small(recorder);
    for (long lo = 0; lo < 40; lo++) {
      inserted(cache, lo, 1);
    }
    int before = seen.size();
    long occupancy = cache.monitor().occupancy();
    cache.setCapacityBytes(variant.shards());
    assertThat(seen.size() - before)
        .isEqualTo((int) (occupancy - cache.monitor().occupancy()))
        .isPositive();
  }

  @Test
  void listenerMayUseTheCacheButDoesNotFindTheKey() {
    List<String> wrong = new ArrayList<>();
    List<BlockCache<Object>> cache = new ArrayList<>();
    cache.add(
        small(
            (hi, lo, value, type, charge, wasHit) -> {
              BlockCache<Object> self = cache.get(0);
              if (self.lookup(hi, lo) != null || self.erase(hi, lo)) {
                wrong.add("found " + lo);
              }
              self.erase(HI, lo + 1);
              if (lo < 1000) {
                self.insert(HI, lo + 10_000, text(lo), 1);
              }
              return false;
            }));
    for (long lo = 0; lo < 1000; lo++) {
      InsertResult result = insertBlock(cache.get(0), lo, 1, Priority.LOW);
      assertThat(result).isEqualTo(InsertResult.INSERTED);
    }
    assertThat(wrong).isEmpty();
    assertThat(cache.get(0).monitor().stats().callbackFailures()).isZero();
  }
}
