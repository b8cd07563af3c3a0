/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import static io.hyperclock.memorymodel.Program.Mode.ACQUIRE;
import static io.hyperclock.memorymodel.Program.Mode.OPAQUE;
import static io.hyperclock.memorymodel.Program.Mode.RELEASE;
import static io.hyperclock.memorymodel.Program.Mode.VOLATILE;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.memorymodel.WeakMemory.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Edge [exchange], explored exhaustively: writers who exchange a value while nobody else holds the
 * entry, one who compares it under a pin and publishes a new entry, and readers with and without a
 * pin.
 */
class ValueSwapModelTest {
  private static final int META = 0;
  private static final int VALUE = 1;
  private static final int CONTENT = 2;
  private static final int NEWER = 3;

  private static final int PIN = 1;
  private static final int EXCHANGING = 16;
  private static final int OLD = 0;
  private static final int NEW = 1;
  private static final int OTHER = 2;

  private static final int WORD = 0;
  private static final int AGAIN = 1;
  private static final int FOUND = 2;
  private static final int DONE = 3;

  private enum Fault {
    NONE,
    ENTERS_A_HELD_ENTRY,
    ENTERS_WITHOUT_CAS,
    NOT_AWAITED,
    GOES_BY_AN_EARLIER_WORD,
    LEAVES_BEFORE_STORING,
    STORES_WITHOUT_RELEASE,
    READS_WITHOUT_FENCE
  }

  @Test
  void exchangeBesideAComparedMove() {
    Verdict verdict = besideMove(Fault.NONE);
    assertThat(verdict.violation()).isNull();
    assertThat(verdict.reached()).as("the move can come first").isTrue();
  }

  @Test
  void twoComparedExchanges() {
    Verdict verdict = twoExchanges(Fault.NONE);
    assertThat(verdict.violation()).isNull();
    assertThat(verdict.reached()).as("one can be done").isTrue();
  }

  @Test
  void readersSeeAWholeValue() {
    Verdict verdict = besideReader(Fault.NONE);
    assertThat(verdict.violation()).isNull();
    assertThat(verdict.reached()).as("the newer value can be read").isTrue();
  }

  @Test
  void holdersSeeAWholeValueThatStays() {
    Verdict verdict = besideHolder(Fault.NONE);
    assertThat(verdict.violation()).isNull();
    assertThat(verdict.reached()).as("the newer value can be held").isTrue();
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void plantedFaultIsFound(Fault fault) {
    assertThat(
            besideMove(fault).isSound()
                && twoExchanges(fault).isSound()
                && besideReader(fault).isSound()
                && besideHolder(fault).isSound())
        .isFalse();
  }

  private static Verdict besideMove(Fault fault) {
    Program move =
        pinned(fault)
            .load(FOUND, VALUE, OPAQUE)
            .exitUnless(r -> r[FOUND] == OLD)
            .cas(DONE, NEWER, 0, 1)
            .load(DONE, NEWER, OPAQUE);
    return WeakMemory.explore(
        new int[] {0, OLD, 0, 0},
        memory -> memory[NEWER] == 0 || memory[VALUE] == OLD,
        r -> r[1][DONE] == 1,
        exchange(fault, NEW, false),
        move);
  }

  private static Verdict twoExchanges(Fault fault) {
    Program first = exchange(fault, NEW, true).update(DONE, NEWER, (old, r) -> old + 1, VOLATILE);
    Program second =
        exchange(fault, OTHER, true).update(DONE, NEWER, (old, r) -> old + 1, VOLATILE);
    return WeakMemory.explore(
        new int[] {0, OLD, 0, 0},
        memory -> memory[NEWER] <= 1,
        r -> r[0][DONE] == 0 && r[0][AGAIN] != 0,
        first,
        second);
  }

  private static Verdict besideReader(Fault fault) {
    Program reader = new Program().load(WORD, META, ACQUIRE).load(FOUND, VALUE, OPAQUE);
    if (fault != Fault.READS_WITHOUT_FENCE) {
      reader.acquireFence();
    }
    reader
        .exitUnless(r -> r[FOUND] == NEW)
        .load(DONE, CONTENT, OPAQUE)
        .forbid("not whole", r -> r[DONE] == 0);
    return WeakMemory.explore(
        new int[] {0, OLD, 0, 0},
        memory -> true,
        r -> r[1][FOUND] == NEW,
        exchange(fault, NEW, false),
        reader);
  }

  private static Verdict besideHolder(Fault fault) {
    Program holder =
        lookedUp(fault)
            .load(FOUND, VALUE, OPAQUE)
            .load(DONE, VALUE, OPAQUE)
            .forbid("changed", r -> r[FOUND] != r[DONE])
            .exitUnless(r -> r[FOUND] == NEW)
            .load(DONE, CONTENT, OPAQUE)
            .forbid("not whole", r -> r[DONE] == 0);
    return WeakMemory.explore(
        new int[] {0, OLD, 0, 0},
        memory -> true,
        r -> r[1][FOUND] == NEW,
        exchange(fault, NEW, false),
        holder);
  }

  /** Pins, and goes on only if no exchange is under way. */
  private static Program pinned(Fault fault) {
    Program program = new Program().update(WORD, META, (old, r) -> old + PIN, VOLATILE);
    return fault == Fault.NOT_AWAITED
        ? program
        : program.load(AGAIN, META, ACQUIRE).exitUnless(r -> (r[AGAIN] & EXCHANGING) == 0);
  }

  /** Pins, and looks again only if the word that the step returned shows an exchange. */
  private static Program lookedUp(Fault fault) {
    Program look =
        new Program().load(AGAIN, META, ACQUIRE).exitUnless(r -> (r[AGAIN] & EXCHANGING) == 0);
    return switch (fault) {
      case NOT_AWAITED -> pinned(fault);
      case GOES_BY_AN_EARLIER_WORD ->
          new Program()
              .load(WORD, META, ACQUIRE)
              .update(FOUND, META, (old, r) -> old + PIN, VOLATILE)
              .when(r -> (r[WORD] & EXCHANGING) != 0, look);
      default ->
          new Program()
              .update(WORD, META, (old, r) -> old + PIN, VOLATILE)
              .when(r -> (r[WORD] & EXCHANGING) != 0, look);
    };
  }

  private static Program exchange(Fault fault, int value, boolean compares) {
    Program program = new Program().store(CONTENT, 1, OPAQUE);
    switch (fault) {
      case ENTERS_A_HELD_ENTRY ->
          program
              .update(
                  WORD,
                  META,
                  (old, r) -> (old & EXCHANGING) == 0 ? old + PIN + EXCHANGING : Program.FAIL,
                  VOLATILE)
              .exitUnless(r -> (r[WORD] & EXCHANGING) == 0);
      case ENTERS_WITHOUT_CAS ->
          program
              .load(WORD, META, ACQUIRE)
              .exitUnless(r -> r[WORD] == 0)
              .update(WORD, META, (old, r) -> old + PIN + EXCHANGING, VOLATILE);
      default -> program.cas(WORD, META, 0, PIN + EXCHANGING).exitUnless(r -> r[WORD] == 0);
    }
    if (compares) {
      program.load(FOUND, VALUE, OPAQUE).exitUnless(r -> r[FOUND] == OLD);
    }
    Program store =
        new Program().store(VALUE, value, fault == Fault.STORES_WITHOUT_RELEASE ? OPAQUE : RELEASE);
    Program leave = new Program().update(AGAIN, META, (old, r) -> old - PIN - EXCHANGING, VOLATILE);
    return fault == Fault.LEAVES_BEFORE_STORING
        ? program.then(leave).then(store)
        : program.then(store).then(leave);
  }
}
