/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.reservation;

import static io.hyperclock.reservation.ReservationManager.STEP_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.entry.EntryRole;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What gives memory back does so also where a refused step could be tried again, and is closed. */
class ReservationCloseTest {
  @Test
  void partsGiveBackAfterTheCacheWasClosed() {
    BlockCache<Object> cache =
        BlockCache.builder()
            .capacityBytes(2 * STEP_BYTES)
            .estimatedEntryCharge(64 << 10)
            .capacityMode(CapacityMode.STRICT)
            .shards(1)
            .build();
    ReservationManager manager = ReservationManager.of(cache, EntryRole.WRITE_BUFFER);
    Reservation first = manager.makeReservation(4 * STEP_BYTES);
    Reservation second = manager.makeReservation(8 * STEP_BYTES);
    assertThat(first.isCovered()).isFalse();
    assertThat(manager.reservedBytes()).isPositive();
    cache.close();
    first.free(1);
    first.close();
    assertThat(first.bytes()).isZero();
    assertThat(manager.usedBytes()).isEqualTo(8 * STEP_BYTES);
    assertThatIllegalStateException().isThrownBy(() -> second.allocate(1));
    second.close();
    assertThat(manager.usedBytes()).isZero();
    assertThat(manager.reservedBytes()).isZero();
    manager.close();
  }

  @Test
  void aPartOfAClosedManagerDoesNotGrow() {
    MemoryBudget budget = (role, bytes) -> () -> {};
    ReservationManager manager = ReservationManager.of(budget, EntryRole.WRITE_BUFFER);
    Reservation part = manager.makeReservation(100);
    manager.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> part.allocate(50))
        .withMessage("manager must not be closed: closed=true");
    assertThat(part.bytes()).isEqualTo(100);
    part.free(100);
    assertThat(part.bytes()).isZero();
    part.close();
  }

  @Test
  void aPartGivesBackWhileTheManagerIsClosed() {
    AtomicInteger held = new AtomicInteger();
    boolean[] closes = new boolean[1];
    ReservationManager[] manager = new ReservationManager[1];
    MemoryBudget budget =
        (role, bytes) -> {
          if (!closes[0]) {
            return null;
          }
          manager[0].close();
          held.incrementAndGet();
          return held::decrementAndGet;
        };
    manager[0] = ReservationManager.of(budget, EntryRole.WRITE_BUFFER);
    Reservation other = manager[0].makeReservation(STEP_BYTES);
    Reservation part = manager[0].makeReservation(STEP_BYTES);
    assertThat(part.isCovered()).isFalse();
    closes[0] = true;
    part.close();
    assertThat(part.bytes()).isZero();
    assertThat(held).as("the step is given back").hasValue(0);
    assertThat(manager[0].reservedBytes()).isZero();
    other.close();
  }
}
