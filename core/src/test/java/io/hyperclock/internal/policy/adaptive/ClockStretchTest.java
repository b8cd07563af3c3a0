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
  private static final int COUNT = 2 * ClockStretch.SLOTS + 8;

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
    assertThat(one.next()).isEqualTo(2 * ClockStretch.SLOTS + 1);
    assertThat(passing.next()).isEqualTo(ClockStretch.SLOTS - 7);
    assertThat(another.next()).isEqualTo(ClockStretch.SLOTS - 6);
    for (int i = 2; i < 8; i++) {
      assertThat(one.next()).isEqualTo(2 * ClockStretch.SLOTS + i);
    }
    assertThat(one.next()).as("around").isZero();
  }
}
