/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import static io.hyperclock.internal.capacity.RoomFixture.METADATA;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.policy.EvictionRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What leaves although there is room, and what it costs where all is pinned. */
@Timeout(60)
class EarlySweepTest {
  private static final int SLOTS = 256;

  private final RoomFixture room = new RoomFixture(RoomFixture.ledger(false), SLOTS);

  private void useSome() {
    room.use(METADATA + 1280, 20);
  }

  /** A sweep that finds nothing. */
  private void findNothing(int looks) {
    room.room.left = bytes -> -1;
    room.room.looks = looks;
    assertThat(room.enforcer.evictSome(100)).isFalse();
    assertThat(room.room.asked).containsExactly("100");
    room.room.asked.clear();
  }

  @ParameterizedTest
  @CsvSource({"0, 10", "9, 10", "11, 11"})
  void asksForASmallPartOrForTheLeastThatIsWanted(long least, long asked) {
    useSome();
    assertThat(room.enforcer.evictSome(least)).isTrue();
    assertThat(room.room.asked).containsExactly(Long.toString(asked));
    assertThat(room.room.hasTime).isTrue();
    assertThat(room.ledger.usage()).isEqualTo(METADATA + 1280 - asked);
    assertThat(room.ledger.occupancy()).isEqualTo(19);
  }

  @Test
  void anInsertThatComesAfterItHasNoTime() {
    useSome();
    assertThat(room.enforcer.evictSome(0)).isTrue();
    assertThat(room.enforcer.reserveUsage(RoomFixture.CAPACITY - METADATA)).isTrue();
    assertThat(room.room.asked).hasSize(2);
    assertThat(room.room.hasTime).isFalse();
  }

  @Test
  void nothingLeavesWhereNoEntryIs() {
    room.use(METADATA + 1280, 0);
    assertThat(room.enforcer.evictSome(100)).isFalse();
    assertThat(room.room.asked).isEmpty();
  }

  @Test
  void theRequestIsEnded() {
    EvictionRequest first = room.enforcer.request(1);
    first.end();
    useSome();
    assertThat(room.enforcer.evictSome(0)).isTrue();
    assertThat(room.enforcer.request(2)).isSameAs(first);
  }

  /** Each looks at 1,024 slots. */
  @ParameterizedTest
  @CsvSource({"1024, 0", "1025, 1", "2048, 1", "2049, 2", "4096, 3"})
  void afterASweepInVainOthersLookAtAFewSlotsUntilTheyHaveMadeUpForIt(int looks, int few) {
    useSome();
    findNothing(looks);
    for (int i = 0; i < few; i++) {
      assertThat(room.enforcer.evictSome(100)).isFalse();
      assertThat(room.room.asked).isEmpty();
    }
    assertThat(room.enforcer.evictSome(100)).isFalse();
    assertThat(room.room.asked).hasSize(1);
  }

  @Test
  void aSweepThatFoundEnoughIsNotMadeUpFor() {
    useSome();
    room.room.looks = 5000;
    for (int sweeps = 1; sweeps <= 3; sweeps++) {
      assertThat(room.enforcer.evictSome(100)).isTrue();
      assertThat(room.room.asked).hasSize(sweeps);
    }
  }

  @Test
  void whereAFewLooksFindEnoughTheNextIsASweepAgain() {
    useSome();
    findNothing(5000);
    room.insert(1, 60, false);
    room.insert(2, 30, false);
    room.insert(3, 70, true);
    assertThat(room.enforcer.evictSome(100)).as("what there is").isTrue();
    assertThat(room.ledger.usage()).isEqualTo(METADATA + 1280 - 60 - 30);
    assertThat(room.ledger.occupancy()).isEqualTo(18);
    assertThat(room.enforcer.evictSome(100)).isFalse();
    room.insert(4, 100, false);
    assertThat(room.enforcer.evictSome(100)).isTrue();
    assertThat(room.ledger.usage()).isEqualTo(METADATA + 1280 - 60 - 30 - 100);
    assertThat(room.room.asked).isEmpty();
    assertThat(room.enforcer.evictSome(100)).isFalse();
    assertThat(room.room.asked).hasSize(1);
  }
}
