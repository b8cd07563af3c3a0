/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.SlotTable;
import io.hyperclock.internal.slot.MetaWord;
import org.junit.jupiter.api.Test;

/** How much a short sweep looks at, and what it takes. */
class ShortSweepTest {
  private static final int STEP = 64;

  private static EvictionRequest run(
      ShortSweep sweep, SlotTable table, int entries, int effortCap) {
    EvictionRequest request = new EvictionRequest(0);
    request.ask(0, entries, effortCap);
    sweep.run(table, request);
    return request;
  }

  @Test
  void takesAsMuchAsIsAskedForAndGoesOnFromThere() {
    SlotTable table = new SlotTable(2 * STEP, 3);
    ShortSweep sweep = new ShortSweep(table.slots);
    for (int slot = 0; slot < 2 * STEP; slot++) {
      table.fill(slot, 3);
    }
    EvictionRequest request = run(sweep, table, 2, 1);
    assertThat(table.evicted).containsExactly(0, 1);
    assertThat(request.looks()).isEqualTo(STEP);
    assertThat(request.freedBytes()).isEqualTo(1 + 2);
    run(sweep, table, 1, 1);
    run(sweep, table, 1, 1);
    assertThat(table.evicted).containsExactly(0, 1, STEP, 2);
  }

  @Test
  void looksAtEachSlotOfASmallTableOnce() {
    SlotTable table = new SlotTable(STEP + 8, 3);
    ShortSweep sweep = new ShortSweep(table.slots);
    table.fill(STEP + 5, 1);
    EvictionRequest request = run(sweep, table, 2, EvictionRequest.NO_EFFORT_CAP);
    assertThat(table.evicted).containsExactly(STEP + 5);
    assertThat(request.looks()).isEqualTo(2 * STEP);
    assertThat(request.isFulfilled()).isFalse();
  }

  @Test
  void looksAtAPartOfALargeTable() {
    int slots = 2 * ShortSweep.LOOKS;
    SlotTable table = new SlotTable(slots, 3);
    ShortSweep sweep = new ShortSweep(table.slots);
    table.fill(ShortSweep.LOOKS, 1);
    assertThat(run(sweep, table, 1, 1).looks()).isEqualTo(ShortSweep.LOOKS);
    assertThat(table.evicted).isEmpty();
    assertThat(run(sweep, table, 1, 1).looks()).isEqualTo(STEP);
    assertThat(table.evicted).containsExactly(ShortSweep.LOOKS);
  }

  @Test
  void passesWhatIsHeldOrNoEntryAndTakesWhatIsHidden() {
    SlotTable table = new SlotTable(STEP, 3);
    ShortSweep sweep = new ShortSweep(table.slots);
    for (int slot = 0; slot < 6; slot++) {
      table.fill(slot, 3);
      table.hold(slot);
    }
    table.fill(6, 3);
    table.set(6, MetaWord.ABANDONED);
    assertThat(table.slots.claim(7)).isTrue();
    EvictionRequest request = run(sweep, table, 2, 3);
    assertThat(table.evicted).containsExactly(6);
    assertThat(request.pinnedSeen()).isEqualTo(6);
    assertThat(request.isEffortExceeded()).isTrue();
    assertThat(run(sweep, table, 2, 7).isEffortExceeded()).isFalse();
  }

  @Test
  void whatIsPinnedJustBeforeItIsTakenStays() {
    SlotTable table = new SlotTable(STEP, 3);
    table.fill(5, 1);
    table.before(5 + 2, () -> table.hold(5));
    EvictionRequest request = run(new ShortSweep(table.slots), table, 1, 9);
    assertThat(table.evicted).isEmpty();
    assertThat(request.freedEntries()).isZero();
    assertThat(MetaWord.refcount(table.meta(5))).isEqualTo(1);
  }

  @Test
  void looksAtNothingIfNothingIsMissing() {
    SlotTable table = new SlotTable(STEP, 3);
    table.fill(0, 0);
    assertThat(run(new ShortSweep(table.slots), table, 0, 1).looks()).isZero();
    assertThat(table.evicted).isEmpty();
  }
}
