/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In which order entries on probation have their turn, and which of them are passed. */
class ProbationQueueTest {
  private static final int SLOTS = 40;

  /** Entries that a ring of such a table takes. */
  private static final int MOST = 8;

  private static final int NUMBER = 5;

  private final FewEntries entries = new FewEntries(SLOTS);
  private final ProbationQueue queue = new ProbationQueue(entries, NUMBER);

  /** Each slot has had an entry before. */
  @BeforeEach
  void fill() {
    for (int slot = 0; slot < SLOTS; slot++) {
      entries.fill(slot);
      entries.replace(slot);
    }
  }

  private void enqueue(int... slots) {
    for (int slot : slots) {
      queue.enqueue(slot, entries.tail(slot));
    }
  }

  @Test
  void entriesLeaveInTheOrderOfTheirArrival() {
    enqueue(3, 1, 2);
    assertThat(queue.ring.length).isEqualTo(3);
    assertThat(queue.ring.front()).isEqualTo(entries.token(3));
    for (int slot : new int[] {3, 1, 2}) {
      assertThat(queue.takeOwn()).isEqualTo(entries.token(slot));
    }
    assertThat(queue.takeOwn()).isEqualTo(ProbationRing.NONE);
    assertThat(queue.ring.length).isZero();
  }

  @Test
  void whenFullTheOldestGoesToMain() {
    enqueue(IntStream.range(1, MOST).toArray());
    assertThat(queue.ring.isFull()).isFalse();
    enqueue(MOST);
    assertThat(queue.ring.isFull()).isTrue();
    assertThat(entries.usage.main()).isZero();
    enqueue(MOST + 1);
    assertThat(queue.ring.isFull()).isTrue();
    assertThat(queue.ring.length).isEqualTo(MOST);
    assertThat(entries.isMain(1)).isTrue();
    assertThat(entries.isMain(2)).isFalse();
    assertThat(entries.usage.main()).isEqualTo(2);
    assertThat(queue.takeOwn()).isEqualTo(entries.token(2));
  }

  @Test
  void entriesKnowWhenTheyCame() {
    enqueue(1);
    entries.learned.nextTurn();
    enqueue(2);
    assertThat(ProbationRing.isOlder(queue.takeOwn(), entries.token(2))).isTrue();
    assertThat(queue.takeOwn()).isEqualTo(entries.token(2));
  }

  @Test
  void entriesThatComeAgainAreNewOnesUnlessTheyAreGone() {
    long stays = entries.token(3);
    long goes = entries.token(4);
    entries.replace(4);
    entries.learned.nextTurn();
    queue.enqueueAgain(stays);
    queue.enqueueAgain(goes);
    assertThat(queue.ring.length).isEqualTo(1);
    assertThat(queue.takeOwn()).isEqualTo(entries.token(3)).isNotEqualTo(stays);
  }

  /** The next entry in the slot of one that is gone does not go to main in its place. */
  @Test
  void onlyTheEntryItselfGoesToMain() {
    enqueue(3, 4);
    entries.replace(3);
    queue.promoteOldest();
    queue.promoteOldest();
    assertThat(entries.isMain(3)).isFalse();
    assertThat(entries.isMain(4)).isTrue();
    assertThat(entries.usage.main()).isEqualTo(5);
  }

  @Test
  void oneOfSixtyFourIsTakenFromAnotherRingThatHasAnOlderOne() {
    long other = entries.token(20);
    for (int round = 1; round <= 3; round++) {
      for (int taken = 1; taken < 64; taken++) {
        enqueue(1);
        assertThat(queue.takeOldest()).isEqualTo(entries.token(1));
      }
      assertThat(entries.asked).hasSize(round - 1);
      if (round == 2) {
        entries.others.put(NUMBER + round, other);
      }
      enqueue(2);
      assertThat(queue.takeOldest()).isEqualTo(round == 2 ? other : entries.token(2));
      assertThat(entries.asked).last().isEqualTo(NUMBER + round + " 2");
      queue.takeOwn();
    }
  }

  @Test
  void anEmptyRingTakesFromTheOthers() {
    assertThat(queue.takeOldest()).isEqualTo(ProbationRing.NONE);
    assertThat(entries.asked)
        .containsExactly("6 -1", "7 -1", "8 -1", "9 -1", "10 -1", "11 -1", "12 -1", "13 -1");
    entries.asked.clear();
    entries.others.put(15, entries.token(20));
    entries.others.put(16, entries.token(21));
    assertThat(queue.takeOldest()).isEqualTo(entries.token(20));
    assertThat(entries.asked).containsExactly("14 -1", "15 -1");
    assertThat(queue.takeOldest()).isEqualTo(entries.token(21));
  }

  /** What is to be loaded ahead. */
  @Test
  void tellsTheEntryThatIsNext() {
    enqueue(3, 4);
    queue.takeOwn();
    assertThat(queue.next).isEqualTo(4);
    queue.takeOwn();
    assertThat(queue.next).as("none: any slot does").isZero();
  }
}
