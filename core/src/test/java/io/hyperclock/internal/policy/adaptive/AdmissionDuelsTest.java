/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Votes and flags of duels, by one thread. */
class AdmissionDuelsTest {
  private static final int USED = 2;
  private static final int SLOT = 3;
  private static final int DIFFERENCE = 1;
  private static final int ENTRIES = 1000;
  private static final int CELLS = 4;
  private static final int MISSES_PER_CELL = 8;

  private final LearnedParameters learned = new LearnedParameters();
  private final SlotProtocol slots = new SlotProtocol(new HeapSlotStore(8), USED);
  private final SlotStore store = slots.store();
  private final KnownFigures budget = new KnownFigures(ENTRIES, ENTRIES);
  private AdmissionDuels duels;
  private int missed;

  @BeforeEach
  void fill() {
    duels = new AdmissionDuels(slots, learned, budget, 16 * CELLS);
    for (int slot = 0; slot < store.slots(); slot++) {
      publish(slot);
    }
  }

  private void publish(int slot) {
    assertThat(slots.claim(slot)).isTrue();
    slots.fill(slot, 0, slot, "value", ChargeWord.of(0, 1));
    slots.store().setMetaRelease(slot, MetaWord.visible(1, false, true, 0));
  }

  private void leave(int slot) {
    assertThat(slots.take(slot, store.metaAcquire(slot))).isTrue();
    slots.beginTearDown(slot);
    slots.finishTearDown(slot);
  }

  /** Mixed hashes of different keys in one cell. */
  private static long key(int i, int cell) {
    return (i + 1L) << 32 | cell;
  }

  private void start(long absent, int slot, AdmissionDuels.Kind kind) {
    duels.start(absent, slot, store.tailAcquire(slot), DIFFERENCE, kind);
  }

  private void missed(long key) {
    duels.missed(key);
    if (++missed % duels.missesPerTurn() == 0) {
      duels.turn();
    }
  }

  private void use(int slot) {
    slots.tick(slot);
  }

  private boolean isFlagged(int slot) {
    return PolicyBits.isDuelling(MetaWord.policy(store.metaAcquire(slot)));
  }

  /** Each cell has its turn. */
  private void sweep() {
    for (int i = 0; i < MISSES_PER_CELL * CELLS; i++) {
      missed(key(100 + i, i % CELLS));
    }
  }

  @ParameterizedTest(name = "{0}, occupant used: {1}, other came back: {2}")
  @CsvSource({
    "ADMITTED, true, false, 1, 0",
    "ADMITTED, true, true, 1, 0",
    "ADMITTED, false, true, -1, 0",
    "REJECTED, true, false, -1, -1",
    "REJECTED, true, true, -1, -1",
    "REJECTED, false, true, 1, 2"
  })
  void whoIsUsedFirstWins(
      AdmissionDuels.Kind kind, boolean used, boolean returned, int votes, int probation) {
    for (int i = 0; i < 50; i++) {
      learned.resizeProbation(2, ENTRIES);
    }
    long halves = learned.probationHalves(ENTRIES);
    start(key(1, 0), SLOT, kind);
    assertThat(isFlagged(SLOT)).isTrue();
    if (used) {
      use(SLOT);
    }
    if (returned) {
      duels.missed(key(1, 0));
    } else {
      sweep();
    }
    assertThat(learned.score(DIFFERENCE)).isEqualTo(4 + votes);
    assertThat(learned.score(0)).isEqualTo(-4);
    assertThat(learned.probationHalves(ENTRIES)).isEqualTo(halves + probation);
    assertThat(isFlagged(SLOT)).isFalse();
  }

  @Test
  void occupantThatLeftLosesToOneThatReturns() {
    start(key(1, 0), SLOT, AdmissionDuels.Kind.ADMITTED);
    leave(SLOT);
    publish(SLOT);
    use(SLOT);
    sweep();
    assertThat(learned.score(DIFFERENCE)).as("use of the next tenant").isEqualTo(4);
    duels.missed(key(1, 0));
    assertThat(learned.score(DIFFERENCE)).isEqualTo(3);
    assertThat(isFlagged(SLOT)).isFalse();
  }

  @Test
  void otherKeyOfTheCellSettlesNothing() {
    start(key(1, 0), SLOT, AdmissionDuels.Kind.ADMITTED);
    duels.missed(key(2, 0));
    assertThat(learned.score(DIFFERENCE)).isEqualTo(4);
    assertThat(isFlagged(SLOT)).isTrue();
  }

  @Test
  void duelsLastLongerWhileNoneIsDecided() {
    int first = missesOfUndecidedDuel(0);
    for (int i = 1; i < 20; i++) {
      missesOfUndecidedDuel(i);
    }
    assertThat(missesOfUndecidedDuel(20)).isGreaterThan(first + first / 4);
  }

  private int missesOfUndecidedDuel(int number) {
    start(key(number, 0), SLOT, AdmissionDuels.Kind.ADMITTED);
    int misses = 0;
    while (isFlagged(SLOT)) {
      missed(key(100, 1));
      assertThat(++misses).isLessThan(2 * ENTRIES);
    }
    return misses;
  }

  @Test
  void duelEndsUndecidedAfterTheHorizon() {
    start(key(1, 0), SLOT, AdmissionDuels.Kind.ADMITTED);
    for (int i = 0; i < ENTRIES / 4 - 1; i++) {
      missed(key(10 + i, 1));
      assertThat(isFlagged(SLOT)).isTrue();
    }
    sweep();
    assertThat(isFlagged(SLOT)).isFalse();
    assertThat(learned.score(DIFFERENCE)).isEqualTo(4);
  }

  @Test
  void everySixtyFourthUndecidedIsAVoteAgainst() {
    budget.occupancy = CELLS;
    for (int i = 0; i < 64; i++) {
      assertThat(learned.score(DIFFERENCE)).isEqualTo(4);
      start(key(1, 0), SLOT, AdmissionDuels.Kind.REJECTED);
      assertThat(isFlagged(SLOT)).isTrue();
      for (int round = 0; round < 4; round++) {
        sweep();
      }
      assertThat(isFlagged(SLOT)).isFalse();
    }
    assertThat(learned.score(DIFFERENCE)).isEqualTo(3);
  }

  /** In a large table a candidate must be worth the search for what it is compared with. */
  @ParameterizedTest
  @CsvSource({"2047, 24", "2048, 23"})
  void everyTwelfthDecidedIsAVoteAgainstWhereTheTableIsLarge(int entries, int expected) {
    duels = new AdmissionDuels(slots, learned, budget, entries);
    learned.vote(DIFFERENCE, 12 - learned.score(DIFFERENCE));
    for (int i = 1; i <= 12; i++) {
      assertThat(learned.score(DIFFERENCE)).isEqualTo(11 + i);
      start(key(1, 0), SLOT, AdmissionDuels.Kind.REJECTED);
      duels.missed(key(1, 0));
    }
    assertThat(learned.score(DIFFERENCE)).isEqualTo(expected);
    start(key(1, 0), SLOT, AdmissionDuels.Kind.ADMITTED);
    duels.missed(key(1, 0));
    assertThat(learned.score(DIFFERENCE)).as("counted anew").isEqualTo(expected - 1);
  }

  @Test
  void usedPinnedDuellingAndGoneEntriesFightNoDuel() {
    use(0);
    start(key(1, 0), 0, AdmissionDuels.Kind.ADMITTED);
    assertThat(isFlagged(0)).isFalse();

    assertThat(slots.pinAny(1)).isEqualTo(SlotProtocol.PINNED);
    start(key(2, 1), 1, AdmissionDuels.Kind.ADMITTED);
    assertThat(isFlagged(1)).isFalse();

    long tail = store.tailAcquire(2);
    leave(2);
    publish(2);
    duels.start(key(3, 2), 2, tail, DIFFERENCE, AdmissionDuels.Kind.ADMITTED);
    assertThat(isFlagged(2)).isFalse();

    start(key(4, 3), 4, AdmissionDuels.Kind.ADMITTED);
    start(key(5, 0), 4, AdmissionDuels.Kind.REJECTED);
    duels.missed(key(5, 0));
    assertThat(isFlagged(4)).as("by the first").isTrue();
    assertThat(learned.score(DIFFERENCE)).isEqualTo(4);
  }

  @Test
  void youngDuelKeepsItsCellAndOldOneMakesRoom() {
    start(key(1, 0), 1, AdmissionDuels.Kind.ADMITTED);
    start(key(2, 0), 2, AdmissionDuels.Kind.ADMITTED);
    assertThat(isFlagged(1)).isTrue();
    assertThat(isFlagged(2)).isFalse();
    budget.occupancy = 1;
    duels.turn();
    start(key(2, 0), 2, AdmissionDuels.Kind.ADMITTED);
    assertThat(isFlagged(1)).isFalse();
    assertThat(isFlagged(2)).isTrue();
    assertThat(PolicyInvariants.isAbout(duels, 2, store.tailAcquire(2))).isTrue();
    assertThat(PolicyInvariants.isAbout(duels, 1, store.tailAcquire(1))).isFalse();
  }

  @Test
  void epochEndsAfterTwentyTimesTheEntriesThenEveryTen() {
    budget.occupancy = 80;
    for (int i = 1; i <= 20 * 80 + 3 * 10 * 80; i++) {
      missed(key(i, 0));
      assertThat(learned.epoch()).isEqualTo(i < 1600 ? 0 : 1 + (i - 1600) / 800);
    }
  }

  @Test
  void flagLeavesCountsAlone() {
    assertThat(slots.pinAny(5)).isEqualTo(SlotProtocol.PINNED);
    slots.release(5, false, false);
    long before = store.metaAcquire(5);
    start(key(1, 0), 5, AdmissionDuels.Kind.ADMITTED);
    long flagged = store.metaAcquire(5);
    assertThat(MetaWord.refcount(flagged)).isZero();
    assertThat(MetaWord.releases(flagged)).isEqualTo(MetaWord.releases(before));
    assertThat(slots.pinAny(5)).isEqualTo(SlotProtocol.PINNED);
    duels.missed(key(1, 0));
    assertThat(isFlagged(5)).isFalse();
    assertThat(MetaWord.refcount(store.metaAcquire(5))).isEqualTo(1);
  }

  /** In a large table one key in eight is enough; the larger it is, the more duels there are. */
  @ParameterizedTest
  @CsvSource({"50, 1, 4", "500, 1, 16", "2048, 2, 64", "8192, 8, 64", "1048576, 8, 8192"})
  void keysAndDuelsBySize(int entries, int keysPerSample, int fights) {
    AdmissionDuels sized = new AdmissionDuels(slots, learned, budget, entries);
    assertThat(sized.cells).hasSize(fights * AdmissionDuels.WORDS);
    assertThat(sized.missesPerTurn()).isEqualTo(8 * keysPerSample);
    for (long i = 0; i < 64; i++) {
      assertThat(sized.takesPart(i << 19)).isEqualTo(i % keysPerSample == 0);
      assertThat(sized.takesPart(i << 19 | 0x7_ffff)).isEqualTo(i % keysPerSample == 0);
    }
  }

  @Test
  void keysOfDifferentCellsFightSideBySide() {
    for (int cell = 0; cell < CELLS; cell++) {
      start(key(1, cell), cell, AdmissionDuels.Kind.ADMITTED);
    }
    for (int cell = 0; cell < CELLS; cell++) {
      assertThat(isFlagged(cell)).isTrue();
    }
    start(key(9, 0xffff), 5, AdmissionDuels.Kind.ADMITTED);
    assertThat(isFlagged(5)).as("of the last cell, which has a duel").isFalse();
    duels.missed(key(1, 2));
    assertThat(isFlagged(2)).isFalse();
    assertThat(isFlagged(1)).isTrue();
    start(key(2, 1), 6, AdmissionDuels.Kind.ADMITTED);
    assertThat(isFlagged(6)).as("the cell has a young duel").isFalse();
  }

  @Test
  void aDuelThatIsOverMakesRoomForTheNextOfItsCell() {
    start(key(1, 2), 1, AdmissionDuels.Kind.ADMITTED);
    duels.missed(key(1, 2));
    start(key(2, 2), 2, AdmissionDuels.Kind.ADMITTED);
    assertThat(isFlagged(2)).isTrue();
    duels.turn();
    assertThat(learned.turns()).isEqualTo(1);
    start(key(2, 1), 3, AdmissionDuels.Kind.ADMITTED);
    assertThat(isFlagged(3)).isTrue();
  }

  @Test
  void aDuelThatIsTooOldEndsWhenTheNextBegins() {
    start(key(1, 1), 1, AdmissionDuels.Kind.ADMITTED);
    duels.turn();
    start(key(2, 1), 2, AdmissionDuels.Kind.ADMITTED);
    assertThat(isFlagged(2)).as("the other is young").isFalse();
    budget.occupancy = 1;
    start(key(2, 1), 2, AdmissionDuels.Kind.ADMITTED);
    assertThat(isFlagged(1)).isFalse();
    assertThat(isFlagged(2)).isTrue();
  }

  /** An entry that was used, or is in another duel, is in none. */
  @Test
  void whatCannotBeFlaggedTakesNoCell() {
    use(1);
    use(1);
    start(key(1, 1), 1, AdmissionDuels.Kind.ADMITTED);
    assertThat(isFlagged(1)).isFalse();
    start(key(2, 1), 2, AdmissionDuels.Kind.ADMITTED);
    assertThat(isFlagged(2)).isTrue();
    start(key(1, 3), 2, AdmissionDuels.Kind.ADMITTED);
    duels.missed(key(1, 3));
    assertThat(isFlagged(2)).isTrue();
    assertThat(learned.score(DIFFERENCE)).as("no duel, no vote").isEqualTo(4);
    duels.missed(key(2, 1));
    assertThat(isFlagged(2)).isFalse();
    assertThat(learned.score(DIFFERENCE)).isEqualTo(3);
  }

  @Test
  void theDuelsOfAllCellsAreLookedAtInTurn() {
    for (int cell = 0; cell < CELLS; cell++) {
      start(key(1, cell), cell, AdmissionDuels.Kind.ADMITTED);
      use(cell);
      use(cell);
    }
    for (int cell = 0; cell < CELLS; cell++) {
      assertThat(isFlagged(cell)).isTrue();
      duels.turn();
      assertThat(isFlagged(cell)).isFalse();
    }
  }

  /** Of 250 misses for 1,000 entries; each that is decided in time takes two of a hundred off. */
  @Test
  void duelsThatAreDecidedGetLessTime() {
    for (int i = 0; i < 10; i++) {
      start(key(i, 0), 1, AdmissionDuels.Kind.ADMITTED);
      duels.missed(key(i, 0));
    }
    start(key(20, 0), 1, AdmissionDuels.Kind.ADMITTED);
    for (int i = 0; i < 7 * CELLS; i++) {
      duels.turn();
      assertThat(isFlagged(1)).as("after %s turns", i + 1).isTrue();
    }
    duels.turn();
    assertThat(isFlagged(1)).isFalse();
  }

  @Test
  void aDuelHasItsTimeWheneverItBegins() {
    for (int i = 0; i < 9 * CELLS; i++) {
      duels.turn();
    }
    start(key(1, 0), 1, AdmissionDuels.Kind.ADMITTED);
    for (int i = 0; i < 8 * CELLS; i++) {
      duels.turn();
      assertThat(isFlagged(1)).as("after %s turns", i + 1).isTrue();
    }
    duels.turn();
    assertThat(isFlagged(1)).isFalse();
  }

  @Test
  void keysOutsideTheSampleFightNoDuel() {
    AdmissionDuels sized = new AdmissionDuels(slots, learned, budget, 8192);
    sized.start(1L << 19, 1, store.tailAcquire(1), DIFFERENCE, AdmissionDuels.Kind.ADMITTED);
    assertThat(isFlagged(1)).isFalse();
    sized.start(8L << 19, 1, store.tailAcquire(1), DIFFERENCE, AdmissionDuels.Kind.ADMITTED);
    assertThat(isFlagged(1)).isTrue();
  }
}
