/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import static io.hyperclock.memorymodel.Program.Mode.ACQUIRE;
import static io.hyperclock.memorymodel.Program.Mode.OPAQUE;
import static io.hyperclock.memorymodel.Program.Mode.RELEASE;
import static io.hyperclock.memorymodel.Program.Mode.TOTAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.memorymodel.Program.Mode;
import io.hyperclock.memorymodel.WeakMemory.Verdict;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Edge [one-entry], explored exhaustively: overwrites of a key against a thread that reads it
 * twice. No read misses the key, and none finds an older value than the one before it found. The
 * value in slot 0 is 1 at first, that in slot 1 is 2, in slot 2 it is 3; a third value may also
 * come to slot 0 again.
 */
class OverwritesModelTest {
  private static final int META = 2;
  private static final int COUNT = 5;
  private static final int GENERATION = 6;
  private static final int VALUE = 7;

  private static final int EMPTY = 0;
  private static final int CONSTRUCTED = 1;
  private static final int ANNOUNCED = 2;
  private static final int VISIBLE = 3;
  private static final int SUPERSEDING = 4;
  private static final int HIDDEN = 5;

  /** Registers. */
  private static final int FIRST = 0;

  private static final int SECOND = 1;
  private static final int COUNTED = 2;
  private static final int WORDS = 3;
  private static final int SEEN = 5;
  private static final int TENANT = 6;
  private static final int FOUND = 7;
  private static final int AGAIN = 8;
  private static final int OLD = 9;

  /** In which bucket each slot lies; a search looks at the first bucket first. */
  private enum Layout {
    OLDER_FIRST(0, 1, 0),
    NEWER_FIRST(1, 0, 1),
    ONE_BUCKET(0, 0, 0);

    private final int[] buckets;

    Layout(int... buckets) {
      this.buckets = buckets;
    }
  }

  /** What the writer does while the reader reads. */
  private enum Course {
    OVERWRITES(2, 2),
    INSERTS_AND_OVERWRITES(2, 2),
    OVERWRITES_TWICE(3, 3),
    OVERWRITES_INTO_THE_OLD_SLOT(2, 3);

    private final int slots;
    private final int last;

    Course(int slots, int last) {
      this.slots = slots;
      this.last = last;
    }
  }

  /** What is done otherwise. */
  private enum Change {
    OLDER_NOT_LOOKED_FOR,
    OLDER_LOOKED_FOR_BY_THE_OLD_WORDS,
    SUPERSEDING_TAKEN_FOR_OLDER,
    MISS_NOT_RECHECKED,
    NO_FENCE_BEFORE_RECHECK,
    COUNT_OPAQUE,
    COUNTED_AFTER_HIDING,
    TAG_CLEARED_OPAQUE,
    TAG_SET_AFTER_PUBLISHING,
    NOT_SUPERSEDING,
    MARK_ENDS_BEFORE_HIDING,
    HIDDEN_BEFORE_PUBLISHING,
    EVICTED_INSTEAD_OF_HIDDEN,
    TAGS_OPAQUE,
    COUNT_ACQUIRED,
    FENCE_ONLY_BEHIND_A_FAILED_MATCH
  }

  private static final Set<Change> NONE = EnumSet.noneOf(Change.class);

  @ParameterizedTest
  @EnumSource
  void readsGoForward(Course course) {
    all(course, NONE).forEach(OverwritesModelTest::assertSound);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"TAGS_OPAQUE", "COUNT_ACQUIRED", "FENCE_ONLY_BEHIND_A_FAILED_MATCH"})
  void changeThatBreaksItIsFound(Change change) {
    boolean sound = true;
    for (Course course : Course.values()) {
      sound &= all(course, EnumSet.of(change)).stream().allMatch(Verdict::isSound);
    }
    assertThat(sound).isFalse();
  }

  /** What the fence in front of the second look at the count makes unnecessary. */
  @ParameterizedTest
  @EnumSource
  void lessOrderDoes(Course course) {
    Set<Change> changes = EnumSet.of(Change.TAGS_OPAQUE, Change.COUNT_ACQUIRED);
    all(course, changes).forEach(OverwritesModelTest::assertSound);
  }

  /** Then a search that no tag sends to a slot needs no fence, but its tags are acquired. */
  @ParameterizedTest
  @EnumSource
  void fenceBehindAFailedMatchDoes(Course course) {
    Set<Change> changes = EnumSet.of(Change.FENCE_ONLY_BEHIND_A_FAILED_MATCH);
    all(course, changes).forEach(OverwritesModelTest::assertSound);
  }

  @Test
  void tagsAreThenAcquired() {
    Set<Change> changes = EnumSet.of(Change.FENCE_ONLY_BEHIND_A_FAILED_MATCH, Change.TAGS_OPAQUE);
    assertThat(all(Course.OVERWRITES, changes)).noneMatch(Verdict::isSound);
  }

  private static List<Verdict> all(Course course, Set<Change> changes) {
    List<Verdict> verdicts = new ArrayList<>();
    for (Layout layout : Layout.values()) {
      verdicts.add(explore(course, layout.buckets, changes));
    }
    return verdicts;
  }

  private static void assertSound(Verdict verdict) {
    assertThat(verdict.violation()).isNull();
    assertThat(verdict.reached()).as("an older, then the last value can be found").isTrue();
  }

  private static Verdict explore(Course course, int[] buckets, Set<Change> changes) {
    boolean there = course != Course.INSERTS_AND_OVERWRITES;
    Program writer =
        switch (course) {
          case OVERWRITES -> put(1, 0, buckets, changes).then(tearDown(0, buckets, changes));
          case INSERTS_AND_OVERWRITES -> insert(0, buckets).then(put(1, 0, buckets, changes));
          case OVERWRITES_TWICE -> put(1, 0, buckets, changes).then(put(2, 1, buckets, changes));
          case OVERWRITES_INTO_THE_OLD_SLOT ->
              put(1, 0, buckets, changes)
                  .then(tearDown(0, buckets, changes))
                  .then(put(0, 1, buckets, changes))
                  .then(tearDown(1, buckets, changes));
        };
    Search search = new Search(buckets, course.slots, changes);
    Program reader =
        search
            .find(FIRST, course.last, there)
            .exitUnless(r -> r[FIRST] != 0)
            .then(search.find(SECOND, course.last, true))
            .forbid("an older value", r -> r[SECOND] < r[FIRST]);
    int[] initial = {0, 0, CONSTRUCTED, CONSTRUCTED, CONSTRUCTED, 0, 0, 1};
    if (there) {
      initial[buckets[0]] = TagWord.with(0, TagWord.TAG);
      initial[META] = VISIBLE;
    }
    return WeakMemory.explore(
        initial,
        memory -> true,
        r -> r[1][SECOND] == course.last && r[1][FIRST] < course.last,
        writer,
        reader);
  }

  /** A reader's way to the value of the key. */
  private record Search(int[] buckets, int slots, Set<Change> changes) {

    /**
     * Searches, again if the count has changed or the newest entry could not be told. A run that
     * does so more often than there are overwrites ends.
     */
    Program find(int result, int rounds, boolean present) {
      Mode mode = changes.contains(Change.COUNT_OPAQUE) ? OPAQUE : countMode();
      Program program = new Program().load(COUNTED, COUNT, mode).then(words());
      for (int bucket = 0; bucket < 2; bucket++) {
        for (int slot = 0; slot < slots; slot++) {
          if (buckets[slot] == bucket) {
            program.when(
                r -> r[result] == 0 && r[AGAIN] == 0,
                new Program().when(shows(slot), look(result, slot)));
          }
        }
      }
      program.forget(WORDS, WORDS + 1);
      if (!changes.contains(Change.MISS_NOT_RECHECKED)) {
        Program recheck = new Program();
        if (!changes.contains(Change.NO_FENCE_BEFORE_RECHECK)
            && !changes.contains(Change.FENCE_ONLY_BEHIND_A_FAILED_MATCH)) {
          recheck.acquireFence();
        }
        recheck.load(OLD, COUNT, mode).set(AGAIN, r -> r[OLD] == r[COUNTED] ? 0 : 1);
        program.when(r -> r[result] == 0 && r[AGAIN] == 0, recheck).forget(OLD);
      }
      Program again = rounds > 1 ? find(result, rounds - 1, present) : new Program().exit();
      return program
          .forget(COUNTED)
          .when(r -> r[AGAIN] != 0, new Program().forget(AGAIN).then(again))
          .forbid("missed", r -> present && r[result] == 0);
    }

    private Mode countMode() {
      return changes.contains(Change.COUNT_ACQUIRED) ? ACQUIRE : TOTAL;
    }

    private Program words() {
      Mode mode = changes.contains(Change.TAGS_OPAQUE) ? OPAQUE : ACQUIRE;
      Program program = new Program().load(WORDS, 0, mode);
      return buckets[0] == buckets[1] ? program : program.load(WORDS + 1, 1, mode);
    }

    private java.util.function.Predicate<int[]> shows(int slot) {
      return TagWord.shows(WORDS + buckets[slot], slot);
    }

    /** Reads a slot; if it supersedes, looks for an older entry that is still visible. */
    private Program look(int result, int slot) {
      Program program = read(slot).set(result, r -> r[FOUND]);
      Program older = new Program();
      if (!changes.contains(Change.OLDER_LOOKED_FOR_BY_THE_OLD_WORDS)) {
        older.then(words());
      }
      for (int other = 0; other < slots; other++) {
        if (other != slot) {
          older.when(shows(other), lookForOlder(result, other));
        }
      }
      if (!changes.contains(Change.OLDER_NOT_LOOKED_FOR)) {
        program.when(r -> r[FOUND] != 0 && r[SEEN] == SUPERSEDING, older);
      }
      return program.forget(SEEN, FOUND);
    }

    /** An entry that supersedes too is no older one: the search starts again. */
    private Program lookForOlder(int result, int other) {
      boolean any = changes.contains(Change.SUPERSEDING_TAKEN_FOR_OLDER);
      return read(other)
          .when(
              r -> r[FOUND] != 0 && (any || r[SEEN] == VISIBLE),
              new Program().set(result, r -> r[FOUND]))
          .when(
              r -> r[FOUND] != 0 && !any && r[SEEN] == SUPERSEDING,
              new Program().forget(result).set(AGAIN, r -> 1));
    }

    /** The validated read; only slot 0 ever changes its entry. */
    private Program read(int slot) {
      Program program = new Program();
      if (slot > 0) {
        return program
            .load(SEEN, META + slot, ACQUIRE)
            .set(FOUND, r -> r[SEEN] == VISIBLE || r[SEEN] == SUPERSEDING ? slot + 1 : 0);
      }
      Program failed = new Program().forget(FOUND);
      if (changes.contains(Change.FENCE_ONLY_BEHIND_A_FAILED_MATCH)) {
        failed.acquireFence();
      }
      Program settle =
          new Program()
              .load(FOUND, VALUE, OPAQUE)
              .acquireFence()
              .load(OLD, GENERATION, OPAQUE)
              .when(r -> r[OLD] != r[TENANT], failed);
      return program
          .load(TENANT, GENERATION, ACQUIRE)
          .load(SEEN, META, ACQUIRE)
          .forget(FOUND)
          .when(r -> r[SEEN] == VISIBLE || r[SEEN] == SUPERSEDING, settle)
          .forget(TENANT, OLD);
    }
  }

  private static Program insert(int slot, int[] buckets) {
    return new Program()
        .store(META + slot, ANNOUNCED, RELEASE)
        .then(TagWord.set(OLD, buckets[slot], slot, TagWord.TAG, TOTAL))
        .cas(OLD, META + slot, ANNOUNCED, VISIBLE);
  }

  private static Program put(int newer, int older, int[] buckets, Set<Change> changes) {
    Program program = new Program();
    if (newer == 0) {
      program.cas(OLD, META, EMPTY, CONSTRUCTED).releaseFence(true).store(VALUE, 3, OPAQUE);
    }
    program.store(META + newer, ANNOUNCED, RELEASE);
    int published = changes.contains(Change.NOT_SUPERSEDING) ? VISIBLE : SUPERSEDING;
    Program tag = TagWord.set(OLD, buckets[newer], newer, TagWord.TAG, TOTAL);
    Program publish = new Program().cas(OLD, META + newer, ANNOUNCED, published);
    Program count = new Program().update(OLD, COUNT, (old, r) -> old + 1, TOTAL);
    Program hide = new Program().cas(OLD, META + older, VISIBLE, HIDDEN);
    Program end = new Program().cas(OLD, META + newer, SUPERSEDING, VISIBLE);
    for (Program step : ordered(changes, tag, publish, count, hide, end)) {
      program.then(step);
    }
    return program;
  }

  private static List<Program> ordered(
      Set<Change> changes, Program tag, Program publish, Program count, Program hide, Program end) {
    if (changes.contains(Change.TAG_SET_AFTER_PUBLISHING)) {
      return List.of(publish, count, hide, tag, end);
    }
    if (changes.contains(Change.COUNTED_AFTER_HIDING)) {
      return List.of(tag, publish, hide, count, end);
    }
    if (changes.contains(Change.HIDDEN_BEFORE_PUBLISHING)) {
      return List.of(tag, count, hide, publish, end);
    }
    if (changes.contains(Change.MARK_ENDS_BEFORE_HIDING)) {
      return List.of(tag, publish, end, count, hide);
    }
    if (changes.contains(Change.EVICTED_INSTEAD_OF_HIDDEN)) {
      return List.of(hide, tag, publish, end);
    }
    return List.of(tag, publish, count, hide, end);
  }

  private static Program tearDown(int slot, int[] buckets, Set<Change> changes) {
    Mode mode = changes.contains(Change.TAG_CLEARED_OPAQUE) ? OPAQUE : TOTAL;
    Program program =
        new Program()
            .cas(OLD, META + slot, HIDDEN, CONSTRUCTED)
            .then(TagWord.clear(OLD, buckets[slot], slot, TagWord.TAG, mode));
    if (slot == 0) {
      program.store(GENERATION, 1, RELEASE).releaseFence(true).store(VALUE, 0, OPAQUE);
    }
    return program.store(META + slot, EMPTY, RELEASE);
  }
}
