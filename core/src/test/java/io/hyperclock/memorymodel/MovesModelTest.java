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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Edges [start], [move], [forward] and [view], explored exhaustively: an entry goes from one table
 * to the next beside an insert that has begun in the old one, a read, a holder and an eviction.
 */
class MovesModelTest {
  private static final int CONSTRUCTED = 1;
  private static final int ANNOUNCED = 2;
  private static final int VISIBLE = 3;
  private static final int MOVED = 4;
  private static final int HIDDEN = 6;

  /** One pin; a meta word of the model is {@code pins * 8 + state}. */
  private static final int PIN = 8;

  private static final int STATE = 7;

  /** Registers. */
  private static final int OLD = 0;

  private static final int SEEN = 1;
  private static final int WORD = 2;
  private static final int COLD = 3;

  // [start]

  private static final int NEXT = 0;
  private static final int TAG = 1;
  private static final int OLD_SLOT = 2;
  private static final int FRESH = 3;

  private enum Late {
    LOOK_AT_NEXT_IS_MISSING,
    LOOK_AT_NEXT_ACQUIRES_ONLY,
    LOOK_BEFORE_THE_ANNOUNCEMENT,
    TAG_IS_PASSED,
    ANNOUNCED_IS_PASSED
  }

  @Test
  void oneOfTwoInsertsInTwoTablesIsPublished() {
    assertSound(start(null, false));
  }

  @Test
  void whatAMoverHasLookedAtStaysDrained() {
    assertSound(start(null, true));
  }

  @ParameterizedTest
  @EnumSource(Late.class)
  void changeOfTheStartIsFound(Late change) {
    assertThat(start(change, false).isSound()).isFalse();
    assertThat(start(change, true).isSound()).isFalse();
  }

  private static Program lookAtNext(Mode mode) {
    return new Program().load(SEEN, NEXT, mode).exitUnless(r -> r[SEEN] == 0);
  }

  /**
   * An insert that has begun in the old table, the starter, and who knows the next table: an insert
   * there, which looks at slots with its tag, or a mover, which looks at all.
   */
  private static Verdict start(Late change, boolean isMover) {
    Program early = new Program();
    if (change == Late.LOOK_BEFORE_THE_ANNOUNCEMENT) {
      early.then(lookAtNext(TOTAL));
    }
    early.store(OLD_SLOT, ANNOUNCED, RELEASE).update(OLD, TAG, (old, r) -> 1, TOTAL);
    if (change == null || change == Late.ANNOUNCED_IS_PASSED || change == Late.TAG_IS_PASSED) {
      early.then(lookAtNext(TOTAL));
    } else if (change == Late.LOOK_AT_NEXT_ACQUIRES_ONLY) {
      early.then(lookAtNext(ACQUIRE));
    }
    early.cas(WORD, OLD_SLOT, ANNOUNCED, VISIBLE);
    Program look = new Program().load(SEEN, OLD_SLOT, TOTAL);
    if (change != Late.ANNOUNCED_IS_PASSED) {
      look.when(
          r -> r[SEEN] == ANNOUNCED, new Program().cas(SEEN, OLD_SLOT, ANNOUNCED, CONSTRUCTED));
    }
    look.exitUnless(r -> r[SEEN] != VISIBLE);
    Program late = new Program().load(OLD, NEXT, TOTAL).exitUnless(r -> r[OLD] == 1);
    if (change != Late.TAG_IS_PASSED) {
      late.load(WORD, TAG, TOTAL);
    }
    late.when(r -> isMover || change == Late.TAG_IS_PASSED || r[WORD] == 1, look)
        .store(FRESH, 1, RELEASE);
    return WeakMemory.explore(
        new int[4],
        memory -> memory[OLD_SLOT] != VISIBLE || memory[FRESH] == 0,
        r -> r[0][WORD] == CONSTRUCTED,
        early,
        new Program().store(NEXT, 1, TOTAL),
        late);
  }

  // [view]

  private static final int FROM = 0;
  private static final int TO = 1;
  private static final int VALUE = 2;

  private enum Look {
    NEWEST_FIRST,
    NO_FENCE,
    HIDDEN_BEFORE_PUBLISHED
  }

  @Test
  void whatStaysIsFound() {
    assertSound(read(null));
  }

  @ParameterizedTest
  @EnumSource(Look.class)
  void changeOfAReadIsFound(Look change) {
    assertThat(read(change).isSound()).isFalse();
  }

  private static Verdict read(Look change) {
    Program publish = new Program().update(OLD, TO, (old, r) -> VISIBLE, VOLATILE);
    Program hide = new Program().update(OLD, FROM, (old, r) -> HIDDEN, VOLATILE);
    Program mover = new Program();
    if (change == Look.HIDDEN_BEFORE_PUBLISHED) {
      mover.then(hide).then(publish);
    } else {
      mover.then(publish).then(hide);
    }
    mover.releaseFence(true).store(VALUE, 0, OPAQUE);
    Program reader = new Program();
    if (change == Look.NEWEST_FIRST) {
      reader.load(WORD, TO, ACQUIRE).exitUnless(r -> r[WORD] != VISIBLE);
    }
    reader.load(SEEN, FROM, ACQUIRE).load(COLD, VALUE, OPAQUE);
    reader.exitUnless(r -> r[SEEN] != VISIBLE || r[COLD] == 0);
    if (change != Look.NO_FENCE) {
      reader.acquireFence();
    }
    if (change != Look.NEWEST_FIRST) {
      reader.load(WORD, TO, ACQUIRE);
    }
    reader.forbid("missed", r -> r[WORD] != VISIBLE);
    return WeakMemory.explore(
        new int[] {VISIBLE, 0, 1}, memory -> true, r -> r[1][WORD] == VISIBLE, mover, reader);
  }

  // [move], [forward]

  private static final int HELD = 0;
  private static final int FORWARDED = 1;
  private static final int COME = 2;
  private static final int FREES = 3;
  private static final int USED = 4;

  private enum Step {
    FORWARDS_AFTER_HIDING,
    NO_PIN_FOR_THE_OLD_SLOT,
    HOLDER_FREES
  }

  @Test
  void aValueIsFreedOnceAndAfterItsLastUse() {
    assertSound(move(null));
  }

  @ParameterizedTest
  @EnumSource(Step.class)
  void changeOfAMoveIsFound(Step change) {
    assertThat(move(change).isSound()).isFalse();
  }

  private static int pins(int meta) {
    return meta / PIN;
  }

  private static Program free() {
    return new Program().free(r -> USED, 1).update(OLD, FREES, (old, r) -> old + 1, VOLATILE);
  }

  private static Program release() {
    return new Program().update(OLD, COME, (old, r) -> old - PIN, VOLATILE);
  }

  /** What the owner of the old slot does. */
  private static Program tearDown(Step change) {
    Program program = new Program().load(COLD, FORWARDED, ACQUIRE);
    if (change == Step.HOLDER_FREES) {
      return program.then(free());
    }
    return program
        .when(r -> r[COLD] == 0, free())
        .when(r -> r[COLD] == 1 && change != Step.NO_PIN_FOR_THE_OLD_SLOT, release());
  }

  /** A mover, a holder of the old slot, and an eviction of the new one. */
  private static Verdict move(Step change) {
    Program forward = new Program().update(OLD, FORWARDED, (old, r) -> 1, VOLATILE);
    int references = change == Step.NO_PIN_FOR_THE_OLD_SLOT ? 1 : 2;
    Program mover =
        new Program()
            .update(OLD, HELD, (old, r) -> old + PIN, VOLATILE)
            .cas(OLD, COME, ANNOUNCED, MOVED + references * PIN);
    if (change != Step.FORWARDS_AFTER_HIDING) {
      mover.then(forward);
    }
    mover.update(
        WORD,
        HELD,
        (old, r) -> pins(old) == 1 ? CONSTRUCTED : HIDDEN + (pins(old) - 1) * PIN,
        VOLATILE);
    if (change == Step.FORWARDS_AFTER_HIDING) {
      mover.then(forward);
    }
    mover
        .update(OLD, COME, (old, r) -> old - MOVED + VISIBLE, VOLATILE)
        .then(release())
        .when(r -> pins(r[WORD]) == 1, tearDown(change));
    Program holder =
        new Program()
            .use(r -> USED)
            .update(
                WORD,
                HELD,
                (old, r) -> pins(old) == 1 && (old & STATE) == HIDDEN ? CONSTRUCTED : old - PIN,
                VOLATILE)
            .exitUnless(r -> pins(r[WORD]) == 1 && (r[WORD] & STATE) == HIDDEN)
            .then(tearDown(change));
    Program evictor =
        new Program()
            .update(WORD, COME, (old, r) -> old == VISIBLE ? CONSTRUCTED : Program.FAIL, VOLATILE)
            .exitUnless(r -> r[WORD] == VISIBLE)
            .then(free());
    return WeakMemory.explore(
        new int[] {VISIBLE + PIN, 0, ANNOUNCED, 0, 0},
        memory -> memory[FREES] == 0 || memory[FREES] == 1 && memory[COME] == CONSTRUCTED,
        r -> r[1][COLD] == 1 && r[2][WORD] == VISIBLE,
        mover,
        holder,
        evictor);
  }
}
