/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.budget;

import static io.hyperclock.entry.EntryRole.MISC;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TestValues;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedBudgetTest {
  private static final long MB = 1 << 20;

  private final BlockCache<byte[]> primary =
      BlockCache.<byte[]>builder()
          .capacityBytes(100 * MB)
          .estimatedEntryCharge(64 << 10)
          .shards(3)
          .build();
  private final SecondaryCache below =
      CompressedSecondaryCache.builder()
          .capacityBytes(30 * MB)
          .maxCapacityBytes(100 * MB)
          .estimatedEntryCharge(32 << 10)
          .build();
  private final SharedBudget budget = new SharedBudget(primary, setting(below), 100 * MB, 0.3);

  private static LongPredicate setting(SecondaryCache tier) {
    return bytes -> {
      tier.setCapacity(bytes);
      return true;
    };
  }

  @AfterEach
  void capacitiesAreWhatTheBudgetSays() {
    assertAddsUp(budget, primary, below);
    primary.close();
    below.close();
  }

  /** RocksDB's figures: 100 MB, 70/30; of a reservation of 10 MB the tier bears 3. */
  @Test
  void reservationIsSplitByRatio() {
    assertParts(70, 30, 0);
    budget.reserve(MISC, 10 * MB);
    assertParts(63, 27, 10);
    budget.release(MISC, 10 * MB);
    assertParts(70, 30, 0);
  }

  @Test
  void manySmallReservationsAreOneLargeOne() {
    for (int i = 0; i < 160; i++) {
      budget.reserve(MISC, MB / 16);
    }
    assertParts(63, 27, 10);
    for (int i = 0; i < 80; i++) {
      budget.release(MISC, MB / 8);
    }
    assertParts(70, 30, 0);
  }

  /**
   * Who has chosen a share before somebody set one comes too late, also where both are the same.
   */
  @Test
  void shareThatIsSetIsNotMovedBySuggestions() {
    budget.suggestRatio(0.4);
    assertParts(60, 40, 0);
    assertThat(budget.isRatioSet()).isFalse();
    budget.setRatio(0.4);
    budget.suggestRatio(0.5);
    assertParts(60, 40, 0);
    assertThat(budget.isRatioSet()).isTrue();
    assertThatIllegalArgumentException().isThrownBy(() -> budget.setRatio(1.1));
    budget.setRatio(0.2);
    assertParts(80, 20, 0);
  }

  @Test
  void suggestionsOutOfRangeChangeNothing() {
    assertThatIllegalArgumentException().isThrownBy(() -> budget.suggestRatio(-0.1));
    assertThatIllegalArgumentException().isThrownBy(() -> budget.suggestRatio(Double.NaN));
    assertParts(70, 30, 0);
  }

  @Test
  void totalAndRatioChangeAtRunTime() {
    budget.setTotalBytes(130 * MB);
    assertParts(91, 39, 0);
    budget.setTotalBytes(70 * MB);
    assertParts(49, 21, 0);
    budget.setTotalBytes(100 * MB);
    budget.setRatio(0.4);
    assertParts(60, 40, 0);
    budget.setRatio(0.2);
    assertParts(80, 20, 0);
    budget.setRatio(1.0);
    assertThat(budget.split()).isEqualTo(new BudgetSplit(100 * MB, 1, 100 * MB - 1, 0));
    budget.setRatio(0);
    assertParts(100, 0, 0);
    budget.setRatio(0.3);
    assertParts(70, 30, 0);
  }

  @Test
  void totalAndRatioChangeBesideReservation() {
    budget.reserve(MISC, 10 * MB);
    budget.setTotalBytes(70 * MB);
    assertParts(42, 18, 10);
    budget.setTotalBytes(130 * MB);
    assertParts(84, 36, 10);
    budget.setTotalBytes(100 * MB);
    budget.setRatio(0.39);
    assertThat(budget.split().belowBytes()).isCloseTo(351 * MB / 10, within(1L));
    budget.setRatio(0.2);
    assertParts(72, 18, 10);
    budget.setRatio(1.0);
    assertThat(budget.split()).isEqualTo(new BudgetSplit(100 * MB, 1, 90 * MB - 1, 10 * MB));
    budget.setRatio(0);
    assertParts(90, 0, 10);
    budget.setRatio(0.3);
    budget.release(MISC, 10 * MB);
    assertParts(70, 30, 0);
  }

  @Test
  void reservationBeyondTheTotalLeavesNothing() {
    budget.reserve(MISC, 110 * MB);
    assertThat(budget.split()).isEqualTo(new BudgetSplit(100 * MB, 1, 0, 100 * MB - 1));
    assertThat(budget.overdraftBytes()).isEqualTo(10 * MB + 1);
    assertThat(below.state().reason()).isNotEmpty();
    budget.setRatio(0.39);
    assertThat(budget.split().belowBytes()).isZero();
    budget.release(MISC, 20 * MB);
    assertThat(budget.overdraftBytes()).isZero();
    assertThat(budget.split().belowBytes()).isCloseTo(39 * MB / 10, within(1L));
    assertThat(budget.split().chargedBytes()).isEqualTo(90 * MB);
    budget.reserve(MISC, 20 * MB);
    budget.setTotalBytes(200 * MB);
    assertThat(budget.overdraftBytes()).isZero();
    assertThat(budget.split().belowBytes()).isCloseTo(351 * MB / 10, within(1L));
  }

  @Test
  void reservationMovesOnlyInSteps() {
    budget.reserve(MISC, 1);
    BudgetSplit first = budget.split();
    assertThat(first.chargedBytes()).isEqualTo(MB);
    budget.reserve(MISC, MB - 1);
    assertThat(budget.split()).isEqualTo(first);
    budget.reserve(MISC, 1);
    assertThat(budget.split().chargedBytes()).isEqualTo(2 * MB);
    budget.release(MISC, MB + 1);
    assertThat(budget.split().chargedBytes()).isZero();
    assertThat(budget.reservedBytes()).isZero();
  }

  @Test
  void cachesGiveRoomUpAtOnce() {
    primary.setCapacityMode(CapacityMode.STRICT);
    for (int key = 0; key < 2_000; key++) {
      primary.insert(1, key, new byte[0], 64 << 10);
      below.insert(2, key, TestValues.value(key, 0, 32 << 10), TestValues.BYTES, true);
    }
    assertThat(primary.monitor().usageBytes()).isGreaterThan(65 * MB);
    assertThat(below.stats().usageBytes()).isGreaterThan(25 * MB);
    budget.reserve(MISC, 90 * MB);
    assertThat(primary.monitor().usageBytes()).isLessThanOrEqualTo(7 * MB);
    assertThat(below.stats().usageBytes()).isLessThanOrEqualTo(3 * MB);
    assertThat(primary.monitor().occupancy()).isPositive();
    assertThat(below.stats().entries()).isPositive();
    budget.release(MISC, 90 * MB);
  }

  @Test
  void refusesWrongArgumentsAndStaysAsItWas() {
    budget.reserve(MISC, MB);
    BudgetSplit before = budget.split();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> budget.release(MISC, MB + 1))
        .withMessage("bytes must be <= reservedBytes: bytes=1048577, reservedBytes=1048576");
    assertThatIllegalArgumentException().isThrownBy(() -> budget.release(MISC, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> budget.reserve(MISC, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> budget.reserve(MISC, Long.MAX_VALUE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> budget.reserve(MISC, BlockCache.MAX_CHARGE_BYTES))
        .withMessageContaining("reservedBytes=1048576");
    assertThatIllegalArgumentException().isThrownBy(() -> budget.setTotalBytes(0));
    assertThatIllegalArgumentException().isThrownBy(() -> budget.setTotalBytes(Long.MAX_VALUE));
    for (double wrong : new double[] {-0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> budget.setRatio(wrong))
          .withMessage("ratio must be in [0, 1]: ratio=" + wrong);
    }
    assertThat(budget.split()).isEqualTo(before);
  }

  @Test
  void closedPrimaryIsSaidSo() {
    BlockCache<byte[]> closed =
        BlockCache.<byte[]>builder().capacityBytes(MB).estimatedEntryCharge(1 << 10).build();
    SharedBudget ofClosed =
        new SharedBudget(closed, setting(new MapSecondaryCache(MB)), 10 * MB, 0.5);
    closed.close();
    assertThatIllegalStateException().isThrownBy(() -> ofClosed.reserve(MISC, 3 * MB - 1));
    ofClosed.reserve(MISC, 1);
    ofClosed.close();
    ofClosed.reserve(MISC, MB);
    assertThat(ofClosed.reservedBytes()).isEqualTo(4 * MB);
    ofClosed.release(MISC, 4 * MB);
    ofClosed.setRatio(0.7);
    ofClosed.close();
    assertThat(ofClosed.reservedBytes()).isZero();
  }

  @Test
  void listenerMayChangeTheBudgetThatEvictsForIt() {
    AtomicReference<SharedBudget> budgetOfListener = new AtomicReference<>();
    AtomicBoolean reserved = new AtomicBoolean();
    BlockCache<byte[]> evicting =
        BlockCache.<byte[]>builder()
            .capacityBytes(20 * MB)
            .estimatedEntryCharge(64 << 10)
            .evictionListener(
                (hi, lo, value, type, charge, wasHit) -> {
                  if (reserved.compareAndSet(false, true)) {
                    budgetOfListener.get().reserve(MISC, 4 * MB);
                    budgetOfListener.get().setRatio(0.25);
                  }
                  return false;
                })
            .build();
    MapSecondaryCache map = new MapSecondaryCache(0);
    SharedBudget own = new SharedBudget(evicting, setting(map), 20 * MB, 0);
    budgetOfListener.set(own);
    for (int key = 0; key < 200; key++) {
      evicting.insert(1, key, new byte[0], 64 << 10);
    }
    own.reserve(MISC, 12 * MB);
    assertThat(reserved).isTrue();
    assertThat(own.split()).isEqualTo(new BudgetSplit(20 * MB, 3 * MB, MB, 16 * MB));
    assertAddsUp(own, evicting, map);
    assertThat(evicting.monitor().usageBytes()).isLessThanOrEqualTo(3 * MB);
    evicting.close();
  }

  /** Any sequence of changes leaves what the last numbers alone say. */
  @Test
  void followsTheModel() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    long total = 100 * MB;
    double ratio = 0.3;
    long reserved = 0;
    for (int step = 0; step < 3_000; step++) {
      switch (random.nextInt(4)) {
        case 0 -> budget.setTotalBytes(total = 1 + (long) (random.nextDouble() * 150 * MB));
        case 1 -> budget.setRatio(ratio = random.nextInt(5) / 4.0);
        case 2 -> {
          long bytes = (long) (random.nextDouble() * 20 * MB);
          budget.reserve(MISC, bytes);
          reserved += bytes;
        }
        default -> {
          long bytes = (long) (random.nextDouble() * reserved);
          budget.release(MISC, bytes);
          reserved -= bytes;
        }
      }
      long charged = Math.min((reserved + MB - 1) / MB * MB, total - 1);
      assertThat(budget.reservedBytes()).isEqualTo(reserved);
      assertThat(budget.split().chargedBytes()).isEqualTo(charged);
      assertThat((double) below.stats().capacityBytes())
          .as("seed=" + seed + ", step=" + step)
          .isCloseTo(ratio * (total - charged), within(1.0));
      assertAddsUp(budget, primary, below);
    }
  }

  @Test
  void sumsStayExactUnderConcurrency() throws Exception {
    long seed = System.nanoTime();
    int threads = 4;
    CyclicBarrier together = new CyclicBarrier(threads);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        Random random = new Random(seed + thread);
        boolean changesAll = thread == 0;
        all.add(
            executor.submit(
                () -> {
                  together.await();
                  long own = 0;
                  for (int step = 0; step < 2_000; step++) {
                    primary.insert(random.nextLong(), 1, new byte[0], 64 << 10);
                    if (changesAll && random.nextInt(8) == 0) {
                      budget.setTotalBytes((50 + random.nextInt(100)) * MB);
                    } else if (changesAll && random.nextInt(8) == 0) {
                      budget.setRatio(random.nextDouble());
                    } else if (own == 0 || random.nextInt(3) > 0) {
                      long bytes = random.nextInt(3 * (int) MB);
                      budget.reserve(MISC, bytes);
                      own += bytes;
                    } else {
                      long bytes = 1 + (long) (random.nextDouble() * (own - 1));
                      budget.release(MISC, bytes);
                      own -= bytes;
                    }
                    BudgetSplit split = budget.split();
                    assertThat(split.primaryBytes() + split.belowBytes() + split.chargedBytes())
                        .isEqualTo(split.totalBytes());
                  }
                  budget.release(MISC, own);
                  return null;
                }));
      }
      for (Future<?> future : all) {
        future.get(TierTestLimits.SECONDS, SECONDS);
      }
    } finally {
      executor.shutdownNow();
    }
    assertThat(budget.reservedBytes()).as("seed=" + seed).isZero();
    assertAddsUp(budget, primary, below);
  }

  private void assertParts(long primaryMb, long belowMb, long chargedMb) {
    assertThat(budget.split())
        .isEqualTo(
            new BudgetSplit(
                (primaryMb + belowMb + chargedMb) * MB,
                primaryMb * MB,
                belowMb * MB,
                chargedMb * MB));
    assertAddsUp(budget, primary, below);
  }

  private static void assertAddsUp(
      SharedBudget budget, BlockCache<?> primary, SecondaryCache below) {
    BudgetSplit split = budget.split();
    assertThat(primary.monitor().capacityBytes()).isEqualTo(split.primaryBytes());
    assertThat(below.stats().capacityBytes()).isEqualTo(split.belowBytes());
    assertThat(split.primaryBytes() + split.belowBytes() + split.chargedBytes())
        .isEqualTo(budget.totalBytes());
  }
}
