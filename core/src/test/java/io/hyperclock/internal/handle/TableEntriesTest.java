/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import static io.hyperclock.internal.handle.OneTable.CAPACITY;
import static io.hyperclock.internal.handle.OneTable.CHARGE;
import static io.hyperclock.internal.handle.OneTable.HI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.Handle;
import io.hyperclock.OpenHandle;
import io.hyperclock.internal.slot.MetaWord;
import org.junit.jupiter.api.Test;

/** Handles on the entries of a table, tracked and not. */
class TableEntriesTest {
  private static final long KEY = 1;

  private final OneTable table = new OneTable();

  private void assertIsOf(Handle<String> handle) {
    assertThat(handle.keyHi()).isEqualTo(HI);
    assertThat(handle.keyLo()).isEqualTo(KEY);
    assertThat(handle.value()).isEqualTo("value");
    assertThat(handle.type()).isSameAs(table.type);
    assertThat(handle.chargeBytes()).isEqualTo(CHARGE);
    assertThat(handle.isStandalone()).isFalse();
    assertThat(handle.isReleased()).isFalse();
  }

  @Test
  void aHandleAnswersWithWhatItsSlotHolds() {
    int slot = table.insert(KEY, "value", table.type);
    assertThat(table.entries.chargeBytesSoon(slot)).isEqualTo(CHARGE);
    Handle<String> handle = table.entries.handle(slot, "value");
    assertThat(handle).isInstanceOf(PinnedHandle.class);
    assertIsOf(handle);
    Handle<String> another = handle.ref();
    assertIsOf(another);
    assertThat(table.pins(slot)).isEqualTo(2);
    handle.close();
    another.close();
    assertThat(table.pins(slot)).isZero();
  }

  @Test
  void aTrackedHandleAnswersAsItsPin() {
    int slot = table.insert(KEY, "value", table.type);
    Handle<String> handle = table.tracked.handle(slot, "value");
    assertThat(handle).isInstanceOf(TrackedHandle.class);
    assertIsOf(handle);
    Handle<String> another = handle.ref();
    assertThat(another).isInstanceOf(TrackedHandle.class);
    assertIsOf(another);
    another.close();
    assertThat(another.isReleased()).isTrue();
    assertThatThrownBy(another::value).hasMessage("handle must not be released: released=true");
    assertThat(table.tracker.longestHeld(9))
        .singleElement()
        .satisfies(
            open -> {
              assertThat(open.keyHi()).isEqualTo(HI);
              assertThat(open.keyLo()).isEqualTo(KEY);
              assertThat(open.type()).isSameAs(table.type);
              assertThat(open.thread()).isEqualTo(Thread.currentThread().getName());
              assertThat(open.takenAt()).isNotEmpty();
            });
    handle.close();
    assertThat(table.pins(slot)).isZero();
  }

  @Test
  void aChangedChargeIsOnTheSumAndToldToThePolicy() {
    int slot = table.insert(KEY, "value", table.type);
    Handle<String> handle = table.tracked.handle(slot, "value");
    assertThat(handle.adjustCharge(300)).isTrue();
    assertThat(handle.chargeBytes()).isEqualTo(300);
    assertThat(table.ledger.usage()).isEqualTo(300);
    assertThat(handle.adjustCharge(CAPACITY + 1)).isFalse();
    assertThat(table.tracker.longestHeld(9))
        .extracting(OpenHandle::chargeBytes)
        .containsExactly(300L);
    assertThat(handle.adjustCharge(7)).isTrue();
    assertThat(table.ledger.usage()).isEqualTo(7);
    assertThat(table.recharged).containsExactly("100 to 300", "300 to 7");
    assertThatThrownBy(() -> handle.adjustCharge(-1)).hasMessageContaining("chargeBytes=-1");
    assertThat(table.pins(slot)).isEqualTo(1);
    handle.close();
  }

  /** There may be more than the capacity allows: it can have shrunk. */
  @Test
  void aChargeThatDoesNotRiseNeedsNoRoom() {
    int slot = table.insert(KEY, "value", table.type);
    table.ledger.addUsage(2 * CAPACITY);
    try (Handle<String> handle = table.entries.handle(slot, "value")) {
      assertThat(handle.adjustCharge(CHARGE + 1)).isFalse();
      assertThat(handle.adjustCharge(CHARGE)).isTrue();
      assertThat(handle.adjustCharge(CHARGE - 1)).isTrue();
    }
    assertThat(table.ledger.usage()).isEqualTo(2 * CAPACITY + CHARGE - 1);
  }

  private void assertEachWayToEndAPin(TableEntries entries) {
    Handle<String> closed = entries.handle(table.insert(KEY, "closed", table.disposable), "closed");
    closed.close();
    Handle<String> discarded = entries.handle(table.pin(KEY), "closed");
    assertThat(discarded.discard()).as("the table keeps it").isFalse();
    Handle<String> other = entries.handle(table.pin(KEY), "closed");
    Handle<String> last = other.ref();
    assertThat(other.eraseIfLast()).isFalse();
    assertThat(table.disposed).isEmpty();
    assertThat(last.eraseIfLast()).isTrue();
    assertThat(table.disposed).containsExactly("closed");
    assertThat(table.pin(KEY)).isNegative();

    Handle<String> erased = entries.handle(table.insert(2, "erased", table.disposable), "erased");
    table.erase(2);
    assertThat(table.disposed).hasSize(1);
    assertThat(erased.discard()).isTrue();
    assertThat(table.disposed).containsExactly("closed", "erased");
    assertThat(table.ledger.usage()).isZero();
  }

  @Test
  void theLastPinOfWhatWasErasedFreesIt() {
    assertEachWayToEndAPin(table.entries);
  }

  @Test
  void theLastPinOfATrackedHandleOnWhatWasErasedFreesIt() {
    assertEachWayToEndAPin(table.tracked);
    assertThat(table.tracker.longestHeld(9)).isEmpty();
  }

  @Test
  void theLastPinHereOfWhatIsPinnedInTheNextTableFreesNothing() {
    int slot = table.insert(KEY, "value", table.disposable);
    Handle<String> handle = table.entries.handle(slot, "value");
    Runnable unpin = table.pinMoved(table.move(), KEY);
    table.erase(KEY);
    assertThat(handle.discard()).isFalse();
    assertThat(table.disposed).isEmpty();
    unpin.run();
    assertThat(table.disposed).containsExactly("value");
  }

  @Test
  void anEntryHasNoMorePinsThanASlotCounts() {
    int slot = table.insert(KEY, "value", table.type);
    for (int pins = 1; pins < MetaWord.MAX_PINS; pins++) {
      table.entries.ref(slot);
    }
    assertThatThrownBy(() -> table.entries.ref(slot)).hasMessageContaining("pins=");
    assertThat(table.entries.release(slot, true, false)).isFalse();
    table.entries.ref(slot);
  }

  @Test
  void aHandleThatCannotBeTrackedKeepsNoPin() {
    int slot = table.insert(KEY, "value", table.type);
    PinnedHandle<String> pinned = table.tracked.pinned(table.pin(KEY));
    table.clockThrows = true;
    assertThatThrownBy(() -> table.tracked.handle(slot, "value")).hasMessage("clock");
    assertThat(table.pins(slot)).isEqualTo(1);
    assertThatThrownBy(() -> table.tracked.trackedOrReleased(pinned)).hasMessage("clock");
    assertThat(pinned.isReleased()).isTrue();
    assertThat(table.pins(slot)).isZero();
    table.clockThrows = false;
    PinnedHandle<String> again = table.tracked.pinned(table.pin(KEY));
    assertThat(again.value()).isEqualTo("value");
    Handle<String> handle = table.tracked.trackedOrReleased(again);
    assertThat(handle).isInstanceOf(TrackedHandle.class);
    handle.close();
    assertThat(table.pins(slot)).isZero();
  }

  @Test
  void aValueThatTheCollectorOwnsNeedsNoPin() {
    int slot = table.insert(KEY, "value", table.type);
    PinnedHandle<String> handle = table.entries.pinnedValue(slot);
    assertThat(table.pins(slot)).isZero();
    assertIsOf(handle);
    assertThat(handle.discard()).isFalse();
    assertThat(table.ledger.usage()).isEqualTo(CHARGE);
    assertThat(table.ledger.standaloneUsage()).isZero();
  }

  @Test
  void aValueThatIsFreedExplicitlyKeepsItsPin() {
    int slot = table.insert(KEY, "value", table.disposable);
    PinnedHandle<String> handle = table.entries.pinnedValue(slot);
    assertThat(table.pins(slot)).isEqualTo(1);
    assertThat(handle.value()).isEqualTo("value");
    table.erase(KEY);
    assertThat(table.disposed).isEmpty();
    assertThat(handle.discard()).isTrue();
    assertThat(table.disposed).containsExactly("value");
  }
}
