/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import static io.hyperclock.memorymodel.Program.Mode.ACQUIRE;
import static io.hyperclock.memorymodel.Program.Mode.OPAQUE;
import static io.hyperclock.memorymodel.Program.Mode.RELEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.memorymodel.WeakMemory.Verdict;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Edge [validate], the pin-free read, explored exhaustively: one reader of key 1 against the
 * eviction of its entry and the insert of key 2 in the same slot. A validated read that finds
 * anything but the value of key 1, the null of a slot torn down included, breaks the order.
 */
class ValidatedReadModelTest {
  private static final int GENERATION = 0;
  private static final int META = 1;
  private static final int KEY = 2;
  private static final int VALUE = 3;
  private static final int EMPTY = 0;
  private static final int BUSY = 1;
  private static final int READABLE = 2;
  private static final int[] KEY_1_IN_SLOT = {0, READABLE, 1, 1};

  /** In which order a reader looks at the slot. */
  enum Reader {
    META_THEN_KEY,
    KEY_THEN_META,
    KEY_AS_FILTER_THEN_META_THEN_KEY;

    Program program() {
      Program program = new Program().load(0, GENERATION, ACQUIRE);
      if (this != META_THEN_KEY) {
        program.load(2, KEY, OPAQUE).exitUnless(r -> r[2] == 1);
      }
      program.load(1, META, ACQUIRE).exitUnless(r -> r[1] == READABLE);
      if (this != KEY_THEN_META) {
        program.load(2, KEY, OPAQUE).exitUnless(r -> r[2] == 1);
      }
      return program
          .load(3, VALUE, OPAQUE)
          .acquireFence()
          .load(4, GENERATION, OPAQUE)
          .exitUnless(r -> r[4] == r[0])
          .forbid("validated value is not of the key", r -> r[3] != 1);
    }
  }

  /** What a writer does right; the full set is the protocol. */
  enum Care {
    BUMP_AT_TEAR_DOWN,
    BUMP_AT_CONSTRUCTION,
    FENCE_AT_TEAR_DOWN,
    FENCE_AT_CONSTRUCTION
  }

  /** How the columns of the table differ. */
  enum Writer {
    PROTOCOL(Care.BUMP_AT_TEAR_DOWN, Care.FENCE_AT_TEAR_DOWN, Care.FENCE_AT_CONSTRUCTION),
    NO_FENCE(Care.BUMP_AT_TEAR_DOWN),
    BUMP_ONLY_AT_CONSTRUCTION(
        Care.BUMP_AT_CONSTRUCTION, Care.FENCE_AT_TEAR_DOWN, Care.FENCE_AT_CONSTRUCTION),
    NO_BUMP(Care.FENCE_AT_TEAR_DOWN, Care.FENCE_AT_CONSTRUCTION);

    final Set<Care> cares;

    Writer(Care first, Care... rest) {
      cares = EnumSet.of(first, rest);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "META_THEN_KEY,                    PROTOCOL,                  true",
    "META_THEN_KEY,                    NO_FENCE,                  false",
    "META_THEN_KEY,                    BUMP_ONLY_AT_CONSTRUCTION, false",
    "META_THEN_KEY,                    NO_BUMP,                   false",
    "KEY_THEN_META,                    PROTOCOL,                  false",
    "KEY_THEN_META,                    NO_FENCE,                  false",
    "KEY_THEN_META,                    BUMP_ONLY_AT_CONSTRUCTION, false",
    "KEY_THEN_META,                    NO_BUMP,                   false",
    "KEY_AS_FILTER_THEN_META_THEN_KEY, PROTOCOL,                  true",
    "KEY_AS_FILTER_THEN_META_THEN_KEY, NO_FENCE,                  false",
    "KEY_AS_FILTER_THEN_META_THEN_KEY, BUMP_ONLY_AT_CONSTRUCTION, false",
    "KEY_AS_FILTER_THEN_META_THEN_KEY, NO_BUMP,                   false",
  })
  void orderOfReaderAndWriterDecides(Reader reader, Writer writer, boolean sound) {
    assertSound(explore(reader, tearDown(writer.cares).then(construct(writer.cares))), sound);
    assertSound(explore(reader, tearDown(writer.cares), construct(writer.cares)), sound);
  }

  /** Also where one thread tears down and another constructs, as after an erase. */
  @ParameterizedTest
  @EnumSource(
      value = Care.class,
      names = {"FENCE_AT_TEAR_DOWN", "FENCE_AT_CONSTRUCTION"})
  void bothFencesAreNeeded(Care missing) {
    Set<Care> cares = EnumSet.copyOf(Writer.PROTOCOL.cares);
    cares.remove(missing);
    assertSound(explore(Reader.META_THEN_KEY, tearDown(cares), construct(cares)), false);
  }

  /** A bump that another thread can see before the takeover validates data of two tenancies. */
  @Test
  void bumpMustPublishTheTakeover() {
    Program opaqueBump =
        new Program()
            .cas(0, META, READABLE, BUSY)
            .exitUnless(r -> r[0] == READABLE)
            .store(GENERATION, 1, OPAQUE)
            .releaseFence(true)
            .store(VALUE, 0, OPAQUE)
            .store(META, EMPTY, RELEASE);
    assertSound(explore(Reader.META_THEN_KEY, opaqueBump), false);
  }

  /** Without the fence of the reader the second look at the generation may come first. */
  @Test
  void readerFenceIsNeeded() {
    Program reader =
        new Program()
            .load(0, GENERATION, ACQUIRE)
            .load(1, META, ACQUIRE)
            .exitUnless(r -> r[1] == READABLE)
            .load(2, KEY, OPAQUE)
            .exitUnless(r -> r[2] == 1)
            .load(3, VALUE, OPAQUE)
            .load(4, GENERATION, OPAQUE)
            .exitUnless(r -> r[4] == r[0])
            .forbid("validated value is not of the key", r -> r[3] != 1);
    assertSound(
        WeakMemory.explore(
            KEY_1_IN_SLOT, last -> true, r -> true, reader, tearDown(Writer.PROTOCOL.cares)),
        false);
  }

  private static Verdict explore(Reader reader, Program... writers) {
    Program[] programs = new Program[writers.length + 1];
    programs[0] = reader.program();
    System.arraycopy(writers, 0, programs, 1, writers.length);
    return WeakMemory.explore(KEY_1_IN_SLOT, last -> true, r -> r[0][3] == 1, programs);
  }

  private static void assertSound(Verdict verdict, boolean sound) {
    assertThat(verdict.isSound()).as(verdict.violation()).isEqualTo(sound);
    if (sound) {
      assertThat(verdict.reached()).as("some read is a hit").isTrue();
    }
  }

  private static Program tearDown(Set<Care> cares) {
    return new Program()
        .cas(0, META, READABLE, BUSY)
        .exitUnless(r -> r[0] == READABLE)
        .then(bump(cares.contains(Care.BUMP_AT_TEAR_DOWN)))
        .releaseFence(cares.contains(Care.FENCE_AT_TEAR_DOWN))
        .store(VALUE, 0, OPAQUE)
        .store(META, EMPTY, RELEASE);
  }

  private static Program construct(Set<Care> cares) {
    return new Program()
        .cas(0, META, EMPTY, BUSY)
        .exitUnless(r -> r[0] == EMPTY)
        .then(bump(cares.contains(Care.BUMP_AT_CONSTRUCTION)))
        .releaseFence(cares.contains(Care.FENCE_AT_CONSTRUCTION))
        .store(VALUE, 2, OPAQUE)
        .store(KEY, 2, OPAQUE)
        .store(META, READABLE, RELEASE);
  }

  /** The word is the owner's alone: a plain step. */
  private static Program bump(boolean present) {
    Program program = new Program();
    return present
        ? program.load(1, GENERATION, OPAQUE).store(GENERATION, r -> r[1] + 1, RELEASE)
        : program;
  }
}
