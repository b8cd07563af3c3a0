/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static io.hyperclock.reservation.ReservationManager.STEP_BYTES;
import static io.hyperclock.secondary.tiered.TieredRig.HI;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.Priority;
import io.hyperclock.reservation.Reservation;
import io.hyperclock.reservation.ReservationManager;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.TieredStats;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TestValues;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory of others, reserved in the budget of a cache and the tier below it. */
class TieredReservationTest {
  private static final long MIB = 1 << 20;
  private static final EntryRole BUFFERS = EntryRole.WRITE_BUFFER;

  private final MapSecondaryCache tier = new MapSecondaryCache(0);
  private final List<AutoCloseable> open = new ArrayList<>();

  private TieredBlockCache<byte[]> cache(CapacityMode mode, long total, SecondaryCache below) {
    TieredBlockCache<byte[]> cache =
        TieredBlockCache.builder(
                BlockCache.<byte[]>builder()
                    .capacityBytes(total)
                    .estimatedEntryCharge(64 << 10)
                    .shards(2)
                    .capacityMode(mode))
            .tier(below)
            .totalCapacityBytes(total, 0.3)
            .executor(Runnable::run)
            .build();
    open.add(cache);
    return cache;
  }

  private TieredBlockCache<byte[]> cache() {
    return cache(CapacityMode.NON_STRICT, 100 * MIB, tier);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private static void assertParts(TieredBlockCache<?> cache, long primary, long below) {
    TieredStats stats = cache.stats();
    assertThat(stats.budget().primaryBytes()).isEqualTo(primary);
    assertThat(stats.budget().belowBytes()).isEqualTo(below);
    assertThat(stats.budget().chargedBytes())
        .isEqualTo(stats.budget().totalBytes() - primary - below);
    assertThat(cache.primary().monitor().capacityBytes()).isEqualTo(primary);
    assertThat(stats.tiers().get(0).stats().capacityBytes()).isEqualTo(below);
  }

  /** RocksDB's figures: of 10 MiB the tier bears 3. */
  @Test
  void aManagerShrinksBothByTheirRatio() {
    TieredBlockCache<byte[]> cache = cache();
    assertParts(cache, 70 * MIB, 30 * MIB);
    try (ReservationManager manager = ReservationManager.of(cache, BUFFERS)) {
      assertThat(manager.update(10 * MIB)).isTrue();
      assertParts(cache, 63 * MIB, 27 * MIB);
      assertThat(cache.stats().budget().reserved()).containsOnlyKeys(BUFFERS);
      assertThat(cache.stats().budget().reserved()).containsEntry(BUFFERS, 10 * MIB);
      cache.setTotalCapacityBytes(130 * MIB);
      assertParts(cache, 84 * MIB, 36 * MIB);
      cache.setSecondaryRatio(0.5);
      assertParts(cache, 60 * MIB, 60 * MIB);
      manager.update(0);
      assertParts(cache, 65 * MIB, 65 * MIB);
    }
    assertThat(cache.stats().budget().reserved()).isEmpty();
  }

  @Test
  void whatIsReservedIsRoundedUpTwice() {
    TieredBlockCache<byte[]> cache = cache();
    try (ReservationManager manager = ReservationManager.of(cache, BUFFERS);
        Reservation arena = manager.makeReservation(1)) {
      assertThat(arena.isCovered()).isTrue();
      assertThat(cache.stats().budget().reservedBytes()).isEqualTo(STEP_BYTES);
      assertThat(cache.stats().budget().chargedBytes()).isEqualTo(MIB);
      arena.allocate(MIB - 1);
      assertThat(cache.stats().budget().chargedBytes()).isEqualTo(MIB);
      arena.allocate(1);
      assertThat(cache.stats().budget().reservedBytes()).isEqualTo(MIB + STEP_BYTES);
      assertThat(cache.stats().budget().chargedBytes()).isEqualTo(2 * MIB);
      arena.free(MIB + 1);
      assertThat(cache.stats().budget().chargedBytes()).isZero();
    }
  }

  @Test
  void aDelayedManagerKeepsWhatItHasForAWhile() {
    TieredBlockCache<byte[]> cache = cache();
    try (ReservationManager manager = ReservationManager.delayed(cache, BUFFERS)) {
      manager.update(20 * MIB);
      manager.update(15 * MIB);
      assertThat(cache.stats().budget().chargedBytes()).isEqualTo(20 * MIB);
      manager.update(14 * MIB);
      assertThat(cache.stats().budget().chargedBytes()).isEqualTo(14 * MIB);
    }
    assertParts(cache, 70 * MIB, 30 * MIB);
  }

  @Test
  void rolesAreKeptApart() {
    TieredBlockCache<byte[]> cache = cache();
    cache.reserve(MIB);
    try (ReservationManager buffers = ReservationManager.of(cache, BUFFERS);
        ReservationManager readers = ReservationManager.of(cache, EntryRole.TABLE_READER)) {
      buffers.update(2 * MIB);
      readers.update(3 * MIB);
      assertThat(cache.stats().budget().reserved())
          .containsEntry(EntryRole.MISC, MIB)
          .containsEntry(BUFFERS, 2 * MIB)
          .containsEntry(EntryRole.TABLE_READER, 3 * MIB)
          .hasSize(3);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> cache.release(MIB + 1))
          .withMessage("bytes must be <= reservedBytes: bytes=1048577, reservedBytes=1048576");
      cache.release(MIB);
      assertThat(cache.stats().budget().reservedBytes()).isEqualTo(5 * MIB);
    }
    assertThat(cache.stats().budget().reservedBytes()).isZero();
  }

  private static List<Handle<byte[]>> pin(TieredBlockCache<byte[]> cache, int entries) {
    List<Handle<byte[]>> pins = new ArrayList<>();
    for (int key = 0; key < entries; key++) {
      pins.add(cache.insertPinned(HI, key, new byte[0], TestValues.BYTES, 64 << 10, Priority.LOW));
    }
    return pins;
  }

  @Test
  void aStrictPrimaryRefusesWhatPinsLeaveNoRoomFor() {
    TieredBlockCache<byte[]> cache = cache(CapacityMode.STRICT, 20 * MIB, tier);
    List<Handle<byte[]>> pins = pin(cache, 160);
    try (ReservationManager manager = ReservationManager.of(cache, BUFFERS)) {
      assertThat(manager.update(3 * MIB)).isTrue();
      assertThat(manager.update(19 * MIB)).isFalse();
      assertThat(manager.usedBytes()).isEqualTo(19 * MIB);
      assertThat(manager.reservedBytes()).isBetween(3 * MIB, 9 * MIB);
      assertThat(cache.stats().budget().reserved()).containsEntry(BUFFERS, manager.reservedBytes());
      assertThat(cache.primary().monitor().usageBytes())
          .isLessThanOrEqualTo(cache.primary().monitor().capacityBytes());
      pins.forEach(Handle::close);
      assertThat(manager.update(15 * MIB)).isTrue();
      assertThat(manager.update(30 * MIB)).isFalse();
      assertThat(cache.stats().budget().overdraftBytes()).isZero();
      assertThat(manager.reservedBytes()).isLessThan(20 * MIB);
    }
    assertParts(cache, 14 * MIB, 6 * MIB);
  }

  /** What cannot be given in any case costs the cache nothing. */
  @Test
  void aStrictPrimaryThatRefusesMoreThanTheTotalKeepsWhatItHas() {
    TieredBlockCache<byte[]> cache = cache(CapacityMode.STRICT, 20 * MIB, tier);
    pin(cache, 100).forEach(Handle::close);
    assertThat(cache.tryReserve(BUFFERS, 30 * MIB)).isNull();
    assertThat(cache.primary().monitor().usageBytes()).isGreaterThanOrEqualTo(100 * (64 << 10));
    assertParts(cache, 14 * MIB, 6 * MIB);
    try (ReservationManager manager = ReservationManager.of(cache, BUFFERS)) {
      assertThat(manager.update(19 * MIB)).isTrue();
      long usage = cache.primary().monitor().usageBytes();
      assertThat(manager.update(30 * MIB)).isFalse();
      assertThat(cache.primary().monitor().usageBytes()).isEqualTo(usage).isPositive();
    }
    assertThat(cache.stats().budget().reserved()).isEmpty();
  }

  @Test
  void aPrimaryThatIsNotStrictNeverRefuses() {
    TieredBlockCache<byte[]> cache = cache(CapacityMode.NON_STRICT, 20 * MIB, tier);
    try (ReservationManager manager = ReservationManager.of(cache, BUFFERS)) {
      assertThat(manager.update(30 * MIB)).isTrue();
      assertThat(cache.stats().budget().overdraftBytes()).isEqualTo(10 * MIB + 1);
      assertParts(cache, 1, 0);
    }
    assertParts(cache, 14 * MIB, 6 * MIB);
  }

  @Test
  void aCompressedTierThatIsLeftLessThanItsTablesRests() {
    CompressedSecondaryCache compressed =
        CompressedSecondaryCache.builder()
            .capacityBytes(6 * MIB)
            .maxCapacityBytes(20 * MIB)
            .estimatedEntryCharge(1 << 10)
            .build();
    TieredBlockCache<byte[]> cache = cache(CapacityMode.NON_STRICT, 20 * MIB, compressed);
    compressed.insert(HI, 1, TestValues.value(1, 0, 1000), TestValues.BYTES, true);
    try (ReservationManager manager = ReservationManager.of(cache, BUFFERS)) {
      manager.update(17 * MIB);
      assertThat(cache.states().get(0).mode()).isEqualTo(TierState.Mode.BYPASS);
      assertThat(compressed.stats().usageBytes()).isZero();
      assertThat(cache.primary().monitor().capacityBytes() + compressed.stats().capacityBytes())
          .isEqualTo(3 * MIB);
    }
    assertThat(cache.states()).containsExactly(TierState.OPEN);
    assertThat(compressed.stats().entries()).isZero();
  }

  @Test
  void aTierThatCannotShrinkIsCountedAndThePrimaryShrinksAllTheSame() {
    ScriptedTier stubborn = new ScriptedTier();
    TieredBlockCache<byte[]> cache = cache(CapacityMode.NON_STRICT, 100 * MIB, stubborn);
    stubborn.onSetCapacity =
        () -> {
          throw new IllegalStateException("stubborn");
        };
    try (ReservationManager manager = ReservationManager.of(cache, BUFFERS)) {
      assertThat(manager.update(10 * MIB)).isTrue();
      assertThat(cache.primary().monitor().capacityBytes()).isEqualTo(63 * MIB);
      assertThat(cache.stats().tiers().get(0).failures()).isEqualTo(10);
    }
    assertThat(cache.primary().monitor().capacityBytes()).isEqualTo(70 * MIB);
  }

  @Test
  void withoutATotalOrOnceClosedItSaysSo() {
    try (TieredRig rig = new TieredRig(new MapSecondaryCache(0))) {
      assertThatIllegalStateException()
          .isThrownBy(() -> ReservationManager.of(rig.cache, BUFFERS))
          .withMessage("a total must be set: totalCapacityBytes=0");
      assertThatIllegalStateException()
          .isThrownBy(() -> ReservationManager.delayed(rig.cache, BUFFERS))
          .withMessage("a total must be set: totalCapacityBytes=0");
      assertThat(rig.cache.stats().budget()).isEqualTo(TieredStats.Budget.NONE);
    }
    TieredBlockCache<byte[]> cache = cache();
    ReservationManager manager = ReservationManager.of(cache, BUFFERS);
    manager.update(MIB);
    cache.close();
    assertThatIllegalStateException().isThrownBy(() -> manager.update(2 * MIB));
    assertThat(manager.reservedBytes()).isEqualTo(MIB);
    assertThatIllegalStateException()
        .isThrownBy(() -> ReservationManager.of(cache, BUFFERS))
        .withMessage("cache must not be closed: closed=true");
    manager.close();
    assertThat(manager.reservedBytes()).isZero();
  }

  @ParameterizedTest
  @EnumSource(CapacityMode.class)
  void partsStayExactWhileTotalAndRatioChange(CapacityMode mode) throws Exception {
    long seed = System.nanoTime();
    System.out.println("TieredReservationTest: mode=" + mode + ", seed=" + seed);
    TieredBlockCache<byte[]> cache = cache(mode, 100 * MIB, tier);
    ReservationManager buffers = ReservationManager.of(cache, BUFFERS);
    ReservationManager readers = ReservationManager.delayed(cache, EntryRole.TABLE_READER);
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int self = 0; self < 3; self++) {
        SplittableRandom random = new SplittableRandom(seed + self);
        boolean changesAll = self == 0;
        ReservationManager manager = self == 1 ? buffers : readers;
        running.add(threads.submit(() -> use(cache, changesAll ? null : manager, random)));
      }
      for (Future<?> each : running) {
        each.get(TierTestLimits.SECONDS, SECONDS);
      }
    } finally {
      threads.shutdown();
    }
    TieredStats.Budget budget = cache.stats().budget();
    long held = buffers.reservedBytes() + readers.reservedBytes();
    assertThat(budget.reservedBytes()).as("seed=" + seed).isEqualTo(held);
    assertParts(cache, budget.primaryBytes(), budget.belowBytes());
    buffers.close();
    readers.close();
    cache.setTotalCapacityBytes(100 * MIB);
    cache.setSecondaryRatio(0.3);
    assertParts(cache, 70 * MIB, 30 * MIB);
    assertThat(cache.stats().budget().reserved()).isEmpty();
  }

  private static Object use(
      TieredBlockCache<byte[]> cache,
      @Nullable ReservationManager manager,
      SplittableRandom random) {
    for (int i = 0; i < 300; i++) {
      cache.insert(HI, random.nextInt(), new byte[8], TestValues.BYTES, 64 << 10, Priority.LOW);
      if (manager == null) {
        cache.setTotalCapacityBytes((50 + random.nextInt(100)) * MIB);
        cache.setSecondaryRatio(random.nextInt(5) / 4.0);
      } else {
        manager.update(random.nextInt(40) * (MIB / 3));
      }
      TieredStats.Budget budget = cache.stats().budget();
      assertThat(budget.primaryBytes() + budget.belowBytes() + budget.chargedBytes())
          .isEqualTo(budget.totalBytes());
    }
    return cache;
  }
}
