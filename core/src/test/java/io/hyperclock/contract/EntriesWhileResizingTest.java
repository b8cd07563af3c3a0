/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.table.Buckets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What entries, pins and visits notice of a table that changes its size: nothing. */
class EntriesWhileResizingTest extends AutomaticSizingContract {
  @Test
  void pinsHoldNothingUp() {
    BlockCache<Object> cache = open(64 * MIB);
    List<Handle<Object>> held = new ArrayList<>();
    for (long lo = 0; lo < 300; lo++) {
      inserted(cache, lo, 1000 + lo);
      held.add(pin(cache, lo));
    }
    fill(cache, 1_000, 20_000, 1024);
    assertThat(cache.monitor().slots()).isGreaterThan(25_000);
    assertThat(cache.monitor().stats().heldTableBytes()).isPositive();
    for (int lo = 0; lo < 300; lo++) {
      Handle<Object> handle = held.get(lo);
      assertThat(handle.chargeBytes()).isEqualTo(1000 + lo);
      assertThat(handle.keyLo()).isEqualTo(lo);
      assertThat(((Block) handle.value()).timesFreed()).isZero();
      try (Handle<Object> another = pin(cache, lo)) {
        assertThat(another.value()).isSameAs(handle.value());
      }
      if (lo % 3 == 0) {
        assertThat(cache.erase(HI, lo)).isTrue();
        assertThat(((Block) handle.value()).timesFreed()).isZero();
      } else if (lo % 3 == 1) {
        assertThat(handle.adjustCharge(77)).isTrue();
        assertThat(handle.chargeBytes()).isEqualTo(77);
      }
    }
    Block freed = (Block) held.get(0).value();
    Block kept = (Block) held.get(1).value();
    release(held);
    assertThat(freed.timesFreed()).isEqualTo(1);
    assertThat(kept.timesFreed()).isZero();
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertThat(cache.monitor().stats().heldTableBytes()).isZero();
  }

  /** Where both buckets of a key are held a larger table has room for it. */
  @Test
  void heldBucketsMakeASmallTableGrow() {
    BlockCache<Object> cache =
        track(
            BlockCache.<Object>builder()
                .capacityBytes(64 * MIB)
                .hashSeed(HashSeed.fixed(seed))
                .build());
    Buckets buckets = new Buckets((int) cache.monitor().slots() / 8, seed);
    List<Handle<Object>> held = new ArrayList<>();
    List<Long> more = new ArrayList<>();
    Set<Integer> wanted = buckets(buckets, 0);
    for (long lo = 0; more.size() < 3; lo++) {
      if (!buckets(buckets, lo).equals(wanted)) {
        continue;
      }
      if (held.size() < 16) {
        held.add(insertPinned(cache, lo, 10));
      } else {
        more.add(lo);
      }
    }
    assertThat(cache.monitor().slots()).isEqualTo(256);
    assertThat(cache.insert(HI, more.get(0), "x", 10)).isEqualTo(InsertResult.INSERTED);
    assertThat(cache.monitor().slots()).isGreaterThan(256);
    assertThat(cache.put(HI, more.get(1), "y", 10)).isEqualTo(InsertResult.INSERTED);
    held.add(insertPinned(cache, more.get(2), 10));
    for (Handle<Object> handle : held) {
      try (Handle<Object> another = pin(cache, handle.keyLo())) {
        assertThat(another.value()).isSameAs(handle.value());
      }
    }
    assertThat(cache.get(HI, more.get(0))).isEqualTo("x");
    assertThat(cache.get(HI, more.get(1))).isEqualTo("y");
    assertThat(cache.monitor().stats().withoutSlot()).isZero();
    release(held);
  }

  private static Set<Integer> buckets(Buckets buckets, long lo) {
    long hash = buckets.hash(HI, lo);
    return Set.of(buckets.first(hash), buckets.second(hash));
  }

  @Test
  void lastReleaseMayEraseWhatHasMoved() {
    BlockCache<Object> cache = open(64 * MIB);
    Block block = inserted(cache, 1, 1);
    Handle<Object> first = pin(cache, 1);
    fill(cache, 1_000, 5_000, 1024);
    Handle<Object> second = pin(cache, 1);
    assertThat(first.eraseIfLast()).as("another holds it").isFalse();
    assertThat(second.eraseIfLast()).isTrue();
    assertThat(block.timesFreed()).isEqualTo(1);
    assertThat(cache.lookup(HI, 1)).isNull();
    inserted(cache, 2, 1);
    Handle<Object> third = pin(cache, 2);
    fill(cache, 10_000, 20_000, 1024);
    assertThat(third.eraseIfLast()).isTrue();
    assertThat(cache.lookup(HI, 2)).isNull();
  }

  /** A disposer that inserts while its thread moves entries. */
  @Test
  void callbacksMayInsertWhileEntriesAreMoved() {
    BlockCache<Object> cache = open(MIB);
    EntryType<Object> type =
        EntryType.named("inserts")
            .disposer((hi, lo, value) -> cache.insert(HI, 1_000_000 + lo, "y", 50))
            .build();
    for (long lo = 0; lo < 50_000; lo++) {
      assertThat(cache.insert(HI, lo, "x", type, 10 + lo % 500, Priority.LOW))
          .isNotEqualTo(InsertResult.REFUSED);
    }
    assertThat(cache.monitor().stats().callbackFailures()).isZero();
    // What callbacks add while room is made for a table may be above the capacity for a while.
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(MIB * 11 / 10);
    fill(cache, 2_000_000, 5_000, 50);
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(MIB + 10_000);
  }

  @Test
  void visitsOfAllWhileItGrows() {
    BlockCache<Object> cache = open(16 * MIB);
    fill(cache, 0, 1_000, 100);
    long present = countPresent(cache, 0, 1_000);
    assertThat(present).isGreaterThan(990);
    long[] seen = {0};
    cache
        .monitor()
        .forEachEntry(
            (hi, lo, value, type, charge) -> {
              assertThat(charge).isEqualTo(100);
              seen[0] += lo < 1_000 ? 1 : 0;
              if (lo % 10 == 0) {
                cache.insert(HI, 10_000 + lo, "y", 100);
              }
            });
    // Some may have found both of their buckets full, and left.
    assertThat(seen[0]).isBetween(countPresent(cache, 0, 1_000), present);
    fill(cache, 100_000, 10_000, 100);
    assertThat(cache.monitor().slots()).isGreaterThan(12_000);
  }

  @Test
  void keysThatStayAreFoundAllTheTime() throws Exception {
    BlockCache<Object> cache = open(64 * MIB, 1000);
    int stable = 200;
    List<Object> values = new ArrayList<>();
    List<Handle<Object>> held = new ArrayList<>();
    for (long lo = 0; lo < stable; lo++) {
      values.add(inserted(cache, lo, 100));
      held.add(pin(cache, lo));
    }
    AtomicBoolean done = new AtomicBoolean();
    Crew.run(
        4,
        thread -> {
          if (thread == 0) {
            try {
              for (int round = 0; round < 10 || !hasResized(cache, 10, round); round++) {
                fill(cache, 1_000_000 * (1 + round), 25_000, 300);
                fill(cache, 1_000_000 * (1 + round) + 500_000, 40, MIB);
                cache.setCapacityBytes((round % 2 == 0 ? 8 : 64) * MIB);
                for (int lo = 0; lo < stable; lo++) {
                  // Else the old pins would keep each table, until no other may be made.
                  held.set(lo, pin(cache, lo)).close();
                }
              }
            } finally {
              done.set(true);
            }
          } else {
            for (long i = 0; !done.get(); i++) {
              long lo = (thread * 31 + i) % stable;
              try (Handle<Object> handle = pin(cache, lo)) {
                assertThat(handle.value()).isSameAs(values.get((int) lo));
              }
              long own = 100_000 + thread;
              if (cache.insert(HI, own, "own", 1) == InsertResult.INSERTED) {
                cache.erase(HI, own);
                assertThat(cache.get(HI, own)).isNull();
              }
            }
          }
        });
    assertThat(cache.monitor().stats().resizes()).isGreaterThan(10);
    release(held);
  }

  /** Whether it has changed its size often enough; a busy machine needs more rounds for that. */
  private static boolean hasResized(BlockCache<Object> cache, int times, int round) {
    return cache.monitor().stats().resizes() > times || round == 200;
  }
}
