/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.EvictionRequests;
import io.hyperclock.internal.policy.SlotTable;
import org.junit.jupiter.api.Test;

/** Which slots those see who move the main hand. */
class MainHandStretchTest {
  private static final int COUNT = 4 * MainHand.STRETCH + 8;

  private final SlotTable table = new SlotTable(COUNT, AdaptiveClock.MAX_COUNTDOWN);
  private final AdaptiveClock clock =
      new AdaptiveClock(table.slots, new KnownFigures(COUNT, 0), COUNT);
  private final EvictionRequests requests = new EvictionRequests(COUNT);

  private static MainHand hand(AdaptiveClock clock, EvictionRequest request) {
    return new MainHand(clock, request, new SearchSteps(clock, request));
  }

  @Test
  void eachHasAStretchOfItsOwn() {
    MainHand one = hand(clock, requests.begin(0));
    MainHand another = hand(clock, requests.begin(0));
    MainHand passing = hand(clock, new EvictionRequest(0));
    for (int i = 0; i < MainHand.STRETCH; i++) {
      assertThat(one.nextSlot()).isEqualTo(i);
      assertThat(another.nextSlot()).isEqualTo(MainHand.STRETCH + i);
    }
    assertThat(passing.nextSlot()).isEqualTo(2 * MainHand.STRETCH);
    for (int i = 0; i < MainHand.STRETCH; i++) {
      assertThat(one.nextSlot()).isEqualTo(2 * MainHand.STRETCH + 1 + i);
    }
    assertThat(passing.nextSlot()).isEqualTo(3 * MainHand.STRETCH + 1);
    for (int i = 2; i < MainHand.STRETCH + 2; i++) {
      assertThat(another.nextSlot()).isEqualTo((3 * MainHand.STRETCH + i) % COUNT);
    }
    for (int i = 2; i < 8; i++) {
      assertThat(one.nextSlot()).isEqualTo(4 * MainHand.STRETCH + i);
    }
    assertThat(one.nextSlot()).as("around").isZero();
  }

  @Test
  void inASmallTableItIsAQuarterOfTheSlots() {
    SlotTable few = new SlotTable(16, AdaptiveClock.MAX_COUNTDOWN);
    AdaptiveClock clockOfFew = new AdaptiveClock(few.slots, new KnownFigures(12, 0), 12);
    MainHand one = hand(clockOfFew, requests.begin(0));
    MainHand another = hand(clockOfFew, requests.begin(0));
    assertThat(one.nextSlot()).isZero();
    assertThat(another.nextSlot()).isEqualTo(4);
    for (int slot : new int[] {1, 2, 3, 8, 9, 10, 11, 12}) {
      assertThat(one.nextSlot()).isEqualTo(slot);
    }
    for (int slot : new int[] {5, 6, 7, 0}) {
      assertThat(another.nextSlot()).isEqualTo(slot);
    }
  }
}
