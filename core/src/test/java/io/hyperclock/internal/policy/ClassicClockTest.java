/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.Priority;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotWords;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one turn of the hand of the classic clock does to each entry. */
@Timeout(60)
class ClassicClockTest {
  private static final int SLOTS = 16;
  private static final int STEP = 4;

  private final SlotTable table = new SlotTable(SLOTS, ClassicClock.MAX_COUNTDOWN);
  private final ClassicClock clock = new ClassicClock(table.slots);

  private EvictionRequest request(long bytes, int entries, int effortCap) {
    EvictionRequest request = new EvictionRequest(0);
    request.ask(bytes, entries, effortCap);
    clock.makeRoom(table, request);
    return request;
  }

  private EvictionRequest free(int entries) {
    return request(0, entries, EvictionRequest.NO_EFFORT_CAP);
  }

  private void fillAll(int countdown) {
    for (int slot = 0; slot < SLOTS; slot++) {
      table.fill(slot, countdown);
    }
  }

  private static Integer[] slots(int from, int to) {
    return IntStream.range(from, to).boxed().toArray(Integer[]::new);
  }

  @Test
  void theHandGoesOnFromWhereItWas() {
    fillAll(0);
    EvictionRequest request = free(1);
    assertThat(table.evicted).containsExactly(slots(0, STEP));
    assertThat(request.looks()).isEqualTo(STEP);
    assertThat(request.freedEntries()).isEqualTo(STEP);
    assertThat(request.freedBytes()).isEqualTo(1 + 2 + 3 + 4);
    assertThat(clock.searchedForDead()).isEqualTo(STEP);
    free(STEP + 1);
    assertThat(table.evicted).containsExactly(slots(0, 3 * STEP));
    free(STEP);
    table.fill(2, 0);
    free(1);
    assertThat(table.evicted).hasSize(SLOTS + 1).endsWith(2);
  }

  @Test
  void eachVisitCostsOneOfTheCountdown() {
    table.fill(0, 3);
    table.fill(5, 1);
    table.fill(9, 2);
    assertThat(free(1).looks()).isEqualTo(SLOTS + 2 * STEP);
    assertThat(table.evicted).containsExactly(5);
    assertThat(table.countdown(0)).isEqualTo(1);
    assertThat(table.countdown(9)).isEqualTo(1);
    free(2);
    assertThat(table.evicted).containsExactly(5, 9, 0);
  }

  @Test
  void usesBeyondTheMostDoNotCount() {
    table.fill(1, 50);
    free(1);
    assertThat(table.evicted).containsExactly(1);
    assertThat(clock.searchedForDead()).isEqualTo(ClassicClock.MAX_COUNTDOWN * SLOTS + STEP);
  }

  @Test
  void bytesAreFreedUntilThereAreEnough() {
    fillAll(0);
    EvictionRequest request = request(11, 0, EvictionRequest.NO_EFFORT_CAP);
    assertThat(request.freedEntries()).isEqualTo(2 * STEP);
    assertThat(request.isFulfilled()).isTrue();
  }

  @Test
  void deadAndHiddenEntriesLeaveAtOnce() {
    fillAll(3);
    table.dead.add(6);
    table.set(7, MetaWord.ABANDONED);
    free(2);
    assertThat(table.evicted).containsExactly(6, 7);
    assertThat(table.countdown(5)).isEqualTo(2);
    assertThat(table.countdown(8)).isEqualTo(3);
  }

  @Test
  void hiddenEntriesLeaveWhateverTheirUses() {
    fillAll(3);
    table.set(2, table.meta(2) & ~MetaWord.VISIBLE);
    free(1);
    assertThat(table.evicted).containsExactly(2);
  }

  @Test
  void whatIsPinnedJustBeforeItIsTakenStays() {
    table.fill(0, 0);
    table.before(2, () -> table.hold(0));
    EvictionRequest request = request(0, 1, 1);
    assertThat(table.evicted).isEmpty();
    assertThat(request.freedEntries()).isZero();
    assertThat(request.isEffortExceeded()).as("seen pinned in the next turn").isTrue();
  }

  @Test
  void whatIsHeldIsPassed() {
    fillAll(0);
    for (int slot = 0; slot < SLOTS - 1; slot++) {
      table.hold(slot);
    }
    EvictionRequest request = free(1);
    assertThat(table.evicted).containsExactly(SLOTS - 1);
    assertThat(request.pinnedSeen()).isEqualTo(SLOTS - 1);
    assertThat(request.looks()).isEqualTo(SLOTS);
  }

  @Test
  void whatIsNoEntryIsPassed() {
    table.fill(0, 0);
    assertThat(table.slots.claim(1)).isTrue();
    EvictionRequest request = free(2);
    assertThat(table.evicted).containsExactly(0);
    assertThat(request.pinnedSeen()).isZero();
    assertThat(request.isFulfilled()).isFalse();
    assertThat(SlotWords.state(table.meta(1))).isEqualTo(SlotWords.State.UNDER_CONSTRUCTION);
  }

  /** Without a cap everything that is not pinned leaves, used or not, and then the search ends. */
  @Test
  void aSearchThatMustFreeTakesWhatIsUsed() {
    fillAll(3);
    table.hold(2);
    EvictionRequest request = free(SLOTS);
    assertThat(table.evicted).hasSize(SLOTS - 1).doesNotContain(2);
    assertThat(request.isFulfilled()).isFalse();
    assertThat(request.looks()).isBetween(4L * SLOTS, 4L * SLOTS + STEP);
    table.fill(0, 1);
    table.slots.tick(0);
    free(1);
    assertThat(table.evicted).hasSize(SLOTS);
  }

  @Test
  void effortIsCapped() {
    fillAll(0);
    for (int slot = 0; slot < SLOTS; slot++) {
      if (slot != 1) {
        table.hold(slot);
      }
    }
    EvictionRequest request = request(0, 2, 5);
    assertThat(request.isEffortExceeded()).isTrue();
    assertThat(table.evicted).containsExactly(1);
    assertThat(request.looks()).as("(freed + 1) * 5 pinned ones").isEqualTo(3 * STEP);
  }

  /** With a cap a search ends after as many turns as there are uses. */
  @Test
  void aSearchOfAnEmptyTableEnds() {
    EvictionRequest request = request(0, 1, 5);
    assertThat(request.isFulfilled()).isFalse();
    assertThat(request.isEffortExceeded()).isFalse();
    assertThat(request.looks()).isEqualTo((ClassicClock.MAX_COUNTDOWN + 1) * SLOTS + STEP);
    assertThat(free(1).looks()).isEqualTo((ClassicClock.MAX_COUNTDOWN + 1) * SLOTS + STEP);
  }

  @Test
  void newcomersStartByTheirPriority() {
    for (Priority priority : Priority.values()) {
      int newcomer = clock.newcomer(7, priority, 9);
      int expected =
          switch (priority) {
            case HIGH -> 3;
            case LOW -> 2;
            case BOTTOM -> 1;
          };
      assertThat(InitialState.countdown(newcomer)).isEqualTo(expected);
      assertThat(clock.countdown(priority)).isEqualTo(expected);
      assertThat(InitialState.isMain(newcomer)).isFalse();
      assertThat(InitialState.policy(newcomer)).isZero();
    }
    assertThat(clock.inherited(3)).isEqualTo(3);
  }

  @Test
  void ofTwoBucketsTheLeastUsedLeaves() {
    fillAll(2);
    table.set(3, MetaWord.visible(1, false, true, 0));
    table.slots.annotate(3, table.meta(3), 0);
    EvictionRequest request = new EvictionRequest(0);
    assertThat(clock.makeRoomIn(table, 1, 0, request)).isTrue();
    assertThat(table.evicted).containsExactly(3);
    assertThat(request.freedBytes()).isEqualTo(4);
    table.fill(3, 2);
    // A pin that has ended without a use leaves its mark.
    for (int slot = 0; slot < SLOTS; slot++) {
      if (slot != 9) {
        assertThat(table.slots.pin(slot, table.meta(slot), 0, slot, 9))
            .isEqualTo(SlotProtocol.PINNED);
        table.slots.release(slot, false, false);
      }
    }
    assertThat(clock.makeRoomIn(table, 0, 1, request)).isTrue();
    assertThat(table.evicted).containsExactly(3, 9);
  }

  /** Whoever must free in the end takes what is used again and again; others leave it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsUsedAllTheTimeIsTakenOnlyIfItMust(boolean must) {
    fillAll(3);
    int[] uses = {0};
    table.looked = slot -> table.set(slot, MetaWord.visible(3, false, true, ++uses[0] % 100));
    EvictionRequest request = request(0, 2, must ? EvictionRequest.NO_EFFORT_CAP : 5);
    assertThat(request.isFulfilled()).isEqualTo(must);
    assertThat(table.evicted).containsExactly(slots(0, must ? STEP : 0));
  }

  @Test
  void ofTwoBucketsNothingLeavesIfAllAreHeldOrJustUsed() {
    fillAll(1);
    table.looked = slot -> table.slots.tick(slot);
    EvictionRequest request = new EvictionRequest(0);
    assertThat(clock.makeRoomIn(table, 0, 1, request)).as("hot after a few tries").isTrue();
    assertThat(table.evicted).hasSize(1);
    table.looked = slot -> table.hold(slot);
    assertThat(clock.makeRoomIn(table, 0, 1, request)).as("pinned when it was seen").isFalse();
    table.looked = slot -> {};
    assertThat(clock.makeRoomIn(table, 0, 1, request)).isFalse();
    assertThat(table.evicted).hasSize(1);
    assertThat(request.freedEntries()).isEqualTo(1);
  }
}
