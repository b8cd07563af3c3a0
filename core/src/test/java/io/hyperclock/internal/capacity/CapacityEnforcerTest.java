/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.errors.Figure;
import io.hyperclock.internal.observe.SilentCallbacks;
import io.hyperclock.internal.policy.ClassicClock;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.scope.ReadEpochs;
import io.hyperclock.internal.scope.Reclaimer;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.TableView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much is evicted for a charge or a slot, and what the ledger then says. */
class CapacityEnforcerTest {
  private static final long METADATA = 100;
  private static final long CAPACITY = METADATA + 1000;
  private static final long CHARGE = 100;
  private static final long LIMIT = 8;
  private static final int EFFORT_CAP = 1;

  private boolean evicting;
  private final Callbacks callbacks = new Callbacks();
  private final Buckets buckets = new Buckets(4, 7);
  private final SlotProtocol slots =
      new SlotProtocol(new HeapSlotStore(8 * buckets.count()), ClassicClock.MAX_COUNTDOWN);
  private final CapacityLedger ledger = new CapacityLedger(CAPACITY, false, METADATA);
  private final ValueRelease valueRelease =
      new ValueRelease(ledger, callbacks, new Reclaimer(new ReadEpochs(1), () -> {}));
  private final ClassicClock clock = new ClassicClock(slots);
  private final ClockTable table =
      new ClockTable(buckets, slots, valueRelease, clock, callbacks, null, TableView.FIXED, null);
  private final Figure effortExceeded = new Figure();
  private final CapacityEnforcer enforcer =
      new CapacityEnforcer(
          ledger, valueRelease, clock, table, slots, LIMIT, EFFORT_CAP, effortExceeded, null);

  /** Values that nobody hears of. */
  private final class Callbacks extends SilentCallbacks {
    private int evictions;

    @Override
    public void countEviction(long cold) {
      evictions++;
    }

    @Override
    public boolean isEvicting() {
      return evicting;
    }
  }

  /** Fills a part of the table, in which each key has a slot. */
  private void fill(int entries, boolean pinned) {
    for (int key = 0; key < entries; key++) {
      assertThat(RoomFixture.reserve(enforcer, CHARGE)).isTrue();
      EvictionRequest request = new EvictionRequest(CHARGE);
      long meta = MetaWord.visible(0, pinned, true, 0);
      int slot =
          table
              .insertion()
              .insert(
                  0, key, buckets.hash(0, key), "v", ChargeWord.of(0, CHARGE), meta, 0, request);
      assertThat(slot).isNotNegative();
    }
  }

  private void assertLedger(long usageOfEntries, long occupancy) {
    assertThat(ledger.usage() - METADATA).isEqualTo(usageOfEntries);
    assertThat(ledger.occupancy()).isEqualTo(occupancy);
  }

  /** The hand takes what it meets in one step of four slots, so that a few more may leave. */
  private void assertEvicted(int least, int of, long usageBeside) {
    assertThat(callbacks.evictions).isBetween(least, least + 3);
    int left = of - callbacks.evictions;
    assertLedger(left * CHARGE + usageBeside, left);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void roomThatIsThereCostsNoEntry(boolean strict) {
    ledger.setStrict(strict);
    fill(5, false);
    assertThat(enforcer.reserveUsage(5 * CHARGE)).isTrue();
    assertLedger(10 * CHARGE, 5);
    assertThat(callbacks.evictions).isZero();
  }

  @Test
  void strictEvictsWhatIsMissing() {
    ledger.setStrict(true);
    fill(6, false);
    assertThat(enforcer.reserveUsage(7 * CHARGE)).isTrue();
    assertEvicted(3, 6, 7 * CHARGE);
  }

  @Test
  void strictRefusesWhatPinsLeaveNoRoomFor() {
    ledger.setStrict(true);
    fill(6, true);
    assertThat(enforcer.reserveUsage(5 * CHARGE)).isFalse();
    assertThat(RoomFixture.reserve(enforcer, 5 * CHARGE)).isFalse();
    assertLedger(6 * CHARGE, 6);
  }

  @Test
  void nonStrictExceedsTheCapacityByWhatIsPinned() {
    fill(6, true);
    assertThat(enforcer.reserveUsage(5 * CHARGE)).isTrue();
    assertLedger(11 * CHARGE, 6);
    assertThat(effortExceeded.sum()).isOne();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void slotAtTheLimitCostsAnEntry(boolean strict) {
    ledger.setStrict(strict);
    fill((int) LIMIT, false);
    assertThat(RoomFixture.reserve(enforcer, CHARGE)).isTrue();
    assertEvicted(1, (int) LIMIT + 1, 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void slotAtTheLimitIsRefusedIfAllArePinned(boolean strict) {
    ledger.setStrict(strict);
    fill((int) LIMIT, true);
    assertThat(RoomFixture.reserve(enforcer, CHARGE)).isFalse();
    assertLedger(LIMIT * CHARGE, LIMIT);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatACallbackChargesEvictsNothing(boolean strict) {
    ledger.setStrict(strict);
    fill(6, false);
    evicting = true;
    assertThat(enforcer.reserveUsage(5 * CHARGE)).isEqualTo(!strict);
    assertLedger((strict ? 6 : 11) * CHARGE, 6);
    enforcer.setCapacity(METADATA + 3 * CHARGE);
    assertThat(ledger.occupancy()).isEqualTo(6);
  }

  @Test
  void nothingLeavesEarlyFromWithinACallback() {
    fill(3, false);
    evicting = true;
    assertThat(enforcer.evictSome(1)).isFalse();
    assertLedger(3 * CHARGE, 3);
    evicting = false;
    assertThat(enforcer.evictSome(1)).isTrue();
    assertEvicted(1, 3, 0);
  }

  @Test
  void onlyANonStrictEntryIsOversize() {
    assertThat(enforcer.isOversize(CAPACITY - METADATA)).isFalse();
    assertThat(enforcer.isOversize(CAPACITY - METADATA + 1)).isTrue();
    ledger.setStrict(true);
    assertThat(enforcer.isOversize(CAPACITY - METADATA + 1)).isFalse();
  }

  @Test
  void smallerCapacityIsEvictedDownTo() {
    fill(6, false);
    enforcer.setCapacity(METADATA + 3 * CHARGE);
    assertThat(ledger.capacity()).isEqualTo(METADATA + 3 * CHARGE);
    assertEvicted(3, 6, 0);
  }
}
