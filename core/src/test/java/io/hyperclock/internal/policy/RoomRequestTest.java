/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What one insert has to tell the sums that all threads share, and the hands they go with. */
class RoomRequestTest {
  private static final boolean MAIN = true;
  private static final boolean PROBATION = false;

  private final RoomRequest room = new RoomRequest(7);

  @Test
  void anEntryForAnotherOfItsSizeChangesNoSum() {
    room.arrives();
    room.ask(7, 0, RoomRequest.NO_EFFORT_CAP);
    room.classChanged(MAIN, -7);
    room.owe(7);
    room.classChanged(PROBATION, -7);
    room.classChanged(MAIN, 7);
    room.classChanged(PROBATION, 7);
    assertThat(room.probation()).isZero();
    assertThat(room.main()).isZero();
    assertThat(room.chargeBytes() - room.takeOwedBytes()).isZero();
    assertThat(room.unknownEntries()).isZero();
    assertThat(1 - room.takeOwedEntries()).isZero();
  }

  @Test
  void whatIsToBeToldOutlivesTheRequest() {
    room.owe(7);
    room.evicted(9);
    room.freed(7);
    room.ask(1, 1, RoomRequest.NO_EFFORT_CAP);
    assertThat(room.freedEntries()).isZero();
    assertThat(room.isFulfilled()).isFalse();
    assertThat(room.takeOwedBytes()).isEqualTo(7);
    assertThat(room.takeOwedBytes()).isZero();
    assertThat(room.takeOwedEntries()).isEqualTo(1);
    assertThat(room.takeOwedEntries()).isZero();
    assertThat(room.hasEvicted()).isTrue();
    assertThat(room.takeEvicted()).isEqualTo(9);
    assertThat(room.hasEvicted()).isFalse();
  }

  @Test
  void oneInsertAtATimeUsesIt() {
    assertThat(room.begin(1)).isFalse();
    room.end();
    assertThat(room.begin(2)).isTrue();
    assertThat(room.chargeBytes()).isEqualTo(2);
    assertThat(room.begin(3)).isFalse();
    assertThat(room.chargeBytes()).isEqualTo(2);
  }

  @Test
  void oneThreadAloneHasAPlainHand() {
    Hands hands = new Hands(5000);
    int mine = hands.mine();
    long position = hands.position(mine);
    for (int slot = 0; slot < 2 * 5000; slot++) {
      assertThat(hands.slot(position)).isEqualTo(slot % 5000);
      position = hands.move(mine, position, position + 1);
    }
    assertThat(hands.move(mine, 0, 5)).as("moved by another").isEqualTo(position);
  }
}
