/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import static io.hyperclock.internal.table.TableFixture.CHARGE;
import static io.hyperclock.internal.table.TableFixture.HI;
import static io.hyperclock.internal.table.TableFixture.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.scope.Scopes;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How an entry ends, in the table it was put into and in those it has moved to since. */
@Timeout(60)
class EntryLifecycleTest {
  private final TableFixture tables = new TableFixture(4, TableView.SETTLED);
  private final ClockTable first = tables.first();

  private TableFixture.Pin held() {
    assertThat(tables.insert(KEY, "value")).isZero();
    TableFixture.Pin pin = tables.pin(KEY);
    assertThat(pin).isNotNull();
    return pin;
  }

  /** Moves what is there, twice: both older tables keep what is held there. */
  private void moveTwice() {
    tables.grow(6);
    assertThat(tables.move()).isTrue();
    tables.grow(5);
    assertThat(tables.move()).isTrue();
  }

  @Test
  void aTableShowsWhatItHolds() {
    tables.insert(KEY, "value");
    assertThat(first.shows(HI, KEY, tables.hash(KEY))).isTrue();
    assertThat(first.shows(HI, KEY + 1, tables.hash(KEY + 1))).isFalse();
    assertThat(first.shows(HI, KEY + 1, tables.hash(KEY))).as("same tag").isFalse();
  }

  @Test
  void theChargeOfAHeldEntryGoesWithIt() {
    TableFixture.Pin pin = held();
    long cold = ChargeWord.of(0, CHARGE);
    assertThat(first.coldOf(pin.slot())).isEqualTo(cold);
    moveTwice();
    assertThat(first.coldOf(pin.slot())).isEqualTo(cold);
    long changed = ChargeWord.withCharge(cold, 7);
    assertThat(first.compareAndSetColdOf(pin.slot(), changed, cold)).isFalse();
    assertThat(first.coldOf(pin.slot())).isEqualTo(cold);
    assertThat(first.compareAndSetColdOf(pin.slot(), cold, changed)).isTrue();
    assertThat(first.coldOf(pin.slot())).isEqualTo(changed);
    int now = tables.slot(tables.newest(), KEY);
    assertThat(tables.words(tables.newest()).coldAcquire(now)).isEqualTo(changed);
  }

  private void unsettle(ClockTable table, int slot) {
    long present = tables.words(table).coldAcquire(slot);
    assertThat(tables.words(table).compareAndSetCold(slot, present, ChargeWord.unsettled(present)))
        .isTrue();
  }

  /** The mover has forwarded the slot and not delivered yet. */
  @Test
  void whoAsksForTheChargeWaitsUntilItIsDelivered() {
    TableFixture.Pin pin = held();
    long cold = first.coldOf(pin.slot());
    moveTwice();
    ClockTable second = tables.tables.get(1);
    int moved = ChargeWord.slot(tables.words(first).coldAcquire(pin.slot()));
    int last = tables.slot(tables.newest(), KEY);
    unsettle(tables.newest(), last);
    tables.before(6, () -> second.deliver(moved, cold));
    assertThat(first.coldOf(pin.slot())).isEqualTo(cold);
    assertThat(tables.wasStopped()).isTrue();
  }

  /** The entry is moved on between the look at its word and the delivery. */
  @Test
  void theChargeIsDeliveredWhereTheEntryIsByThen() {
    TableFixture.Pin pin = held();
    long cold = first.coldOf(pin.slot());
    tables.grow(6);
    assertThat(tables.move()).isTrue();
    ClockTable second = tables.newest();
    int moved = tables.slot(second, KEY);
    unsettle(second, moved);
    tables.grow(5);
    tables.before(2, tables::move);
    second.deliver(moved, ChargeWord.withCharge(cold, 9));
    assertThat(tables.wasStopped()).isTrue();
    assertThat(ChargeWord.chargeBytes(first.coldOf(pin.slot()))).isEqualTo(9);
  }

  /** The one who moved it is stopped: a holder waits for the charge, a visit does not. */
  @Test
  void aVisitWaitsForNoCharge() {
    TableFixture.Pin pin = held();
    long cold = first.coldOf(pin.slot());
    assertThat(first.coldSoon(pin.slot())).isEqualTo(cold);
    long unsettled = ChargeWord.unsettled(cold);
    assertThat(first.store.compareAndSetCold(pin.slot(), cold, unsettled)).isTrue();
    List<Long> charges = new ArrayList<>();
    new TableScan(first)
        .forEachPinned(
            (meta, word) -> true,
            (hi, lo, value, word) -> charges.add(ChargeWord.chargeBytes(word)));
    assertThat(charges).containsExactly(0L);
    tables.before(5, () -> first.deliver(pin.slot(), cold));
    assertThat(first.coldSoon(pin.slot())).as("in a moment").isEqualTo(cold);
    assertThat(tables.wasStopped()).isTrue();
    pin.release(true, false);
    tables.isWhole();
  }

  private int hide(TableFixture.Pin pin) {
    return first.freeIfOwned(first.slots.hideAndRelease(pin.slot()), pin.slot());
  }

  @Test
  void oneOfTwoHoldersHidesAnEntry() {
    TableFixture.Pin one = held();
    TableFixture.Pin other = tables.pin(KEY);
    assertThat(hide(one)).isZero();
    assertThat(tables.get(KEY)).isNull();
    assertThat(tables.ends.ended).isEmpty();
    assertThat(hide(other)).isEqualTo(SlotProtocol.OWNED);
    assertThat(tables.ends.ended).containsExactly("1=value FREED");
    tables.isWhole();
  }

  @Test
  void theLastHolderHidesAndFrees() {
    TableFixture.Pin pin = held();
    assertThat(hide(pin)).isEqualTo(SlotProtocol.OWNED);
    assertThat(tables.ends.ended).containsExactly("1=value FREED");
    tables.isWhole();
  }

  @Test
  void aHolderInAnOldTableHoldsItInTheNew() {
    TableFixture.Pin pin = held();
    moveTwice();
    int now = tables.slot(tables.newest(), KEY);
    assertThat(MetaWord.refcount(tables.meta(tables.newest(), now))).isEqualTo(1);
    assertThat(pin.release(true, false)).as("is still in the cache").isFalse();
    assertThat(MetaWord.refcount(tables.meta(tables.newest(), now))).isZero();
    assertThat(MetaWord.releases(tables.meta(tables.newest(), now))).isEqualTo(2);
    assertThat(tables.get(KEY)).isEqualTo("value");
    tables.isWhole();
  }

  @Test
  void aReleaseOfNoUseIsNoneInTheNewTable() {
    TableFixture.Pin pin = held();
    tables.grow(6);
    assertThat(tables.move()).isTrue();
    int now = tables.slot(tables.newest(), KEY);
    int uses = MetaWord.releases(tables.meta(tables.newest(), now));
    assertThat(pin.release(false, false)).isFalse();
    assertThat(MetaWord.releases(tables.meta(tables.newest(), now))).isEqualTo(uses);
    tables.isWhole();
  }

  @Test
  void theLastReleaseOfAMovedEntryMayEraseIt() {
    TableFixture.Pin pin = held();
    moveTwice();
    assertThat(pin.release(true, true)).isTrue();
    assertThat(tables.ends.ended).containsExactly("1=value FREED");
    assertThat(tables.get(KEY)).isNull();
    tables.isWhole();
  }

  @Test
  void aMovedEntryThatIsErasedEndsWithItsLastHolder() {
    TableFixture.Pin pin = held();
    moveTwice();
    assertThat(tables.erase(KEY, null)).isTrue();
    assertThat(tables.ends.ended).isEmpty();
    assertThat(pin.release(true, false)).isTrue();
    assertThat(tables.ends.ended).containsExactly("1=value FREED");
    tables.isWhole();
  }

  /** What a release without stack has left is met by a sweep of the old table. */
  @Test
  void aSweepOfAnOldTableEndsThePinInTheNew() {
    TableFixture.Pin pin = held();
    tables.grow(6);
    assertThat(tables.move()).isTrue();
    tables.words(first).setMetaRelease(pin.slot(), MetaWord.ABANDONED);
    assertThat(first.slots.take(pin.slot(), MetaWord.ABANDONED)).isTrue();
    EvictionRequest request = new EvictionRequest(1);
    assertThat(first.evict(pin.slot(), MetaWord.ABANDONED, request)).isZero();
    assertThat(request.deferredBytes()).isZero();
    assertThat(tables.ends.ended).isEmpty();
    assertThat(tables.get(KEY)).isEqualTo("value");
    tables.isWhole();
  }

  /** A type whose end needs memory that there is not, once. */
  private void runOutOfMemory() {
    tables.ends.hasDisposer =
        () -> {
          tables.ends.hasDisposer = () -> false;
          throw new OutOfMemoryError("planned");
        };
  }

  @Test
  void withoutMemoryAFreedEntryIsLeftToTheNextSweep() {
    TableFixture.Pin pin = held();
    runOutOfMemory();
    assertThat(pin.release(true, true)).isTrue();
    assertThat(tables.ends.ended).isEmpty();
    assertThat(tables.meta(first, pin.slot())).isEqualTo(MetaWord.ABANDONED);
    assertThat(tables.ledger.occupancy()).isEqualTo(1);
    new TableScan(first).eraseUnreferenced();
    assertThat(tables.ends.ended).containsExactly("1=value FREED");
    tables.isWhole();
  }

  @Test
  void withoutMemoryAVictimIsLeftToTheNextSweep() {
    tables.insert(KEY, "value");
    int slot = tables.slot(first, KEY);
    long meta = tables.meta(first, slot);
    assertThat(first.slots.take(slot, meta)).isTrue();
    runOutOfMemory();
    EvictionRequest request = new EvictionRequest(1);
    assertThatThrownBy(() -> first.evict(slot, meta, request)).isInstanceOf(OutOfMemoryError.class);
    assertThat(tables.meta(first, slot)).isEqualTo(MetaWord.ABANDONED);
    assertThat(tables.ends.ended).isEmpty();
    new TableScan(first).eraseUnreferenced();
    assertThat(tables.ends.ended).containsExactly("1=value FREED");
    tables.isWhole();
  }

  @Test
  void thePolicyIsToldForWhomAnEntryLeft() {
    tables.insert(KEY, "value");
    int slot = tables.slot(first, KEY);
    long meta = tables.meta(first, slot);
    assertThat(first.slots.take(slot, meta)).isTrue();
    EvictionRequest request = new EvictionRequest(1);
    assertThat(first.evict(slot, meta, request)).isEqualTo(CHARGE);
    assertThat(tables.ends.ended).containsExactly("1=value EVICTED");
    tables.insert(KEY, "another");
    assertThat(tables.erase(KEY, null)).isTrue();
    assertThat(tables.policy.told)
        .containsExactly("admitted", "left for another", "admitted", "left");
    tables.isWhole();
  }

  @Test
  void aSlotWithoutAValueCannotBeFreed() {
    assertThat(first.slots.claim(3)).isTrue();
    assertThatThrownBy(() -> first.free(3)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void nothingIsEvictedFromWithinACallback() {
    assertThat(first.mayEvict()).isTrue();
    tables.ends.isEvicting = true;
    assertThat(first.mayEvict()).isFalse();
  }

  @Test
  void deadEntriesAreThoseOfDroppedFiles() {
    tables.insert(KEY, "value");
    int slot = tables.slot(first, KEY);
    assertThat(first.isDead(slot)).isFalse();
    assertThat(first.deaths()).isZero();
    tables.ends.dead.add(HI);
    assertThat(first.isDead(slot)).isTrue();
    assertThat(first.deaths()).isEqualTo(1);
  }

  /** Keys lie in both of their buckets, and each is shown. */
  @Test
  void aTableShowsBothBuckets() {
    for (long lo = 0; lo < 24; lo++) {
      assertThat(tables.insert(lo, "value")).isZero();
      assertThat(first.shows(HI, lo, tables.hash(lo))).isTrue();
    }
  }

  @Test
  void theListenerLearnsWhetherAVictimWasHit() {
    tables.insert(KEY, "value");
    assertThat(tables.get(KEY)).isEqualTo("value");
    int slot = tables.slot(first, KEY);
    long meta = tables.meta(first, slot);
    assertThat(first.slots.take(slot, meta)).isTrue();
    first.evict(slot, meta, new EvictionRequest(1));
    assertThat(tables.ends.ended).containsExactly("1=value EVICTED_AFTER_HIT");
    tables.isWhole();
  }

  @Test
  void anEntryThatMovedToTheFirstSlotIsFreed() {
    for (long lo = 0; lo < 24; lo++) {
      tables.insert(lo, "value " + lo);
    }
    List<TableFixture.Pin> pins = new ArrayList<>();
    for (long lo = 0; lo < 24; lo++) {
      pins.add(tables.pin(lo));
    }
    tables.grow(6);
    assertThat(tables.move()).isTrue();
    assertThat(MetaWord.isVisible(tables.meta(tables.newest(), 0))).isTrue();
    for (TableFixture.Pin pin : pins) {
      assertThat(pin.release(true, true)).as("%s", pin.value()).isTrue();
    }
    tables.isWhole();
    assertThat(tables.ledger.occupancy()).isZero();
    assertThat(tables.ends.ended).hasSize(24).doesNotHaveDuplicates();
  }

  /** The value is the new one as soon as the exchange has ended. */
  @Test
  void aHolderWaitsForTheEndOfAnExchangeToCompare() {
    assertThat(tables.insert(KEY, "value")).isZero();
    int slot = tables.slot(first, KEY);
    long entered = first.exchanges.enter(slot);
    assertThat(entered).isNotZero();
    assertThat(first.pinAny(slot)).isTrue();
    tables.before(
        3,
        () -> {
          first.exchanges.setValue(slot, "newer");
          assertThat(first.exchanges.leave(slot, entered, true)).isFalse();
        });
    assertThat(first.holds(slot, "newer")).isTrue();
    assertThat(tables.wasStopped()).isTrue();
    assertThat(first.holds(slot, "value")).isFalse();
    first.release(slot, true);
    tables.isWhole();
  }

  @Test
  void aValueThatWaitsForAScopeIsChargedUntilThen() {
    tables.ends.hasDisposer = () -> true;
    tables.insert(KEY, "value");
    int scope = tables.reclaimer.enter();
    assertThat(tables.erase(KEY, null)).isTrue();
    assertThat(tables.ends.ended).isEmpty();
    assertThat(tables.reclaimer.retiredBytes()).isEqualTo(CHARGE);
    assertThat(tables.ledger.usage()).isEqualTo(CHARGE);
    Scopes.exit(tables.reclaimer, scope);
    assertThat(tables.ends.ended).containsExactly("1=value FREED");
    tables.isWhole();
  }

  /** Whether the owner makes it wait is decided once, and no later step needs memory for it. */
  @Test
  void whatTheFirstScopeShowsWaitsWheneverThatIsOpened() {
    int[] shown = {0};
    int step = 0;
    TableFixture each;
    do {
      step++;
      each = new TableFixture(3, TableView.SETTLED);
      TableFixture tables = each;
      tables.ends.hasDisposer = () -> true;
      tables.insert(KEY, "value");
      int[] scope = {-1};
      tables.before(
          step,
          () -> {
            scope[0] = tables.reclaimer.enter();
            if (tables.get(KEY) != null) {
              tables.ends.held.add("value");
              shown[0]++;
            }
          });
      assertThat(tables.erase(KEY, null)).isTrue();
      tables.ends.held.clear();
      if (scope[0] >= 0) {
        Scopes.exit(tables.reclaimer, scope[0]);
      }
      assertThat(tables.ends.ended).containsExactly("1=value FREED");
      tables.isWhole();
    } while (each.wasStopped());
    assertThat(shown[0]).isBetween(1, step - 2);
  }
}
