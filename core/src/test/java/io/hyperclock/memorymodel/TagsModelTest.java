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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Edges [tag], [reuse] and [validate], explored exhaustively: the tag of a slot is set before its
 * entry becomes visible and cleared before the slot is empty. Slot 0 holds key 1, is torn down, and
 * gets key 2, whose tag is the same by chance. Slot 1 is a neighbour in the same bucket, or in the
 * other one a place for key 1.
 */
class TagsModelTest {
  private static final int TAGS = 0;
  private static final int OTHER_TAGS = 1;
  private static final int GENERATION = 2;
  private static final int META = 3;
  private static final int OTHER_META = 4;
  private static final int KEY = 5;
  private static final int VALUE = 6;

  private static final int EMPTY = 0;
  private static final int CONSTRUCTED = 1;
  private static final int ANNOUNCED = 2;
  private static final int VISIBLE = 3;

  /** The value of key 1 in slot 0, of key 2, and of key 1 in slot 1. */
  private static final int OLD_VALUE = 1;

  private static final int VALUE_OF_2 = 2;
  private static final int NEW_VALUE = 3;

  /** Registers. */
  private static final int FIRST = 0;

  private static final int SECOND = 1;
  private static final int WORD = 2;
  private static final int OTHER_WORD = 3;
  private static final int TENANT = 4;
  private static final int SEEN = 5;
  private static final int SEEN_KEY = 6;
  private static final int FOUND = 7;
  private static final int AGAIN = 8;
  private static final int OLD = 9;

  private static final int NEIGHBOUR = TagWord.with(1, TagWord.OTHER_TAG);

  private enum Fault {
    TAG_CLEARED_WHEN_EMPTY,
    GENERATION_OPAQUE,
    GENERATION_AFTER_THE_FENCE,
    NO_FENCE_AT_TEAR_DOWN,
    NO_FENCE_AT_FILL,
    TAG_SET_WHEN_VISIBLE,
    TAGS_WITHOUT_UPDATE
  }

  private static final Set<Fault> NONE = EnumSet.noneOf(Fault.class);

  /** Reader, owner who tears down, next owner. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void slotChangesItsEntry(boolean oneOwner) {
    assertSound(reuse(oneOwner, NONE));
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "TAG_CLEARED_WHEN_EMPTY",
        "GENERATION_OPAQUE",
        "GENERATION_AFTER_THE_FENCE",
        "NO_FENCE_AT_TEAR_DOWN",
        "NO_FENCE_AT_FILL"
      })
  void faultInReuseIsFound(Fault fault) {
    assertThat(reuse(false, EnumSet.of(fault)).isSound()).isFalse();
  }

  /** An insert that evicts keeps the slot: it need not be empty in between, nor fenced twice. */
  @Test
  void insertKeepsTheSlotOfItsVictim() {
    assertSound(exploreReuse(NONE, evictAndInsert(NONE)));
    for (Fault fault : EnumSet.of(Fault.GENERATION_OPAQUE, Fault.NO_FENCE_AT_TEAR_DOWN)) {
      assertThat(exploreReuse(NONE, evictAndInsert(EnumSet.of(fault))).isSound()).isFalse();
    }
  }

  @Test
  void foundOnceFoundAgain() {
    assertSound(foundTwice(ACQUIRE, NONE));
  }

  /** The entry was acquired, and its tag with it. */
  @Test
  void foundAgainByOpaqueTags() {
    assertSound(foundTwice(OPAQUE, NONE));
  }

  @Test
  void tagsWithoutUpdateAreFound() {
    assertThat(foundTwice(ACQUIRE, EnumSet.of(Fault.TAGS_WITHOUT_UPDATE)).isSound()).isFalse();
  }

  /** Who tears an entry down clears a tag that is there. */
  @Test
  void evictedAtOnce() {
    assertSound(evictedAtOnce(NONE));
    Set<Fault> late = EnumSet.of(Fault.TAG_SET_WHEN_VISIBLE);
    assertThat(evictedAtOnce(late).isSound()).isFalse();
  }

  /** Key 1 leaves slot 0 to make room for key 2 while key 1 is inserted into slot 1. */
  @ParameterizedTest
  @ValueSource(ints = {TAGS, OTHER_TAGS})
  void localEvictionBesideAnInsertOfTheVictim(int bucket) {
    assertSound(localEviction(bucket, NONE));
  }

  @ParameterizedTest
  @EnumSource(names = {"GENERATION_OPAQUE", "NO_FENCE_AT_TEAR_DOWN"})
  void faultInLocalEvictionIsFound(Fault fault) {
    assertThat(localEviction(OTHER_TAGS, EnumSet.of(fault)).isSound()).isFalse();
  }

  private static Verdict reuse(boolean oneOwner, Set<Fault> faults) {
    Program first = take().then(tearDown(faults)).then(emptied(faults));
    Program second = claim().then(fill(faults)).then(publish(faults));
    return oneOwner
        ? exploreReuse(faults, first.then(second))
        : exploreReuse(faults, first, second);
  }

  private static Verdict exploreReuse(Set<Fault> faults, Program... owners) {
    Program reader =
        new Program()
            .load(WORD, TAGS, ACQUIRE)
            .forbid("tag of a neighbour lost", r -> !showsNeighbour(r[WORD]))
            .when(TagWord.shows(WORD, 0), read(1, FIRST))
            .forbid("value of another key", r -> r[FIRST] > OLD_VALUE);
    Program[] programs = new Program[owners.length + 1];
    programs[0] = reader;
    System.arraycopy(owners, 0, programs, 1, owners.length);
    return WeakMemory.explore(
        new int[] {TagWord.with(0, TagWord.TAG) + NEIGHBOUR, 0, 0, VISIBLE, 0, 1, OLD_VALUE},
        TagsModelTest::tagIsThatOfTheSlot,
        r -> r[0][FIRST] == OLD_VALUE && r[owners.length][OLD] == ANNOUNCED,
        programs);
  }

  private static boolean showsNeighbour(int word) {
    return TagWord.tag(word, 1) == TagWord.OTHER_TAG;
  }

  private static boolean tagIsThatOfTheSlot(int[] memory) {
    int tag = memory[META] == VISIBLE ? TagWord.TAG : 0;
    return TagWord.tag(memory[TAGS], 0) == tag && showsNeighbour(memory[TAGS]);
  }

  private static Verdict foundTwice(Mode tags, Set<Fault> faults) {
    Program insert = fill(faults).then(publish(faults));
    Program neighbour =
        faults.contains(Fault.TAGS_WITHOUT_UPDATE)
            ? new Program()
                .load(OLD, TAGS, ACQUIRE)
                .store(TAGS, r -> r[OLD] + NEIGHBOUR, RELEASE)
                .load(OLD, TAGS, ACQUIRE)
                .store(TAGS, r -> r[OLD] - NEIGHBOUR, RELEASE)
            : TagWord.set(OLD, TAGS, 1, TagWord.OTHER_TAG, VOLATILE)
                .then(TagWord.clear(OLD, TAGS, 1, TagWord.OTHER_TAG, VOLATILE));
    Program reader =
        new Program()
            .load(WORD, TAGS, tags)
            .when(TagWord.shows(WORD, 0), read(2, FIRST))
            .exitUnless(r -> r[FIRST] != 0)
            .load(WORD, TAGS, tags)
            .when(TagWord.shows(WORD, 0), read(2, SECOND))
            .forbid("found, then missed", r -> r[SECOND] == 0);
    return WeakMemory.explore(
        new int[] {0, 0, 0, CONSTRUCTED, 0, 1, 0},
        memory -> true,
        r -> r[2][SECOND] != 0,
        insert,
        neighbour,
        reader);
  }

  private static Verdict evictedAtOnce(Set<Fault> faults) {
    return WeakMemory.explore(
        new int[] {NEIGHBOUR, 0, 0, CONSTRUCTED, 0, 1, 0},
        TagsModelTest::tagIsThatOfTheSlot,
        r -> r[2][WORD] == NEIGHBOUR + TagWord.with(0, TagWord.TAG),
        fill(faults).then(publish(faults)),
        take().then(tearDown(faults)).then(emptied(faults)),
        new Program()
            .load(WORD, TAGS, ACQUIRE)
            .forbid("tag of a neighbour lost", r -> !showsNeighbour(r[WORD])));
  }

  private static Verdict localEviction(int bucket, Set<Fault> faults) {
    return WeakMemory.explore(
        new int[] {TagWord.with(0, TagWord.TAG), 0, 0, VISIBLE, CONSTRUCTED, 1, OLD_VALUE},
        memory -> memory[OTHER_META] != VISIBLE || memory[META] != VISIBLE || memory[KEY] != 1,
        r -> r[2][FIRST] == OLD_VALUE && r[2][SECOND] == NEW_VALUE,
        evictAndInsert(faults),
        insertVictim(bucket, faults),
        find(FIRST, bucket)
            .then(find(SECOND, bucket))
            .forbid("value of another key", r -> r[FIRST] == VALUE_OF_2 || r[SECOND] == VALUE_OF_2)
            .forbid("goes back", r -> r[FIRST] == NEW_VALUE && r[SECOND] != NEW_VALUE));
  }

  /** Looks for key 1 in both slots. */
  private static Program find(int result, int bucket) {
    Program program = new Program().load(WORD, TAGS, ACQUIRE);
    if (bucket != TAGS) {
      program.load(OTHER_WORD, OTHER_TAGS, ACQUIRE);
    }
    return program
        .when(TagWord.shows(WORD, 0), read(1, result))
        .when(
            r -> r[result] == 0 && TagWord.shows(wordOf(bucket), 1).test(r),
            new Program()
                .load(SEEN, OTHER_META, ACQUIRE)
                .when(r -> r[SEEN] == VISIBLE, new Program().set(result, r -> NEW_VALUE)))
        .forget(WORD, OTHER_WORD, SEEN);
  }

  private static int wordOf(int bucket) {
    return bucket == TAGS ? WORD : OTHER_WORD;
  }

  /** The validated read of a key in slot 0. */
  private static Program read(int key, int result) {
    Program settle =
        new Program()
            .load(FOUND, VALUE, OPAQUE)
            .acquireFence()
            .load(AGAIN, GENERATION, OPAQUE)
            .when(
                r -> r[AGAIN] == r[TENANT],
                new Program()
                    .forbid("value of no entry", r -> r[FOUND] == 0)
                    .set(result, r -> r[FOUND]));
    return new Program()
        .load(TENANT, GENERATION, ACQUIRE)
        .load(SEEN, META, ACQUIRE)
        .when(
            r -> r[SEEN] == VISIBLE,
            new Program().load(SEEN_KEY, KEY, OPAQUE).when(r -> r[SEEN_KEY] == key, settle))
        .forget(TENANT, SEEN, SEEN_KEY, FOUND, AGAIN);
  }

  private static Program take() {
    return new Program()
        .cas(OLD, META, VISIBLE, CONSTRUCTED)
        .exitUnless(r -> r[OLD] == VISIBLE)
        .forget(OLD);
  }

  private static Program claim() {
    return new Program()
        .cas(OLD, META, EMPTY, CONSTRUCTED)
        .exitUnless(r -> r[OLD] == EMPTY)
        .forget(OLD);
  }

  private static Program tearDown(Set<Fault> faults) {
    Program program = new Program();
    if (!faults.contains(Fault.TAG_CLEARED_WHEN_EMPTY)) {
      program.then(TagWord.clear(OLD, TAGS, 0, TagWord.TAG, TOTAL)).forget(OLD);
    }
    Mode mode = faults.contains(Fault.GENERATION_OPAQUE) ? OPAQUE : RELEASE;
    if (faults.contains(Fault.GENERATION_AFTER_THE_FENCE)) {
      return program.releaseFence(true).store(VALUE, 0, OPAQUE).store(GENERATION, 1, mode);
    }
    return program
        .store(GENERATION, 1, mode)
        .releaseFence(!faults.contains(Fault.NO_FENCE_AT_TEAR_DOWN))
        .store(VALUE, 0, OPAQUE);
  }

  private static Program emptied(Set<Fault> faults) {
    Program program = new Program().store(META, EMPTY, RELEASE);
    return faults.contains(Fault.TAG_CLEARED_WHEN_EMPTY)
        ? program.then(TagWord.clear(OLD, TAGS, 0, TagWord.TAG, TOTAL)).forget(OLD)
        : program;
  }

  private static Program fill(Set<Fault> faults) {
    return new Program().releaseFence(!faults.contains(Fault.NO_FENCE_AT_FILL)).then(words());
  }

  private static Program words() {
    return new Program()
        .store(VALUE, VALUE_OF_2, OPAQUE)
        .store(KEY, r -> 2, OPAQUE)
        .store(META, ANNOUNCED, RELEASE);
  }

  private static Program publish(Set<Fault> faults) {
    Program tag =
        faults.contains(Fault.TAGS_WITHOUT_UPDATE)
            ? new Program()
                .load(OLD, TAGS, ACQUIRE)
                .store(TAGS, r -> r[OLD] + TagWord.with(0, TagWord.TAG), RELEASE)
            : TagWord.set(OLD, TAGS, 0, TagWord.TAG, TOTAL);
    Program publish = new Program().cas(OLD, META, ANNOUNCED, VISIBLE, TOTAL);
    return faults.contains(Fault.TAG_SET_WHEN_VISIBLE) ? publish.then(tag) : tag.then(publish);
  }

  private static Program evictAndInsert(Set<Fault> faults) {
    return take().then(tearDown(faults)).then(words()).then(publish(faults));
  }

  /** Inserts key 1 into slot 1, unless slot 0 has it. */
  private static Program insertVictim(int bucket, Set<Fault> faults) {
    Program same =
        new Program()
            .acquireFence()
            .load(AGAIN, GENERATION, OPAQUE)
            .exitUnless(r -> r[AGAIN] != r[TENANT]);
    Program look =
        new Program()
            .load(TENANT, GENERATION, TOTAL)
            .load(SEEN, META, TOTAL)
            .when(
                r -> r[SEEN] == VISIBLE,
                new Program().load(SEEN_KEY, KEY, OPAQUE).when(r -> r[SEEN_KEY] == 1, same));
    Program program =
        new Program()
            .store(OTHER_META, ANNOUNCED, RELEASE)
            .then(TagWord.set(OLD, bucket, 1, TagWord.TAG, TOTAL))
            .forget(OLD)
            .load(WORD, TAGS, TOTAL);
    return program
        .when(TagWord.shows(WORD, 0), look)
        .forget(WORD, TENANT, SEEN, SEEN_KEY, AGAIN)
        .cas(OLD, OTHER_META, ANNOUNCED, VISIBLE, TOTAL);
  }
}
