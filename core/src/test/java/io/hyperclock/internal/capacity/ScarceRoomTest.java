/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import static io.hyperclock.internal.capacity.RoomFixture.CAPACITY;
import static io.hyperclock.internal.capacity.RoomFixture.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.scope.RetiredValue;
import io.hyperclock.internal.scope.Scopes;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an insert does where a sweep has found too little, and what it costs. */
@Timeout(60)
class ScarceRoomTest {
  private static final int SLOTS = 256;

  private static RoomFixture full(boolean strict) {
    return full(strict, SLOTS);
  }

  private static RoomFixture full(boolean strict, int slots) {
    RoomFixture full = new RoomFixture(RoomFixture.ledger(strict), slots);
    full.use(CAPACITY, 20);
    full.findTooLittle();
    full.use(CAPACITY, 20);
    return full;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aShortSweepFreesWhatIsNoLongerPinned(boolean strict) {
    RoomFixture full = full(strict);
    full.insert(1, 150, false);
    assertThat(full.enforcer.reserveUsage(100)).isTrue();
    assertThat(full.room.asked).as("no whole sweep").isEmpty();
    assertThat(full.ledger.usage()).isEqualTo(CAPACITY - 150 + 100);
    assertThat(full.ledger.occupancy()).isEqualTo(19);
    assertThat(full.effort.sum()).isZero();
  }

  /** One entry leaves for one that comes. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aShortSweepFreesASlotAtTheLimit(boolean strict) {
    RoomFixture full = new RoomFixture(RoomFixture.ledger(strict), SLOTS);
    full.use(CAPACITY - 500, LIMIT);
    full.room.left = bytes -> -1;
    full.room.looks = 5000;
    assertThat(RoomFixture.reserve(full.enforcer, 100)).isFalse();
    full.room.asked.clear();
    full.insert(1, 7, false);
    full.insert(2, 7, false);
    assertThat(RoomFixture.reserve(full.enforcer, 100)).isTrue();
    assertThat(full.room.asked).isEmpty();
    assertThat(full.ledger.occupancy()).isEqualTo(LIMIT);
    assertThat(full.ledger.usage()).isEqualTo(CAPACITY - 500 + 100 - 7);
  }

  /** Where room is found at once again and again it is no longer scarce. */
  @Test
  void afterEnoughEasySweepsTheWholeTableIsSweptAgain() {
    RoomFixture full = full(false, 64);
    full.hold(20);
    for (int i = 0; i < 8; i++) {
      full.insert(i, 100, false);
      assertThat(full.enforcer.reserveUsage(100)).isTrue();
      assertThat(full.ledger.usage()).isEqualTo(CAPACITY);
      assertThat(full.room.asked).isEmpty();
      full.use(CAPACITY, 20);
    }
    assertThat(full.enforcer.reserveUsage(100)).isTrue();
    assertThat(full.room.asked).containsExactly("100");
  }

  /** No insert is refused because of a guess. */
  @Test
  void strictTakesWhatAShortSweepFoundForWhatWasPinned() {
    RoomFixture full = full(true);
    full.insert(1, 100, false);
    assertThat(full.enforcer.reserveUsage(100)).isTrue();
    assertThat(full.room.asked).isEmpty();
    assertThat(full.enforcer.reserveUsage(100)).isTrue();
    assertThat(full.room.asked).containsExactly("100!");
  }

  @Test
  void aShortSweepIsGivenUpAmongPinnedEntriesToo() {
    RoomFixture full = full(false);
    full.insert(1, 100, true);
    assertThat(full.enforcer.reserveUsage(100)).isTrue();
    assertThat(full.room.asked).isEmpty();
    assertThat(full.effort.sum()).isEqualTo(1);
    assertThat(full.ledger.usage()).isEqualTo(CAPACITY + 100);
  }

  /** Fewer than one of 64 slots could be evicted. */
  @Test
  void fewEntriesAmongManySlotsAreNotWorthAWholeSweep() {
    RoomFixture full = full(false);
    full.hold(20);
    full.ledger.addOccupancyUnlessZero(SLOTS / 64 - 1);
    assertThat(full.enforcer.reserveUsage(100)).isTrue();
    assertThat(full.room.asked).isEmpty();
    full.ledger.addOccupancyUnlessZero(1);
    assertThat(full.enforcer.reserveUsage(100)).isTrue();
    assertThat(full.room.asked).hasSize(1);
  }

  @Test
  void anEmptyTableIsNotLookedAt() {
    RoomFixture empty = new RoomFixture(RoomFixture.ledger(false), SLOTS);
    empty.use(CAPACITY, 0);
    empty.ledger.addStandaloneUsage(CAPACITY - RoomFixture.METADATA);
    EvictionRequest request = empty.enforcer.request(100);
    assertThat(empty.enforcer.reserveSlotAndUsage(request)).isTrue();
    assertThat(request.looks()).isZero();
    assertThat(empty.room.asked).isEmpty();
    empty.enforcer.end(request);
  }

  @Test
  void aLongSweepThatFoundEnoughTellsNothing() {
    RoomFixture busy = new RoomFixture(RoomFixture.ledger(false), SLOTS);
    busy.use(CAPACITY, 20);
    busy.room.looks = 5000;
    for (int i = 1; i < 4; i++) {
      assertThat(busy.enforcer.reserveUsage(100 * i)).isTrue();
      assertThat(busy.room.asked).hasSize(i);
    }
  }

  /** What has left for an insert that goes on is room already, and is on the sums once. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatTheInsertHasFreedBeforeIsRoom(boolean strict) {
    RoomFixture busy = new RoomFixture(RoomFixture.ledger(strict), SLOTS);
    busy.use(CAPACITY, 500);
    EvictionRequest request = busy.enforcer.request(100);
    request.defer(130);
    assertThat(busy.enforcer.reserveSlotAndUsage(request)).isTrue();
    busy.enforcer.end(request);
    assertThat(busy.room.asked).isEmpty();
    assertThat(busy.ledger.usage()).isEqualTo(CAPACITY - 30);
    assertThat(busy.ledger.occupancy()).isEqualTo(500);
  }

  @Test
  void anInsertIsRefusedAfterOneSweep() {
    RoomFixture busy = new RoomFixture(RoomFixture.ledger(true), SLOTS);
    busy.use(CAPACITY, 500);
    busy.room.left = bytes -> -1;
    assertThat(RoomFixture.reserve(busy.enforcer, 100)).isFalse();
    assertThat(busy.room.asked).containsExactly("100!");
    assertThat(busy.ledger.occupancy()).isEqualTo(500);
  }

  /** A slot that others made free is of no use without the bytes. */
  @Test
  void aSlotThatOthersMadeFreeIsNotEnough() {
    RoomFixture busy = new RoomFixture(RoomFixture.ledger(true), SLOTS);
    busy.use(CAPACITY, LIMIT);
    busy.room.left = bytes -> -1;
    busy.room.before =
        () -> {
          busy.room.before = () -> {};
          busy.ledger.addOccupancyUnlessZero(-1);
        };
    assertThat(RoomFixture.reserve(busy.enforcer, 100)).isFalse();
    assertThat(busy.ledger.usage()).isEqualTo(CAPACITY);
    assertThat(busy.ledger.occupancy()).isEqualTo(LIMIT - 1);
  }

  /** Waits for read scopes. */
  private static final class Waiting extends RetiredValue {
    private final CapacityLedger ledger;
    private final Runnable disposer;

    Waiting(CapacityLedger ledger, Runnable disposer) {
      super(50);
      this.ledger = ledger;
      this.disposer = disposer;
      ledger.retireEntry(50);
    }

    @Override
    public void free() {
      ledger.removeRetired(50);
      disposer.run();
    }
  }

  /** A slow disposer of one value does not hold back the others. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatNoScopeHoldsBackIsFreedBeforeAnEntryIs(boolean strict) {
    RoomFixture busy = new RoomFixture(RoomFixture.ledger(strict), SLOTS);
    busy.use(CAPACITY, 503);
    int[] inserted = {0};
    Runnable insertOnce =
        () -> {
          if (inserted[0]++ == 0) {
            boolean fits =
                CompletableFuture.supplyAsync(
                        () -> busy.enforcer.reserveUsage(120), task -> new Thread(task).start())
                    .join();
            assertThat(fits).isTrue();
          }
        };
    int scope = busy.reclaimer.enter();
    for (int i = 0; i < 3; i++) {
      busy.reclaimer.retire(new Waiting(busy.ledger, insertOnce));
    }
    assertThat(inserted[0]).isZero();
    Scopes.exit(busy.reclaimer, scope);
    assertThat(inserted[0]).isEqualTo(3);
    assertThat(busy.room.asked).isEmpty();
    assertThat(busy.ledger.usage()).isEqualTo(CAPACITY - 150 + 120);
    assertThat(busy.ledger.retiredUsage()).isZero();
  }

  /** The sums are right although the policy, or the user's code in it, threw. */
  @Test
  void anInsertWhoseSweepThrowsLeavesNothingBehind() {
    for (int entries : new int[] {500, LIMIT - 255}) {
      RoomFixture busy = new RoomFixture(RoomFixture.ledger(false), SLOTS);
      busy.use(CAPACITY, entries);
      busy.room.before =
          () -> {
            throw new IllegalStateException("thrown by a callback");
          };
      EvictionRequest request = busy.enforcer.request(100);
      request.defer(30);
      assertThatThrownBy(() -> busy.enforcer.reserveSlotAndUsage(request))
          .hasMessage("thrown by a callback");
      assertThat(busy.ledger.usage()).isEqualTo(CAPACITY - 30);
      assertThat(busy.ledger.occupancy()).isEqualTo(entries - 1);
    }
  }
}
