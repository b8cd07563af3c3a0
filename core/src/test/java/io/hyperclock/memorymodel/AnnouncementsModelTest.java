/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import static io.hyperclock.memorymodel.Program.Mode.ACQUIRE;
import static io.hyperclock.memorymodel.Program.Mode.RELEASE;
import static io.hyperclock.memorymodel.Program.Mode.VOLATILE;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.memorymodel.WeakMemory.Verdict;
import org.junit.jupiter.api.Test;

/**
 * Edge [S10], explored exhaustively: inserts of one key, each with a slot of its own, announce,
 * look at the others' slots, and publish. A full fence is modelled as an update of one location
 * that all of them share: it gives the fences a total order and hands on what came before, and a
 * full fence gives at least that.
 */
class AnnouncementsModelTest {
  private static final int FENCE = 3;
  private static final int CONSTRUCTED = 1;
  private static final int ANNOUNCED = 2;
  private static final int VISIBLE = 3;
  private static final int HIDDEN = 4;

  private static final int MARK = 1;
  private static final int OLDER = 2;

  private static final int FENCED = 0;
  private static final int SEEN = 1;
  private static final int KNOCKED = 2;
  private static final int PUBLISHED = 3;

  @Test
  void twoInsertsPublishOneEntryAtMost() {
    Verdict verdict = explore(insert(0, true, 1), insert(1, true, 0));
    assertThat(verdict.violation()).isNull();
    assertThat(verdict.reached()).as("one can publish").isTrue();
  }

  @Test
  void threeInsertsPublishOneEntryAtMost() {
    Verdict verdict = explore(insert(0, true, 1, 2), insert(1, true, 0, 2), insert(2, true, 0, 1));
    assertThat(verdict.violation()).isNull();
    assertThat(verdict.reached()).isTrue();
  }

  @Test
  void oneThatWasKnockedMayAnnounceAgain() {
    Program again =
        insert(0, true, 1).exitUnless(r -> r[PUBLISHED] == CONSTRUCTED).then(insert(0, true, 1));
    Verdict verdict = explore(again, insert(1, true, 0));
    assertThat(verdict.violation()).isNull();
    assertThat(verdict.reached()).isTrue();
  }

  @Test
  void lookingBeforeTheAnnouncementIsSeenIsFound() {
    assertThat(explore(insert(0, false, 1), insert(1, false, 0)).isSound()).isFalse();
  }

  @Test
  void fenceOfOneSideOnlyIsFound() {
    assertThat(explore(insert(0, true, 1), insert(1, false, 0)).isSound()).isFalse();
  }

  @Test
  void publishingWithoutCompareAndSetIsFound() {
    Program careless = announce(0, true).then(look(1)).store(0, VISIBLE, RELEASE);
    assertThat(explore(careless, insert(1, true, 0)).isSound()).isFalse();
  }

  @Test
  void eraseFinishedByAnotherLetsNoOverwritePass() {
    Verdict verdict = exploreErase(true);
    assertThat(verdict.violation()).isNull();
    assertThat(verdict.reached()).as("the helper can hide the entry").isTrue();
  }

  @Test
  void helperWithoutFenceIsFound() {
    assertThat(exploreErase(false).isSound()).isFalse();
  }

  /**
   * An overwrite, the beginning of an erase, and somebody who meets its mark and hides the entry.
   */
  private static Verdict exploreErase(boolean fenced) {
    Program overwrite =
        announce(0, true)
            .load(SEEN, MARK, ACQUIRE)
            .exitUnless(r -> r[SEEN] == 0)
            .cas(PUBLISHED, 0, ANNOUNCED, VISIBLE);
    Program erase =
        new Program().cas(KNOCKED, MARK, 0, 1).update(FENCED, FENCE, (old, r) -> old + 1, VOLATILE);
    Program helper = new Program().load(SEEN, MARK, ACQUIRE).exitUnless(r -> r[SEEN] == 1);
    if (fenced) {
      helper.update(FENCED, FENCE, (old, r) -> old + 1, VOLATILE);
    }
    helper.then(look(0)).cas(PUBLISHED, OLDER, VISIBLE, HIDDEN);
    return WeakMemory.explore(
        new int[] {CONSTRUCTED, 0, VISIBLE, 0},
        memory -> memory[0] != VISIBLE || memory[OLDER] != HIDDEN,
        r -> r[2][PUBLISHED] == VISIBLE,
        overwrite,
        erase,
        helper);
  }

  private static Verdict explore(Program... inserts) {
    return WeakMemory.explore(
        new int[] {CONSTRUCTED, CONSTRUCTED, CONSTRUCTED, 0},
        memory -> visible(memory) <= 1,
        r -> r[0][PUBLISHED] == ANNOUNCED,
        inserts);
  }

  private static int visible(int[] memory) {
    int visible = 0;
    for (int slot = 0; slot < FENCE; slot++) {
      visible += memory[slot] == VISIBLE ? 1 : 0;
    }
    return visible;
  }

  private static Program announce(int own, boolean fenced) {
    Program program = new Program().store(own, ANNOUNCED, RELEASE);
    return fenced ? program.update(FENCED, FENCE, (old, r) -> old + 1, VOLATILE) : program;
  }

  /** Ends if the other is visible, knocks it if it is announced, and ends if it escapes. */
  private static Program look(int other) {
    return new Program()
        .load(SEEN, other, ACQUIRE)
        .exitUnless(r -> r[SEEN] != VISIBLE)
        .when(
            r -> r[SEEN] == ANNOUNCED,
            new Program()
                .cas(KNOCKED, other, ANNOUNCED, CONSTRUCTED)
                .exitUnless(r -> r[KNOCKED] != VISIBLE));
  }

  private static Program insert(int own, boolean fenced, int... others) {
    Program program = announce(own, fenced);
    for (int other : others) {
      program.then(look(other));
    }
    return program.cas(PUBLISHED, own, ANNOUNCED, VISIBLE);
  }
}
