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
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.memorymodel.Program.Mode;
import io.hyperclock.memorymodel.WeakMemory.Verdict;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Edge [one-entry], explored exhaustively: inserts, each with a claimed slot of its own, announce
 * it, set its tag, look at the other slots that show the tag, and publish. An insert that was
 * invalidated announces again and looks again, once. All keys have the same tag and the same two
 * buckets.
 */
class TentativeInsertsModelTest {
  private static final int SLOTS = 3;
  private static final int META = 2;
  private static final int KEY = META + SLOTS;

  private static final int EMPTY = 0;
  private static final int CONSTRUCTED = 1;
  private static final int ANNOUNCED = 2;
  private static final int VISIBLE = 3;

  /** Registers. */
  private static final int OLD = 0;

  private static final int WORDS = 1;
  private static final int SEEN = 3;
  private static final int SEEN_KEY = 4;
  private static final int INVALIDATED = 5;
  private static final int PUBLISHED = 6;
  private static final int AGAIN = 7;

  /** In which bucket each slot lies. */
  enum Layout {
    ONE_BUCKET(0, 0, 0),
    TWO_BUCKETS(0, 1, 0);

    private final int[] buckets;

    Layout(int... buckets) {
      this.buckets = buckets;
    }
  }

  /** What an insert does otherwise. Those that are called sound cost nothing but order. */
  private enum Change {
    TAG_SET_WITHOUT_ORDER,
    TAG_SET_BEFORE_ANNOUNCING,
    TAGS_ACQUIRED,
    METAS_ACQUIRED,
    PUBLISHED_WITHOUT_CAS,
    ANNOUNCED_AGAIN_WITHOUT_ORDER,
    LOOKS_AGAIN_BY_THE_OLD_WORDS,
    DOES_NOT_LOOK_AGAIN,
    DOES_NOT_ANNOUNCE_AGAIN,
    ANNOUNCED_OPAQUE,
    OWN_WORD_FROM_UPDATE
  }

  private static final Set<Change> NONE = EnumSet.noneOf(Change.class);

  @ParameterizedTest
  @EnumSource
  void twoInsertsPublishOneEntryAtMost(Layout layout) {
    assertSound(two(layout, NONE));
  }

  @ParameterizedTest
  @EnumSource
  void threeInsertsPublishOneEntryAtMost(Layout layout) {
    assertSound(
        explore(
            insert(0, 1, layout, true, NONE, 1, 2),
            insert(1, 1, layout, false, NONE, 0, 2),
            insert(2, 1, layout, false, NONE, 0, 1)));
  }

  /**
   * Slot 1 is given back and claimed for key 2 while somebody is about to invalidate the
   * announcement of key 1 in it. The other insert of key 2 is in slot 2.
   */
  @Test
  void lateInvalidationHitsTheNextAnnouncement() {
    Layout layout = Layout.TWO_BUCKETS;
    Program next =
        new Program()
            .cas(OLD, META + 1, EMPTY, CONSTRUCTED)
            .exitUnless(r -> r[OLD] == EMPTY)
            .then(insert(1, 2, layout, true, NONE, 2));
    assertSound(
        WeakMemory.explore(
            initial(),
            TentativeInsertsModelTest::oneOfAKey,
            r -> r[2][PUBLISHED] == ANNOUNCED && r[2][AGAIN] != 0,
            insert(0, 1, layout, false, NONE, 1),
            insert(1, 1, layout, false, NONE, 0),
            next,
            insert(2, 2, layout, false, NONE, 1)));
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "TAG_SET_WITHOUT_ORDER",
        "TAG_SET_BEFORE_ANNOUNCING",
        "TAGS_ACQUIRED",
        "METAS_ACQUIRED",
        "PUBLISHED_WITHOUT_CAS",
        "ANNOUNCED_AGAIN_WITHOUT_ORDER",
        "LOOKS_AGAIN_BY_THE_OLD_WORDS",
        "DOES_NOT_LOOK_AGAIN",
      })
  void changeThatBreaksItIsFound(Change change) {
    assertThat(two(Layout.TWO_BUCKETS, EnumSet.of(change)).isSound()).isFalse();
  }

  /** One side that looks too early is enough. */
  @ParameterizedTest
  @EnumSource(names = {"TAG_SET_WITHOUT_ORDER", "TAGS_ACQUIRED"})
  void changeOfOneSideIsFound(Change change) {
    Program careless = insert(1, 1, Layout.TWO_BUCKETS, true, EnumSet.of(change), 0);
    Program right = insert(0, 1, Layout.TWO_BUCKETS, true, NONE, 1);
    assertThat(explore(right, careless).isSound()).isFalse();
  }

  /** In one bucket both tags are updates of one word, which have an order by themselves. */
  @ParameterizedTest
  @EnumSource(names = {"TAG_SET_WITHOUT_ORDER", "TAGS_ACQUIRED"})
  void oneBucketNeedsNoOrderOfTags(Change change) {
    assertSound(two(Layout.ONE_BUCKET, EnumSet.of(change)));
  }

  /** What an insert that never announces again can do without. */
  @ParameterizedTest
  @EnumSource
  void metasNeedAnOrderOnlyForAnnouncingAgain(Layout layout) {
    Set<Change> changes = EnumSet.of(Change.METAS_ACQUIRED, Change.DOES_NOT_ANNOUNCE_AGAIN);
    Verdict verdict = two(layout, changes);
    assertThat(verdict.violation()).isNull();
    assertThat(two(layout, EnumSet.of(Change.METAS_ACQUIRED)).isSound()).isFalse();
  }

  /** The update of the tag hands on what was announced; the first look needs no second load. */
  @ParameterizedTest
  @EnumSource
  void updateOfTheTagDoesForMore(Layout layout) {
    assertSound(two(layout, EnumSet.of(Change.ANNOUNCED_OPAQUE, Change.OWN_WORD_FROM_UPDATE)));
  }

  private static Verdict two(Layout layout, Set<Change> changes) {
    return explore(insert(0, 1, layout, true, changes, 1), insert(1, 1, layout, true, changes, 0));
  }

  private static Verdict explore(Program... inserts) {
    return WeakMemory.explore(
        initial(),
        TentativeInsertsModelTest::oneOfAKey,
        r -> r[0][PUBLISHED] == ANNOUNCED && r[0][AGAIN] != 0,
        inserts);
  }

  private static int[] initial() {
    return new int[] {0, 0, CONSTRUCTED, CONSTRUCTED, CONSTRUCTED, 0, 0, 0};
  }

  private static void assertSound(Verdict verdict) {
    assertThat(verdict.violation()).isNull();
    assertThat(verdict.reached()).as("one that was invalidated can publish").isTrue();
  }

  private static boolean oneOfAKey(int[] memory) {
    for (int one = 0; one < SLOTS; one++) {
      for (int other = 0; other < one; other++) {
        if (memory[META + one] == VISIBLE
            && memory[META + other] == VISIBLE
            && memory[KEY + one] == memory[KEY + other]) {
          return false;
        }
      }
    }
    return true;
  }

  private static Program insert(
      int own, int key, Layout layout, boolean again, Set<Change> changes, int... others) {
    boolean opaque = changes.contains(Change.ANNOUNCED_OPAQUE);
    Program announce = new Program().store(META + own, ANNOUNCED, opaque ? OPAQUE : RELEASE);
    Mode mode = changes.contains(Change.TAG_SET_WITHOUT_ORDER) ? VOLATILE : TOTAL;
    Program tag = TagWord.set(OLD, layout.buckets[own], own, TagWord.TAG, mode);
    Program program = new Program().store(KEY + own, key, OPAQUE);
    if (changes.contains(Change.TAG_SET_BEFORE_ANNOUNCING)) {
      program.then(tag).then(announce);
    } else {
      program.then(announce).then(tag);
    }
    program.then(words(own, layout, changes)).then(look(own, key, layout, changes, others));
    program.then(publish(own, changes));
    if (again && !changes.contains(Change.DOES_NOT_ANNOUNCE_AGAIN)) {
      program
          .exitUnless(r -> r[PUBLISHED] == CONSTRUCTED)
          .then(again(own, key, layout, changes, others));
    }
    return program.forget(OLD, WORDS, WORDS + 1);
  }

  private static Program again(
      int own, int key, Layout layout, Set<Change> changes, int... others) {
    Mode mode = changes.contains(Change.ANNOUNCED_AGAIN_WITHOUT_ORDER) ? VOLATILE : TOTAL;
    Program program =
        new Program().update(AGAIN, META + own, (old, r) -> old + ANNOUNCED - CONSTRUCTED, mode);
    if (!changes.contains(Change.LOOKS_AGAIN_BY_THE_OLD_WORDS)) {
      program.then(words(-1, layout, changes));
    }
    if (!changes.contains(Change.DOES_NOT_LOOK_AGAIN)) {
      program.then(look(own, key, layout, changes, others));
    }
    return program.then(publish(own, changes));
  }

  private static Program publish(int own, Set<Change> changes) {
    return changes.contains(Change.PUBLISHED_WITHOUT_CAS)
        ? new Program().store(META + own, VISIBLE, RELEASE)
        : new Program().cas(PUBLISHED, META + own, ANNOUNCED, VISIBLE, TOTAL);
  }

  /** Loads the tag words, but for one that the update of a tag has just returned. */
  private static Program words(int updated, Layout layout, Set<Change> changes) {
    Mode mode = changes.contains(Change.TAGS_ACQUIRED) ? ACQUIRE : TOTAL;
    Program program = new Program();
    for (int bucket = 0; bucket <= layout.buckets[1]; bucket++) {
      boolean known = updated >= 0 && changes.contains(Change.OWN_WORD_FROM_UPDATE);
      if (known && bucket == layout.buckets[updated]) {
        program.set(WORDS + bucket, r -> r[OLD]);
      } else {
        program.load(WORDS + bucket, bucket, mode);
      }
    }
    return program.forget(OLD);
  }

  /** Withdraws if another slot has the key visible, invalidates it if it is announced. */
  private static Program look(int own, int key, Layout layout, Set<Change> changes, int... others) {
    Mode mode = changes.contains(Change.METAS_ACQUIRED) ? ACQUIRE : TOTAL;
    Program withdraw =
        TagWord.clear(OLD, layout.buckets[own], own, TagWord.TAG, VOLATILE)
            .store(META + own, EMPTY, RELEASE)
            .forget(OLD, WORDS, WORDS + 1, SEEN, SEEN_KEY, INVALIDATED)
            .exit();
    Program program = new Program();
    for (int other : others) {
      Program invalidate =
          new Program().cas(INVALIDATED, META + other, ANNOUNCED, CONSTRUCTED, TOTAL);
      Program meet =
          new Program()
              .when(r -> r[SEEN] == ANNOUNCED, invalidate)
              .when(r -> r[SEEN] == VISIBLE || r[INVALIDATED] == VISIBLE, withdraw);
      Program compare =
          new Program().load(SEEN_KEY, KEY + other, OPAQUE).when(r -> r[SEEN_KEY] == key, meet);
      program.when(
          TagWord.shows(WORDS + layout.buckets[other], other),
          new Program()
              .load(SEEN, META + other, mode)
              .when(r -> r[SEEN] >= ANNOUNCED, compare)
              .forget(SEEN, SEEN_KEY, INVALIDATED));
    }
    return program;
  }
}
