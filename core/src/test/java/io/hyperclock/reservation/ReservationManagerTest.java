/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.reservation;

import static io.hyperclock.reservation.ReservationManager.STEP_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryRole;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a manager asks of a budget, also one that refuses or calls the manager meanwhile. */
class ReservationManagerTest {
  private static final int ROUNDS = 2_000_000;
  private static final long MAX = BlockCache.MAX_CHARGE_BYTES;

  /** Gives as many steps as the test says, and counts. */
  private static final class CountedBudget implements MemoryBudget {
    final List<String> requests = new ArrayList<>();
    int left = Integer.MAX_VALUE;
    int held;
    Runnable onRequest = () -> {};

    @Override
    public @Nullable Runnable tryReserve(EntryRole role, long bytes) {
      requests.add(role + " " + bytes);
      onRequest.run();
      if (left == 0) {
        return null;
      }
      left--;
      held++;
      return () -> held--;
    }
  }

  private final CountedBudget budget = new CountedBudget();

  private ReservationManager manager() {
    return ReservationManager.of(budget, EntryRole.WRITE_BUFFER);
  }

  @Test
  void aNewManagerTakesNothingAndGivesItBack() {
    ReservationManager.of(budget, EntryRole.WRITE_BUFFER);
    ReservationManager.delayed(budget, EntryRole.TABLE_READER);
    assertThat(budget.requests).containsExactly("WRITE_BUFFER 0", "TABLE_READER 0");
    assertThat(budget.held).isZero();
  }

  @Test
  void aBudgetThatRefusesNothingMayStillBeUsedLater() {
    budget.left = 0;
    ReservationManager manager = manager();
    assertThat(manager.update(1)).isFalse();
    budget.left = 1;
    assertThat(manager.update(1)).isTrue();
    assertThat(budget.held).isEqualTo(1);
  }

  @Test
  void aDelayedManagerKeepsStepsOfABudget() {
    ReservationManager manager = ReservationManager.delayed(budget, EntryRole.WRITE_BUFFER);
    manager.update(8 * STEP_BYTES);
    manager.update(6 * STEP_BYTES);
    assertThat(budget.held).isEqualTo(8);
    manager.update(6 * STEP_BYTES - 1);
    assertThat(budget.held).isEqualTo(6);
  }

  @Test
  void sizesOutOfRangeChangeNothing() {
    budget.left = 0;
    ReservationManager manager = manager();
    Reservation part = manager.makeReservation(2);
    String range = " must be in [0, " + MAX + "]: ";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> part.allocate(-1))
        .withMessage("moreBytes" + range + "moreBytes=-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> part.allocate(MAX + 1))
        .withMessage("moreBytes" + range + "moreBytes=" + (MAX + 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> part.free(-1))
        .withMessage("lessBytes" + range + "lessBytes=-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> manager.update(MAX + 1))
        .withMessage("usedBytes" + range + "usedBytes=" + (MAX + 1));
    assertThat(part.bytes()).isEqualTo(2);
    assertThat(manager.usedBytes()).isEqualTo(2);
    assertThat(manager.update(MAX)).isFalse();
    assertThat(manager.usedBytes()).isEqualTo(MAX);
  }

  @Test
  void aRefusedPartSaysSo() {
    budget.left = 0;
    Reservation part = manager().makeReservation(0);
    assertThat(part.isCovered()).isTrue();
    assertThat(part.allocate(1)).isFalse();
    assertThat(part.isCovered()).isFalse();
    assertThat(part.bytes()).isEqualTo(1);
  }

  /** What was freed while the step was refused has made it superfluous. */
  @Test
  void aStepThatIsNotNeededAnyMoreMayBeRefused() {
    ReservationManager manager = ReservationManager.delayed(budget, EntryRole.WRITE_BUFFER);
    Reservation first = manager.makeReservation(8 * STEP_BYTES);
    budget.left = 0;
    budget.onRequest = () -> first.free(STEP_BYTES);
    assertThat(manager.makeReservation(STEP_BYTES).isCovered()).isTrue();
    assertThat(manager.reservedBytes()).isEqualTo(8 * STEP_BYTES);
    assertThat(budget.held).isEqualTo(8);
  }

  /** A call that is to give back a step which another is still making leaves it to that one. */
  @Test
  void theMakerOfAStepGivesItBackIfItIsSuperfluous() {
    ReservationManager manager = manager();
    List<Boolean> inner = new ArrayList<>();
    budget.onRequest = () -> inner.add(manager.update(0));
    assertThat(manager.update(STEP_BYTES)).isTrue();
    assertThat(inner).containsExactly(true);
    assertThat(manager.reservedBytes()).isZero();
    assertThat(budget.held).isZero();
  }

  @Test
  void aClosedManagerRefusesAnyUseAndAsksForNothing() {
    ReservationManager manager = manager();
    Reservation part = manager.makeReservation(3 * STEP_BYTES);
    manager.close();
    assertThat(budget.held).isZero();
    budget.requests.clear();
    assertThatIllegalStateException()
        .isThrownBy(() -> manager.update(0))
        .withMessage("manager must not be closed: closed=true");
    part.free(STEP_BYTES);
    part.close();
    assertThat(budget.requests).isEmpty();
    assertThat(manager.usedBytes()).isZero();
  }

  @Test
  void aManagerThatIsClosedWhileAStepIsRefusedSaysSo() {
    ReservationManager manager = manager();
    budget.left = 0;
    budget.onRequest = manager::close;
    assertThatIllegalStateException()
        .isThrownBy(() -> manager.update(1))
        .withMessage("manager must not be closed: closed=true");
    assertThat(manager.reservedBytes()).isZero();
  }

  @Test
  void stepsAreTakenAndGivenBackOneByOne() {
    ReservationManager manager = manager();
    assertThat(manager.update(9 * STEP_BYTES + 1)).isTrue();
    assertThat(budget.held).isEqualTo(10);
    assertThat(manager.update(9 * STEP_BYTES)).isTrue();
    assertThat(budget.held).isEqualTo(9);
    assertThat(manager.update(2 * STEP_BYTES)).isTrue();
    assertThat(budget.held).isEqualTo(2);
    assertThat(manager.reservedBytes()).isEqualTo(2 * STEP_BYTES);
    manager.update(3 * STEP_BYTES);
    manager.update(2 * STEP_BYTES + 1);
    assertThat(budget.held).as("less than a step too much").isEqualTo(3);
    manager.close();
    assertThat(manager.usedBytes()).isZero();
    assertThat(budget.held).isZero();
  }

  @Test
  void partsTakeTheirOwnBackAndNoMore() {
    ReservationManager manager = manager();
    Reservation part = manager.makeReservation(0);
    Reservation other = manager.makeReservation(1);
    assertThat(part.allocate(STEP_BYTES)).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> part.free(STEP_BYTES + 1))
        .withMessage("lessBytes must be <= bytes: lessBytes=262145, bytes=262144");
    assertThat(manager.usedBytes()).isEqualTo(STEP_BYTES + 1);
    part.close();
    part.close();
    assertThat(manager.usedBytes()).isEqualTo(1);
    assertThatIllegalStateException()
        .isThrownBy(() -> part.allocate(1))
        .withMessage("reservation must not be closed: closed=true");
    assertThatIllegalStateException().isThrownBy(() -> part.free(0));
    assertThat(part.bytes()).isZero();
    assertThat(manager.usedBytes()).isEqualTo(1);
    other.close();
  }

  /** One thread frees what another is about to add to the manager. */
  @Test
  @Timeout(120)
  void theUseIsNeverNegative() throws InterruptedException {
    ReservationManager manager =
        ReservationManager.of((role, bytes) -> () -> {}, EntryRole.WRITE_BUFFER);
    Reservation part = manager.makeReservation(0);
    Thread frees =
        new Thread(
            () -> {
              for (int freed = 0; freed < ROUNDS; ) {
                if (part.bytes() > 0) {
                  part.free(1);
                  freed++;
                }
              }
            });
    AtomicLong least = new AtomicLong();
    Thread looks =
        new Thread(
            () -> {
              while (frees.isAlive()) {
                least.accumulateAndGet(manager.usedBytes(), Math::min);
              }
            });
    for (Thread thread : List.of(frees, looks)) {
      thread.setDaemon(true);
      thread.start();
    }
    for (int i = 0; i < ROUNDS; i++) {
      part.allocate(1);
    }
    frees.join();
    looks.join();
    assertThat(least).hasValue(0);
    assertThat(manager.usedBytes()).isZero();
    assertThat(part.bytes()).isZero();
    manager.close();
  }

  @Test
  void aPartThatCannotBeMadeUsesNothing() {
    ReservationManager manager = manager();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> manager.makeReservation(-1))
        .withMessage("bytes must be in [0, " + MAX + "]: bytes=-1");
    budget.onRequest =
        () -> {
          throw new IllegalStateException("budget must not be closed: closed=true");
        };
    assertThatIllegalStateException().isThrownBy(() -> manager.makeReservation(1));
    assertThat(manager.usedBytes()).isZero();
    assertThat(manager.reservedBytes()).isZero();
  }

  @Test
  void stepsOfACacheAreEntriesOfItsOwn() {
    try (BlockCache<Object> cache =
            BlockCache.builder().capacityBytes(64 * STEP_BYTES).shards(1).build();
        ReservationManager manager = ReservationManager.delayed(cache, EntryRole.WRITE_BUFFER)) {
      manager.update(8 * STEP_BYTES);
      manager.update(6 * STEP_BYTES);
      assertThat(cache.monitor().stats().standaloneUsageBytes()).isEqualTo(8 * STEP_BYTES);
      manager.update(1);
      assertThat(cache.monitor().stats().standaloneUsageBytes()).isEqualTo(STEP_BYTES);
      manager.close();
      assertThat(cache.monitor().stats().standaloneUsageBytes()).isZero();
    }
  }
}
