/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.reservation.ReservationManager.STEP_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.reservation.Reservation;
import io.hyperclock.reservation.ReservationManager;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Memory of others, charged to the cache. Source: the behaviours of RocksDB's {@code
 * cache_reservation_manager_test}.
 */
abstract class ReservationContractTest extends CacheContract {
  private static final long BLOCK_BYTES = 64 << 10;
  private static final int THREADS = 8;

  ReservationContractTest(Variant variant) {
    super(variant);
  }

  /** A cache with room for a number of steps in each shard. */
  private BlockCache<Object> cacheOfSteps(long perShard) {
    return cache(perShard * STEP_BYTES * variant.shards(), BLOCK_BYTES);
  }

  private static ReservationManager manager(BlockCache<?> cache) {
    return ReservationManager.of(cache, EntryRole.WRITE_BUFFER);
  }

  private static void assertReserved(
      BlockCache<?> cache, ReservationManager manager, long steps, long usedBytes) {
    assertThat(manager.reservedBytes()).isEqualTo(steps * STEP_BYTES);
    assertThat(manager.usedBytes()).isEqualTo(usedBytes);
    assertThat(cache.monitor().stats().standaloneUsageBytes()).isEqualTo(steps * STEP_BYTES);
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(steps * STEP_BYTES);
  }

  @Test
  void smallMovesKeepTheReservation() {
    BlockCache<Object> cache = cacheOfSteps(64);
    try (ReservationManager manager = manager(cache)) {
      assertReserved(cache, manager, 0, 0);
      assertThat(manager.update(STEP_BYTES - 1)).isTrue();
      assertReserved(cache, manager, 1, STEP_BYTES - 1);
      assertThat(manager.update(STEP_BYTES)).isTrue();
      assertReserved(cache, manager, 1, STEP_BYTES);
      assertThat(manager.update(1)).isTrue();
      assertReserved(cache, manager, 1, 1);
      assertThat(cache.monitor().occupancy()).as("outside the table").isZero();
      cache.eraseUnreferenced();
      assertReserved(cache, manager, 1, 1);
    }
  }

  @Test
  void growsByWholeSteps() {
    BlockCache<Object> cache = cacheOfSteps(64);
    try (ReservationManager manager = manager(cache)) {
      assertThat(manager.update(10 * STEP_BYTES)).isTrue();
      assertReserved(cache, manager, 10, 10 * STEP_BYTES);
      assertThat(manager.update(12 * STEP_BYTES + STEP_BYTES / 2)).isTrue();
      assertReserved(cache, manager, 13, 12 * STEP_BYTES + STEP_BYTES / 2);
    }
  }

  @Test
  void shrinksByWholeSteps() {
    BlockCache<Object> cache = cacheOfSteps(64);
    try (ReservationManager manager = manager(cache)) {
      manager.update(10 * STEP_BYTES);
      assertThat(manager.update(9 * STEP_BYTES + 1)).isTrue();
      assertReserved(cache, manager, 10, 9 * STEP_BYTES + 1);
      assertThat(manager.update(9 * STEP_BYTES)).isTrue();
      assertReserved(cache, manager, 9, 9 * STEP_BYTES);
      assertThat(manager.update(STEP_BYTES / 2)).isTrue();
      assertReserved(cache, manager, 1, STEP_BYTES / 2);
      assertThat(manager.update(0)).isTrue();
      assertReserved(cache, manager, 0, 0);
      assertThat(cache.monitor().usageBytes()).isZero();
    }
  }

  @Test
  void delayedDecreaseWaitsForLessThanThreeQuarters() {
    BlockCache<Object> cache = cacheOfSteps(64);
    try (ReservationManager manager = ReservationManager.delayed(cache, EntryRole.WRITE_BUFFER)) {
      manager.update(8 * STEP_BYTES);
      manager.update(7 * STEP_BYTES);
      assertReserved(cache, manager, 8, 7 * STEP_BYTES);
      manager.update(6 * STEP_BYTES);
      assertReserved(cache, manager, 8, 6 * STEP_BYTES);
      manager.update(6 * STEP_BYTES - 1);
      assertReserved(cache, manager, 6, 6 * STEP_BYTES - 1);
      manager.update(0);
      assertReserved(cache, manager, 0, 0);
    }
  }

  @Test
  void fullStrictCacheKeepsWhatWasHadAndRecovers() {
    BlockCache<Object> cache = track(builder(4 * STEP_BYTES, BLOCK_BYTES).shards(1).build());
    try (ReservationManager manager = manager(cache)) {
      boolean covered = manager.update(6 * STEP_BYTES);
      assertThat(covered).isEqualTo(!variant.strict());
      if (!variant.strict()) {
        assertReserved(cache, manager, 6, 6 * STEP_BYTES);
        return;
      }
      assertReserved(cache, manager, 4, 6 * STEP_BYTES);
      assertThat(manager.update(5 * STEP_BYTES)).as("still too much").isFalse();
      assertReserved(cache, manager, 4, 5 * STEP_BYTES);
      assertThat(manager.update(2 * STEP_BYTES)).as("small enough").isTrue();
      assertReserved(cache, manager, 2, 2 * STEP_BYTES);
      assertThat(manager.update(5 * STEP_BYTES)).isFalse();
      cache.setCapacityBytes(8 * STEP_BYTES);
      assertThat(manager.update(5 * STEP_BYTES)).as("room again").isTrue();
      assertReserved(cache, manager, 5, 5 * STEP_BYTES);
    }
  }

  @Test
  void closeGivesEverythingBack() {
    BlockCache<Object> cache = cacheOfSteps(64);
    ReservationManager manager = manager(cache);
    manager.update(5 * STEP_BYTES);
    manager.close();
    manager.close();
    assertReserved(cache, manager, 0, 0);
    assertThat(cache.monitor().usageBytes()).isZero();
    assertThatThrownBy(() -> manager.update(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("manager must not be closed: closed=true");
    assertThatThrownBy(() -> manager.makeReservation(1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void partsAddUpAndGiveBackTheirOwn() {
    BlockCache<Object> cache = cacheOfSteps(64);
    try (ReservationManager manager = manager(cache)) {
      Reservation first = manager.makeReservation(STEP_BYTES);
      Reservation second = manager.makeReservation(2 * STEP_BYTES + 1);
      assertReserved(cache, manager, 4, 3 * STEP_BYTES + 1);
      assertThat(first.isCovered() && second.isCovered()).isTrue();
      assertThat(second.allocate(STEP_BYTES)).isTrue();
      assertThat(second.bytes()).isEqualTo(3 * STEP_BYTES + 1);
      assertReserved(cache, manager, 5, 4 * STEP_BYTES + 1);
      second.free(STEP_BYTES + 1);
      assertReserved(cache, manager, 3, 3 * STEP_BYTES);
      second.close();
      second.close();
      assertThat(second.bytes()).isZero();
      assertReserved(cache, manager, 1, STEP_BYTES);
      assertThatThrownBy(() -> second.allocate(1)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> first.free(STEP_BYTES + 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("lessBytes must be <= bytes: lessBytes=262145, bytes=262144");
      assertReserved(cache, manager, 1, STEP_BYTES);
      manager.close();
      first.close();
      assertReserved(cache, manager, 0, 0);
    }
  }

  @Test
  void managersHaveKeysOfTheirOwnAndDoNotMix() {
    BlockCache<Object> cache = cacheOfSteps(64);
    try (ReservationManager buffers = manager(cache);
        ReservationManager readers = ReservationManager.of(cache, EntryRole.TABLE_READER)) {
      buffers.update(3 * STEP_BYTES);
      readers.update(2 * STEP_BYTES);
      assertThat(cache.monitor().usageBytes()).isEqualTo(5 * STEP_BYTES);
      buffers.update(0);
      assertReserved(cache, readers, 2, 2 * STEP_BYTES);
    }
  }

  @Test
  void badSizesAreRefused() {
    BlockCache<Object> cache = cacheOfSteps(4);
    try (ReservationManager manager = manager(cache)) {
      String range = " must be in [0, " + BlockCache.MAX_CHARGE_BYTES + "]: ";
      assertThatThrownBy(() -> manager.update(-1)).hasMessage("usedBytes" + range + "usedBytes=-1");
      assertThatThrownBy(() -> manager.makeReservation(-2))
          .hasMessage("bytes" + range + "bytes=-2");
      assertReserved(cache, manager, 0, 0);
    }
    assertThatThrownBy(() -> ReservationManager.of((BlockCache<?>) null, EntryRole.MISC))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("cache must not be null");
    assertThatThrownBy(() -> ReservationManager.delayed(cache, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("role must not be null");
  }

  @Test
  void closedCacheRefusesStepsAndTakesThemBack() {
    BlockCache<Object> cache = cacheOfSteps(4);
    ReservationManager manager = manager(cache);
    manager.update(2 * STEP_BYTES);
    close(cache);
    assertThatThrownBy(() -> manager.update(3 * STEP_BYTES))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> manager.makeReservation(STEP_BYTES))
        .isInstanceOf(IllegalStateException.class);
    assertThat(manager.reservedBytes()).isEqualTo(2 * STEP_BYTES);
    assertThat(manager.usedBytes()).isEqualTo(3 * STEP_BYTES);
    assertThat(manager.update(0)).isTrue();
    assertThat(manager.reservedBytes()).isZero();
    manager.close();
  }

  @Test
  void halfOfTheCapacityReservedLeavesTheOtherHalf() {
    long stepsPerShard = 32;
    BlockCache<Object> cache = cacheOfSteps(stepsPerShard);
    long blocks = cache.monitor().capacityBytes() / BLOCK_BYTES;
    for (long lo = 0; lo < 2 * blocks; lo++) {
      insert(cache, lo, BLOCK_BYTES);
    }
    long full = countPresent(cache, 0, 2 * blocks);
    assertThat(full).as("blocks held before").isBetween(blocks * 9 / 10, blocks);
    try (ReservationManager manager = manager(cache)) {
      assertThat(manager.update(cache.monitor().capacityBytes() / 2)).isTrue();
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(cache.monitor().capacityBytes());
      for (long lo = 2 * blocks; lo < 4 * blocks; lo++) {
        insert(cache, lo, BLOCK_BYTES);
      }
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(cache.monitor().capacityBytes());
      assertThat(countPresent(cache, 0, 4 * blocks))
          .as("blocks held beside the reservation")
          .isBetween(blocks * 4 / 10, blocks / 2);
      assertThat(manager.reservedBytes()).isEqualTo(cache.monitor().capacityBytes() / 2);
    }
    for (long lo = 4 * blocks; lo < 6 * blocks; lo++) {
      insert(cache, lo, BLOCK_BYTES);
    }
    assertThat(countPresent(cache, 0, 6 * blocks))
        .as("blocks held after")
        .isGreaterThan(blocks * 9 / 10);
  }

  @Test
  void disposersMayUseTheManager() {
    BlockCache<Object> cache = track(builder(4 * STEP_BYTES, BLOCK_BYTES).shards(1).build());
    ReservationManager manager = manager(cache);
    AtomicInteger freed = new AtomicInteger();
    EntryType<Object> type =
        EntryType.<Object>named("counted")
            .disposer(
                (hi, lo, value) -> {
                  freed.incrementAndGet();
                  manager.update(manager.usedBytes());
                })
            .build();
    for (long lo = 0; lo < 64; lo++) {
      cache.insert(HI, lo, text(lo), type, BLOCK_BYTES, Priority.LOW);
    }
    int before = freed.get();
    assertThat(manager.update(STEP_BYTES)).isTrue();
    assertThat(freed.get()).isGreaterThan(before);
    assertThat(manager.reservedBytes()).isEqualTo(STEP_BYTES);
    close(cache);
    manager.close();
  }

  @Test
  void threadsAddUpExactly() throws Exception {
    BlockCache<Object> cache = cacheOfSteps(512);
    try (ReservationManager manager = manager(cache);
        Reservation shared = manager.makeReservation(0)) {
      long[] left = new long[THREADS];
      Crew.run(
          THREADS,
          thread -> {
            SplittableRandom moves = new SplittableRandom(seed + thread);
            long mine = 0;
            for (int i = 0; i < 2_000; i++) {
              long bytes = moves.nextLong(2 * STEP_BYTES);
              if (moves.nextBoolean() && mine < 8 * STEP_BYTES) {
                assertThat(shared.allocate(bytes)).isTrue();
                mine += bytes;
              } else {
                bytes = Math.min(bytes, mine);
                shared.free(bytes);
                mine -= bytes;
              }
            }
            left[thread] = mine;
          });
      long used = Arrays.stream(left).sum();
      long steps = (used + STEP_BYTES - 1) / STEP_BYTES;
      assertThat(shared.bytes()).isEqualTo(used);
      assertReserved(cache, manager, steps, used);
    }
    assertThat(cache.monitor().usageBytes()).isZero();
  }

  @Test
  void threadsAtTheLimitOfStrictCapacityNeverReserveMoreThanFits() throws Exception {
    BlockCache<Object> cache = cacheOfSteps(8);
    long limit = cache.monitor().capacityBytes();
    try (ReservationManager manager = manager(cache)) {
      Crew.run(
          THREADS,
          thread -> {
            for (int i = 0; i < 200; i++) {
              try (Reservation part = manager.makeReservation((thread + 1) * STEP_BYTES)) {
                if (variant.strict()) {
                  assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(limit);
                }
                assertThat(part.bytes()).isEqualTo((thread + 1) * STEP_BYTES);
              }
            }
          });
      assertReserved(cache, manager, 0, 0);
    }
  }

  @Test
  void closingAmongOtherThreadsLeavesNothing() throws Exception {
    BlockCache<Object> cache = cacheOfSteps(512);
    for (int round = 0; round < 50; round++) {
      ReservationManager manager = manager(cache);
      Crew.run(
          3,
          thread -> {
            try {
              for (int i = 0; thread != 0 && i < 20; i++) {
                manager.makeReservation(STEP_BYTES);
              }
            } catch (IllegalStateException e) {
              assertThat(e).hasMessage("manager must not be closed: closed=true");
            }
            if (thread == 0) {
              manager.close();
            }
          });
      assertReserved(cache, manager, 0, 0);
    }
  }

  @Test
  void pinnedBlocksAndReservationShareTheBudget() {
    BlockCache<Object> cache = track(builder(4 * STEP_BYTES, BLOCK_BYTES).shards(1).build());
    try (Handle<Object> pinned = insertPinned(cache, 1, 3 * STEP_BYTES);
        ReservationManager manager = manager(cache)) {
      assertThat(pinned.chargeBytes()).isEqualTo(3 * STEP_BYTES);
      assertThat(manager.update(STEP_BYTES)).isTrue();
      assertThat(manager.update(2 * STEP_BYTES)).isEqualTo(!variant.strict());
    }
  }
}
