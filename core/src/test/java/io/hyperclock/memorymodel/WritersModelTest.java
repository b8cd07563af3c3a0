/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import static io.hyperclock.memorymodel.Program.Mode.ACQUIRE;
import static io.hyperclock.memorymodel.Program.Mode.OPAQUE;
import static io.hyperclock.memorymodel.Program.Mode.RELEASE;
import static io.hyperclock.memorymodel.Program.Mode.TOTAL;
import static io.hyperclock.memorymodel.Program.Mode.VOLATILE;
import static io.hyperclock.memorymodel.WeakMemory.assertSound;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.memorymodel.Program.Mode;
import io.hyperclock.memorymodel.WeakMemory.Verdict;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Edge [one-entry], explored exhaustively: an overwrite of a key against an erase of the older
 * entry, against a third thread that finishes that erase, and against an insert of the key. The
 * older entry is in slot 0, the newer one in slot 1 of the other bucket, the one inserted in slot 2
 * beside the older one. No look has a fence: all are volatile, behind an update.
 */
class WritersModelTest {
  private static final int OLDER_TAGS = 0;
  private static final int TAGS = 1;
  private static final int OLDER = 2;
  private static final int NEWER = 3;

  /** The generation word of the older entry: 1 if it is erasing. */
  private static final int MARK = 4;

  private static final int INSERTED = 5;
  private static final int OLDER_KEY = 6;

  private static final int CONSTRUCTED = 1;
  private static final int ANNOUNCED = 2;
  private static final int VISIBLE = 3;
  private static final int SUPERSEDING = 4;
  private static final int ERASED = 5;
  private static final int SUPERSEDED = 6;

  /** One pin; a meta word of the model is {@code pins * 8 + state}. */
  private static final int PIN = 8;

  private static final int STATE = 7;

  /** Registers. */
  private static final int OLD = 0;

  private static final int WORD = 1;
  private static final int SEEN = 2;
  private static final int INVALIDATED = 3;
  private static final int PUBLISHED = 4;
  private static final int MARKED = 5;
  private static final int AGAIN = 6;
  private static final int HID = 7;

  private enum Change {
    TAG_SET_WITHOUT_ORDER,
    MARK_ACQUIRED,
    MARK_LOOKED_AT_BEFORE_THE_TAG_IS_SET,
    MARK_NOT_LOOKED_AT_AGAIN,
    MARKED_WITHOUT_ORDER,
    TAGS_ACQUIRED,
    METAS_ACQUIRED,
    ANNOUNCED_AGAIN_WITHOUT_ORDER,
    HIDES_WITHOUT_LOOKING,
    MARK_OF_ANOTHER_ACQUIRED,
    ABSENCE_TOLD_WITHOUT_FENCE
  }

  private static final Set<Change> NONE = EnumSet.noneOf(Change.class);

  @Test
  void noOverwriteGoesPastAnErase() {
    assertSound(erase(NONE));
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "TAG_SET_WITHOUT_ORDER",
        "MARK_ACQUIRED",
        "MARK_LOOKED_AT_BEFORE_THE_TAG_IS_SET",
        "MARK_NOT_LOOKED_AT_AGAIN",
        "MARKED_WITHOUT_ORDER",
        "TAGS_ACQUIRED",
        "METAS_ACQUIRED",
        "ANNOUNCED_AGAIN_WITHOUT_ORDER",
        "HIDES_WITHOUT_LOOKING"
      })
  void changeOfAnEraseIsFound(Change change) {
    assertThat(erase(EnumSet.of(change)).isSound()).isFalse();
  }

  @Test
  void eraseFinishedByAnotherLetsNoOverwritePass() {
    assertSound(finishedErase(NONE));
  }

  @ParameterizedTest
  @EnumSource(names = {"MARK_OF_ANOTHER_ACQUIRED", "TAGS_ACQUIRED", "HIDES_WITHOUT_LOOKING"})
  void changeOfAFinishedEraseIsFound(Change change) {
    assertThat(finishedErase(EnumSet.of(change)).isSound()).isFalse();
  }

  /** Both have found the older entry, or find it hidden and take the key for absent. */
  @Test
  void overwriteBesideAnInsert() {
    assertSound(overwriteBesideInsert(NONE));
  }

  @ParameterizedTest
  @EnumSource(names = {"TAG_SET_WITHOUT_ORDER", "TAGS_ACQUIRED"})
  void changeOfAnOverwriteBesideAnInsertIsFound(Change change) {
    assertThat(overwriteBesideInsert(EnumSet.of(change)).isSound()).isFalse();
  }

  /** A replace that finds nothing believes it if nobody has invalidated its announcement. */
  @Test
  void absenceIsToldOnlyIfTheAnnouncementStands() {
    assertSound(absence(NONE));
    assertThat(absence(EnumSet.of(Change.ABSENCE_TOLD_WITHOUT_FENCE)).isSound()).isFalse();
  }

  /** A third thread invalidates the overwrite and goes away, so that it announces again. */
  private static Verdict erase(Set<Change> changes) {
    return WeakMemory.explore(
        initial(),
        WritersModelTest::notPast,
        r -> r[0][PUBLISHED] == ANNOUNCED && r[0][AGAIN] != 0 && r[1][HID] == 0,
        overwrite(changes),
        mark(changes).then(hide(changes)),
        invalidate());
  }

  private static Verdict finishedErase(Set<Change> changes) {
    Mode mode = changes.contains(Change.MARK_OF_ANOTHER_ACQUIRED) ? ACQUIRE : TOTAL;
    return WeakMemory.explore(
        initial(),
        WritersModelTest::notPast,
        r -> r[2][HID] == VISIBLE,
        overwrite(changes),
        mark(changes),
        new Program().load(MARKED, MARK, mode).exitUnless(r -> r[MARKED] == 1).then(hide(changes)));
  }

  private static int[] initial() {
    return new int[] {TagWord.with(0, TagWord.TAG), 0, VISIBLE, CONSTRUCTED, 0, CONSTRUCTED, 1};
  }

  /** If the overwrite was published, the older entry was not erased. */
  private static boolean notPast(int[] memory) {
    return memory[NEWER] != SUPERSEDING || memory[OLDER] != ERASED;
  }

  /** An overwrite that has found the older entry; its pin is left out. */
  private static Program overwrite(Set<Change> changes) {
    Mode mode = changes.contains(Change.TAG_SET_WITHOUT_ORDER) ? VOLATILE : TOTAL;
    Mode again = changes.contains(Change.ANNOUNCED_AGAIN_WITHOUT_ORDER) ? VOLATILE : TOTAL;
    Program announce =
        new Program()
            .store(NEWER, ANNOUNCED, RELEASE)
            .then(TagWord.set(OLD, TAGS, 1, TagWord.TAG, mode));
    boolean early = changes.contains(Change.MARK_LOOKED_AT_BEFORE_THE_TAG_IS_SET);
    Program program =
        early
            ? lookAtMark(changes).then(announce)
            : new Program().then(announce).then(lookAtMark(changes));
    program
        .cas(PUBLISHED, NEWER, ANNOUNCED, SUPERSEDING, TOTAL)
        .exitUnless(r -> r[PUBLISHED] == CONSTRUCTED)
        .update(AGAIN, NEWER, (old, r) -> old + ANNOUNCED - CONSTRUCTED, again);
    if (!changes.contains(Change.MARK_NOT_LOOKED_AT_AGAIN)) {
      program.then(lookAtMark(changes));
    }
    return program.cas(PUBLISHED, NEWER, ANNOUNCED, SUPERSEDING, TOTAL).forget(OLD);
  }

  private static Program lookAtMark(Set<Change> changes) {
    Mode mode = changes.contains(Change.MARK_ACQUIRED) ? ACQUIRE : TOTAL;
    return new Program().load(MARKED, MARK, mode).exitUnless(r -> r[MARKED] == 0);
  }

  private static Program mark(Set<Change> changes) {
    Mode mode = changes.contains(Change.MARKED_WITHOUT_ORDER) ? VOLATILE : TOTAL;
    return new Program().cas(OLD, MARK, 0, 1, mode);
  }

  /** Looks for an announcement, invalidates it, hides the older entry unless it was overwritten. */
  private static Program hide(Set<Change> changes) {
    Mode tags = changes.contains(Change.TAGS_ACQUIRED) ? ACQUIRE : TOTAL;
    Mode metas = changes.contains(Change.METAS_ACQUIRED) ? ACQUIRE : TOTAL;
    Program look =
        new Program()
            .load(SEEN, NEWER, metas)
            .when(
                r -> r[SEEN] == ANNOUNCED,
                new Program().cas(INVALIDATED, NEWER, ANNOUNCED, CONSTRUCTED, TOTAL))
            .exitUnless(r -> r[SEEN] != SUPERSEDING && r[INVALIDATED] != SUPERSEDING);
    Program program = new Program();
    if (!changes.contains(Change.HIDES_WITHOUT_LOOKING)) {
      program.load(WORD, TAGS, tags).when(TagWord.shows(WORD, 1), look);
    }
    return program.cas(HID, OLDER, VISIBLE, ERASED);
  }

  private static Program invalidate() {
    return new Program().cas(INVALIDATED, NEWER, ANNOUNCED, CONSTRUCTED, TOTAL);
  }

  /** The overwrite is in slot 1, the insert in slot 2, a neighbour of the older entry. */
  private static Verdict overwriteBesideInsert(Set<Change> changes) {
    Program overwrite =
        announced(NEWER, TAGS, 1, changes)
            .then(findOrInvalidate(INSERTED, OLDER_TAGS, 2, changes))
            .then(replace())
            .exitUnless(r -> r[PUBLISHED] == CONSTRUCTED)
            .then(announcedAgain(NEWER, changes))
            .then(findOrInvalidate(INSERTED, OLDER_TAGS, 2, changes))
            .then(replace());
    Program absent =
        new Program().load(SEEN, OLDER, TOTAL).exitUnless(r -> (r[SEEN] & STATE) != VISIBLE);
    Program insert =
        announced(INSERTED, OLDER_TAGS, 2, changes)
            .then(findOrInvalidate(NEWER, TAGS, 1, changes))
            .then(absent)
            .cas(PUBLISHED, INSERTED, ANNOUNCED, VISIBLE, TOTAL)
            .exitUnless(r -> r[PUBLISHED] == CONSTRUCTED)
            .then(announcedAgain(INSERTED, changes))
            .then(findOrInvalidate(NEWER, TAGS, 1, changes))
            .then(absent)
            .cas(PUBLISHED, INSERTED, ANNOUNCED, VISIBLE, TOTAL);
    Program eviction = new Program().cas(OLD, OLDER, VISIBLE, ERASED);
    return WeakMemory.explore(
        initial(),
        memory -> memory[INSERTED] != VISIBLE || memory[NEWER] < VISIBLE,
        r -> r[0][PUBLISHED] == ANNOUNCED && r[0][AGAIN] != 0,
        overwrite,
        insert,
        eviction);
  }

  /** Beside it the key is overwritten, and the slot of the older entry gets another key. */
  private static Verdict absence(Set<Change> changes) {
    Program overwrite =
        announced(NEWER, TAGS, 1, changes)
            .then(findOrInvalidate(INSERTED, OLDER_TAGS, 2, changes))
            .then(replace())
            .exitUnless(r -> r[PUBLISHED] == ANNOUNCED)
            .releaseFence(true)
            .store(OLDER_KEY, 2, OPAQUE);
    Program compare = new Program().load(MARKED, OLDER_KEY, OPAQUE).exitUnless(r -> r[MARKED] != 1);
    Program replace =
        announced(INSERTED, OLDER_TAGS, 2, changes)
            .then(findOrInvalidate(NEWER, TAGS, 1, changes))
            .load(SEEN, OLDER, TOTAL)
            .when(r -> (r[SEEN] & STATE) == VISIBLE, compare);
    if (!changes.contains(Change.ABSENCE_TOLD_WITHOUT_FENCE)) {
      replace.acquireFence();
    }
    replace
        .load(INVALIDATED, INSERTED, ACQUIRE)
        .forbid("took an overwritten key for absent", r -> r[INVALIDATED] == ANNOUNCED);
    return WeakMemory.explore(
        initial(),
        memory -> true,
        r -> r[1][INVALIDATED] == CONSTRUCTED && r[1][MARKED] == 2,
        overwrite,
        replace);
  }

  private static Program announced(int meta, int tags, int slot, Set<Change> changes) {
    Mode mode = changes.contains(Change.TAG_SET_WITHOUT_ORDER) ? VOLATILE : TOTAL;
    return new Program()
        .store(meta, ANNOUNCED, RELEASE)
        .then(TagWord.set(OLD, tags, slot, TagWord.TAG, mode));
  }

  private static Program announcedAgain(int meta, Set<Change> changes) {
    Mode mode = changes.contains(Change.ANNOUNCED_AGAIN_WITHOUT_ORDER) ? VOLATILE : TOTAL;
    return new Program().update(AGAIN, meta, (old, r) -> old + ANNOUNCED - CONSTRUCTED, mode);
  }

  /** Ends if the other entry is visible, invalidates it if it is announced. */
  private static Program findOrInvalidate(int meta, int tags, int slot, Set<Change> changes) {
    Mode words = changes.contains(Change.TAGS_ACQUIRED) ? ACQUIRE : TOTAL;
    Mode metas = changes.contains(Change.METAS_ACQUIRED) ? ACQUIRE : TOTAL;
    Program look =
        new Program()
            .load(SEEN, meta, metas)
            .when(
                r -> r[SEEN] == ANNOUNCED,
                new Program().cas(INVALIDATED, meta, ANNOUNCED, CONSTRUCTED, TOTAL))
            .exitUnless(r -> r[SEEN] < VISIBLE && r[INVALIDATED] < VISIBLE);
    return new Program()
        .load(WORD, tags, words)
        .when(TagWord.shows(WORD, slot), look)
        .forget(WORD, SEEN, INVALIDATED, OLD);
  }

  /** Pins the older entry, publishes the newer one, hides the older. */
  private static Program replace() {
    return new Program()
        .update(OLD, OLDER, (old, r) -> old == VISIBLE ? VISIBLE + PIN : Program.FAIL, TOTAL)
        .exitUnless(r -> r[OLD] == VISIBLE)
        .cas(PUBLISHED, NEWER, ANNOUNCED, SUPERSEDING, TOTAL)
        .when(
            r -> r[PUBLISHED] == ANNOUNCED,
            new Program().update(OLD, OLDER, (old, r) -> SUPERSEDED, VOLATILE))
        .when(
            r -> r[PUBLISHED] != ANNOUNCED,
            new Program().update(OLD, OLDER, (old, r) -> old - PIN, VOLATILE))
        .forget(OLD);
  }
}
