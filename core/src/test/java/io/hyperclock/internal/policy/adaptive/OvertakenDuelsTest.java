/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.policy.SlotTable;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Duels while other threads go on: at which moment, each test says. */
class OvertakenDuelsTest {
  private static final int USED = 2;
  private static final int SLOTS = 8;
  private static final int CELLS = 4;
  private static final int DIFFERENCE = 1;

  /** Score of the difference before the first vote. */
  private static final int SCORE = 4;

  /** Frequency that each entry has. */
  private static final int HISTORY = 5;

  /** Access of a start that sets the flag: behind the caller's, and the word and the tail. */
  private static final int BEFORE_FLAG = 4;

  private final KnownFigures budget = new KnownFigures(1000, 1000);
  private final LearnedParameters learned = new LearnedParameters();
  private final SlotTable table = new SlotTable(SLOTS, USED);
  private final SlotProtocol slots = table.slots;
  private final SlotStore store = slots.store();
  private final AdmissionDuels duels = new AdmissionDuels(slots, learned, budget, 16 * CELLS);

  /** Each slot has had an entry before. */
  @BeforeEach
  void fill() {
    for (int slot = 0; slot < SLOTS; slot++) {
      table.fill(slot, 1);
      replace(slot);
    }
  }

  private void replace(int slot) {
    assertThat(slots.take(slot, table.meta(slot))).isTrue();
    slots.beginTearDown(slot);
    slots.finishTearDown(slot);
    table.fill(slot, 1);
    assertThat(slots.annotate(slot, table.meta(slot), HISTORY)).isTrue();
  }

  /** Mixed hashes of different keys in one cell. */
  private static long key(int i, int cell) {
    return (i + 1L) << 32 | cell;
  }

  private void start(long absent, int slot, AdmissionDuels.Kind kind) {
    duels.start(absent, slot, store.tailAcquire(slot), DIFFERENCE, kind);
  }

  private void start(long absent, int slot) {
    start(absent, slot, AdmissionDuels.Kind.ADMITTED);
  }

  private boolean isFlagged(int slot) {
    return PolicyBits.isDuelling(MetaWord.policy(table.meta(slot)));
  }

  private boolean isFought(int slot) {
    return PolicyInvariants.isAbout(duels, slot, store.tailAcquire(slot));
  }

  private void use(int slot) {
    slots.tick(slot);
  }

  private void assertScore(int score) {
    assertThat(learned.score(DIFFERENCE)).isEqualTo(score);
  }

  @Test
  void flagLeavesTheHistoryAlone() {
    start(key(1, 0), 3);
    assertThat(isFlagged(3)).isTrue();
    assertThat(isFought(3)).isTrue();
    duels.missed(key(1, 0));
    assertThat(MetaWord.policy(table.meta(3))).isEqualTo(HISTORY);
    assertThat(isFought(3)).isFalse();
    assertScore(SCORE - 1);
  }

  /** Who comes while another works here does nothing. */
  @Test
  void oneThreadAtATime() {
    start(key(1, 1), 1);
    table.before(
        BEFORE_FLAG,
        () -> {
          duels.turn();
          duels.missed(key(1, 1));
          start(key(1, 2), 2);
        });
    start(key(1, 3), 3);
    assertThat(isFlagged(3)).isTrue();
    assertThat(learned.turns()).isZero();
    assertThat(isFlagged(1)).isTrue();
    assertScore(SCORE);
    assertThat(isFlagged(2)).isFalse();

    duels.turn();
    duels.missed(key(1, 1));
    start(key(1, 2), 2);
    assertThat(learned.turns()).isEqualTo(1);
    assertThat(isFlagged(1)).isFalse();
    assertScore(SCORE - 1);
    assertThat(isFlagged(2)).isTrue();
  }

  @Test
  void entryThatIsUsedBeforeItIsFlaggedFightsNoDuel() {
    table.before(BEFORE_FLAG, () -> use(3));
    start(key(1, 0), 3);
    assertThat(isFlagged(3)).isFalse();
    assertThat(isFought(3)).isFalse();
    duels.missed(key(1, 0));
    assertScore(SCORE);
  }

  /** Its word is the same, so the flag is set; what it has must not stay, nor a duel. */
  @Test
  void nextTenantBeforeItIsFlaggedFightsNoDuel() {
    table.before(BEFORE_FLAG, () -> replace(3));
    start(key(1, 0), 3);
    assertThat(MetaWord.policy(table.meta(3))).isEqualTo(HISTORY);
    assertThat(isFought(3)).isFalse();
    duels.missed(key(1, 0));
    assertScore(SCORE);
  }

  @Test
  void flagIsTakenOffThoughTheWordChanges() {
    start(key(1, 0), 3);
    table.before(4, () -> use(3));
    duels.missed(key(1, 0));
    assertThat(isFlagged(3)).isFalse();
  }

  @Test
  void slotThatAnotherOwnsIsLeftAlone() {
    assertThat(slots.take(3, table.meta(3))).isTrue();
    long owned = table.meta(3);
    start(key(1, 0), 3);
    assertThat(table.meta(3)).isEqualTo(owned);
    assertThat(isFought(3)).isFalse();
  }

  /** An entry that is about to leave has not been used in time: who returns wins. */
  @Test
  void duelOfAnEntryThatLeavesGoesOn() {
    start(key(1, 0), 3);
    long shown = table.meta(3);
    assertThat(slots.take(3, shown)).isTrue();
    budget.occupancy = 1;
    for (int turn = 0; turn < CELLS; turn++) {
      duels.turn();
    }
    assertThat(slots.pin(3, shown, 0, 3, 1)).as("a reader that is late").isEqualTo(0);
    for (int turn = 0; turn < CELLS; turn++) {
      duels.turn();
    }
    duels.missed(key(1, 0));
    assertScore(SCORE - 1);
  }

  /** The duel about the entry before is over without a word about the next, which has its own. */
  @Test
  void flagOfTheNextTenantStays() {
    start(key(1, 0), 3);
    replace(3);
    start(key(1, 1), 3);
    duels.missed(key(1, 0));
    assertScore(SCORE - 1);
    assertThat(isFlagged(3)).isTrue();
    duels.missed(key(1, 1));
    assertScore(SCORE - 2);
    assertThat(isFlagged(3)).isFalse();
  }

  @Test
  void duelsOfEntriesThatLeftAreNotUndecided() {
    budget.occupancy = 1;
    for (int i = 0; i < 200; i++) {
      start(key(i, 1), 3);
      assertThat(isFlagged(3)).isTrue();
      replace(3);
      duels.turn();
    }
    assertScore(SCORE);
  }

  /** A horizon of a quarter of the entries, as in the beginning. */
  @Test
  void duelsOfEntriesThatLeftSayNothingAboutTheTime() {
    for (int i = 0; i < 10; i++) {
      start(key(i, 0), 3);
      replace(3);
      duels.missed(key(i, 0));
    }
    start(key(20, 0), 3);
    for (int i = 0; i < 8 * CELLS; i++) {
      duels.turn();
      assertThat(isFlagged(3)).as("after %s turns", i + 1).isTrue();
    }
    duels.turn();
    assertThat(isFlagged(3)).isFalse();
  }

  /** As many misses as the horizon has are enough: one turn, of a quarter of the entries. */
  @Test
  void timeIsOverAtTheHorizon() {
    budget.occupancy = 4L * duels.missesPerTurn();
    start(key(1, 1), 4);
    duels.turn();
    assertThat(isFlagged(4)).as("another cell's turn").isTrue();
    start(key(2, 1), 5);
    assertThat(isFlagged(4)).as("makes room").isFalse();
    assertThat(isFlagged(5)).isTrue();
  }

  @Test
  void timeIsOverAtTheHorizonWhenItIsTheCellsTurn() {
    budget.occupancy = 4L * duels.missesPerTurn();
    start(key(1, 0), 3);
    duels.turn();
    assertThat(isFlagged(3)).isFalse();
  }
}
