/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Visiting all entries. */
abstract class IterationContractTest extends CacheContract {
  /** What a visitor is told about one entry. */
  private record Visit(long hi, long lo, Object value, EntryType<?> type, long charge) {}

  IterationContractTest(Variant variant) {
    super(variant);
  }

  private static List<Visit> visits(BlockCache<Object> cache) {
    List<Visit> visits = new ArrayList<>();
    cache
        .monitor()
        .forEachEntry(
            (hi, lo, value, type, charge) -> visits.add(new Visit(hi, lo, value, type, charge)));
    return visits;
  }

  @Test
  void emptyCacheIsNotVisited() {
    assertThat(visits(roomy(10))).isEmpty();
  }

  @Test
  void exactlyTheVisibleEntriesAreVisited() {
    BlockCache<Object> cache = roomy(1000);
    EntryType<String> filter =
        EntryType.<String>named("filter").role(EntryRole.FILTER_BLOCK).build();
    List<Visit> expected = new ArrayList<>();
    for (long lo = 0; lo < 1000; lo++) {
      long hi = random.nextLong();
      cache.insert(hi, lo, text(lo), filter, lo % 5, Priority.LOW);
      if (lo % 4 == 0) {
        cache.erase(hi, lo);
      } else {
        expected.add(new Visit(hi, lo, text(lo), filter, lo % 5));
      }
    }
    assertThat(visits(cache)).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static List<Long> hottest(BlockCache<Object> cache, int most) {
    List<Long> keys = new ArrayList<>();
    cache.monitor().forEachHottest(most, (hi, lo, value, type, charge) -> keys.add(lo));
    return keys;
  }

  @Test
  void entriesThatAreReadComeFirstAmongTheHottest() {
    BlockCache<Object> cache = roomy(1000);
    for (long lo = 0; lo < 500; lo++) {
      inserted(cache, lo, 1);
    }
    List<Long> read = List.of(3L, 77L, 200L, 201L, 499L);
    for (int turn = 0; turn < 3; turn++) {
      for (long lo : read) {
        pin(cache, lo).close();
      }
    }
    List<Long> all = hottest(cache, 1000);
    assertThat(all).hasSize(500).doesNotHaveDuplicates();
    assertThat(all.subList(0, 5)).containsExactlyInAnyOrderElementsOf(read);
    assertThat(hottest(cache, 5)).containsExactlyInAnyOrderElementsOf(read);
    assertThat(hottest(cache, 0)).isEmpty();
    assertThat(hottest(cache, 7)).hasSize(7).containsAll(read);
  }

  @Test
  void numberOfHottestEntriesMustNotBeNegative() {
    BlockCache<Object> cache = roomy(10);
    assertThatThrownBy(() -> hottest(cache, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("most=-1");
  }

  @Test
  void erasedAndStandaloneEntriesAreNotVisited() {
    BlockCache<Object> cache = roomy(10);
    inserted(cache, 1, 1);
    inserted(cache, 2, 1);
    try (Handle<Object> erased = pin(cache, 1);
        Handle<Object> alone = cache.createStandalone(HI, 3, block(3), Block.TYPE, 1, false);
        Handle<Object> pinned = pin(cache, 2)) {
      cache.erase(HI, 1);
      assertThat(erased.isReleased()).isFalse();
      assertThat(alone.isStandalone()).isTrue();
      assertThat(visits(cache)).containsExactly(new Visit(HI, 2, pinned.value(), Block.TYPE, 1));
    }
  }

  @Test
  void entryIsPinnedWhileItIsVisitedOnly() {
    BlockCache<Object> cache = roomy(20);
    for (long lo = 1; lo <= 10; lo++) {
      inserted(cache, lo, lo);
    }
    AtomicInteger visited = new AtomicInteger();
    cache
        .monitor()
        .forEachEntry(
            (hi, lo, value, type, charge) -> {
              visited.incrementAndGet();
              assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(charge).isEqualTo(lo);
            });
    assertThat(visited).hasValue(10);
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
  }

  @Test
  void failureOfTheVisitorEndsTheVisitAndReachesTheCaller() {
    BlockCache<Object> cache = roomy(10);
    for (long lo = 0; lo < 10; lo++) {
      inserted(cache, lo, 1);
    }
    RuntimeException failure = new RuntimeException("visitor");
    AtomicInteger visited = new AtomicInteger();
    assertThatThrownBy(
            () ->
                cache
                    .monitor()
                    .forEachEntry(
                        (hi, lo, value, type, charge) -> {
                          if (visited.incrementAndGet() == 4) {
                            throw failure;
                          }
                        }))
        .isSameAs(failure);
    assertThat(visited).hasValue(4);
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertThat(cache.monitor().stats().callbackFailures()).isZero();
    cache.eraseUnreferenced();
    assertThat(cache.monitor().occupancy()).isZero();
  }

  @Test
  void visitorMayEraseWhatItVisits() {
    BlockCache<Object> cache = roomy(200);
    Map<Long, Block> all = new HashMap<>();
    for (long lo = 0; lo < 200; lo++) {
      all.put(lo, inserted(cache, lo, 1));
    }
    cache
        .monitor()
        .forEachEntry(
            (hi, lo, value, type, charge) -> {
              assertThat(cache.erase(hi, lo)).isTrue();
              assertThat(all.get(lo).timesFreed()).as("pinned by the visit").isZero();
            });
    assertThat(all.values()).allSatisfy(block -> assertThat(block.timesFreed()).isEqualTo(1));
    assertThat(cache.monitor().occupancy()).isZero();
    assertThat(cache.monitor().usageBytes()).isZero();
  }

  @Test
  void visitorMayEraseOthersAndInsert() {
    BlockCache<Object> cache = roomy(600);
    for (long lo = 0; lo < 200; lo++) {
      inserted(cache, lo, 1);
    }
    Map<Long, Integer> visited = new HashMap<>();
    cache
        .monitor()
        .forEachEntry(
            (hi, lo, value, type, charge) -> {
              visited.merge(lo, 1, Integer::sum);
              if (lo < 200) {
                inserted(cache, lo + 1000, 1);
                cache.erase(HI, lo + 1000 - 1);
              }
            });
    for (long lo = 0; lo < 200; lo++) {
      assertThat(visited).containsEntry(lo, 1);
    }
    assertThat(visited.values()).containsOnly(1);
  }

  @Test
  void visitorMayPinWhatItVisits() {
    BlockCache<Object> cache = roomy(20);
    for (long lo = 0; lo < 20; lo++) {
      inserted(cache, lo, 1);
    }
    List<Handle<Object>> pins = new ArrayList<>();
    cache.monitor().forEachEntry((hi, lo, value, type, charge) -> pins.add(pin(cache, lo)));
    assertThat(pins).hasSize(20);
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(20);
    release(pins);
  }

  @Test
  void stableEntriesAreVisitedOnceWhileOthersComeAndGo() throws Exception {
    BlockCache<Object> cache = roomy(2000);
    int stable = 500;
    for (long lo = 0; lo < stable; lo++) {
      insert(cache, lo, 1);
    }
    AtomicBoolean done = new AtomicBoolean();
    Crew.run(
        3,
        thread -> {
          if (thread == 0) {
            try {
              for (int round = 0; round < 30; round++) {
                int[] times = new int[stable];
                cache
                    .monitor()
                    .forEachEntry(
                        (hi, lo, value, type, charge) -> {
                          assertThat(value).isEqualTo(text(lo));
                          if (lo < stable) {
                            times[(int) lo]++;
                          }
                        });
                assertThat(times).containsOnly(1);
              }
            } finally {
              done.set(true);
            }
          } else {
            for (long i = 0; !done.get(); i++) {
              long lo = thread * 10_000L + i % 1000;
              if (insert(cache, lo, 1) == InsertResult.KEPT_EXISTING) {
                cache.erase(HI, lo);
              }
            }
          }
        });
    assertThat(cache.monitor().stats().evictions()).isZero();
  }
}
