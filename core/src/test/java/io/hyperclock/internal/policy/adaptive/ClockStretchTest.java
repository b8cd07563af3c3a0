/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.SlotTable;
import org.junit.jupiter.api.Test;

/** Which slots those see who move the main hand. */
class ClockStretchTest {
  private static final int COUNT = 4 * ClockStretch.SLOTS + 8;

  private final SlotTable table = new SlotTable(COUNT, AdaptiveClock.MAX_COUNTDOWN);
  private final AdaptiveClock clock =
      new AdaptiveClock(table.slots, new KnownFigures(COUNT, 0), COUNT);

  @Test
  void eachHasAStretchOfItsOwn() {
    ClockStretch one = new ClockStretch(clock, 0);
    ClockStretch another = new ClockStretch(clock, 1);
    ClockStretch passing = new ClockStretch(clock, EvictionRequest.NOT_KEPT);
    for (int i = 0; i < ClockStretch.SLOTS; i++) {
      assertThat(one.next()).isEqualTo(i);
      assertThat(another.next()).isEqualTo(ClockStretch.SLOTS + i);
    }
    assertThat(passing.next()).isEqualTo(2 * ClockStretch.SLOTS);
    for (int i = 0; i < ClockStretch.SLOTS; i++) {
      assertThat(one.next()).isEqualTo(2 * ClockStretch.SLOTS + 1 + i);
    }
    assertThat(passing.next()).isEqualTo(3 * ClockStretch.SLOTS + 1);
    for (int i = 2; i < ClockStretch.SLOTS + 2; i++) {
      assertThat(another.next()).isEqualTo((3 * ClockStretch.SLOTS + i) % COUNT);
    }
    for (int i = 2; i < 8; i++) {
      assertThat(one.next()).isEqualTo(4 * ClockStretch.SLOTS + i);
    }
    assertThat(one.next()).as("around").isZero();
  }

  @Test
  void inASmallTableItIsAQuarterOfTheSlots() {
    SlotTable few = new SlotTable(16, AdaptiveClock.MAX_COUNTDOWN);
    AdaptiveClock clockOfFew = new AdaptiveClock(few.slots, new KnownFigures(12, 0), 12);
    ClockStretch one = new ClockStretch(clockOfFew, 0);
    ClockStretch another = new ClockStretch(clockOfFew, 1);
    assertThat(one.next()).isZero();
    assertThat(another.next()).isEqualTo(4);
    for (int slot : new int[] {1, 2, 3, 8, 9, 10, 11, 12}) {
      assertThat(one.next()).isEqualTo(slot);
    }
    for (int slot : new int[] {5, 6, 7, 0}) {
      assertThat(another.next()).isEqualTo(slot);
    }
  }
}
