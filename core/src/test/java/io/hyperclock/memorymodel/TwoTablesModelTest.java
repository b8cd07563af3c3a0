/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import static io.hyperclock.memorymodel.Program.Mode.ACQUIRE;
import static io.hyperclock.memorymodel.Program.Mode.VOLATILE;
import static io.hyperclock.memorymodel.WeakMemory.assertSound;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.memorymodel.WeakMemory.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Edges [view] and [one-entry], explored exhaustively: a read that looks at the table that is left,
 * then at the newest one, beside writers that began in the table that is left.
 */
class TwoTablesModelTest {
  private static final int ANNOUNCED = 1;
  private static final int VISIBLE = 2;
  private static final int SUPERSEDING = 3;
  private static final int HIDDEN = 4;

  /** Registers. */
  private static final int OLD = 0;

  private static final int NEWER = 1;
  private static final int OLDER = 2;
  private static final int COUNTED = 3;

  // An overwrite within the table that is left, which the reader met announced.

  private static final int NEW_SLOT = 0;
  private static final int OLD_SLOT = 1;
  private static final int COUNT = 2;

  private enum Count {
    NOT_COMPARED,
    LOADED_AFTER_THE_LOOK,
    STEPPED_AFTER_HIDING
  }

  @Test
  void anOverwrittenKeyIsFound() {
    assertSound(overwritten(null));
  }

  @ParameterizedTest
  @EnumSource(Count.class)
  void changeOfTheCountIsFound(Count change) {
    assertThat(overwritten(change).isSound()).isFalse();
  }

  private static Verdict overwritten(Count change) {
    Program step = new Program().update(OLD, COUNT, (old, r) -> old + 1, VOLATILE);
    Program hide = new Program().update(OLD, OLD_SLOT, (old, r) -> HIDDEN, VOLATILE);
    Program writer = new Program().cas(OLD, NEW_SLOT, ANNOUNCED, SUPERSEDING);
    if (change == Count.STEPPED_AFTER_HIDING) {
      writer.then(hide).then(step);
    } else {
      writer.then(step).then(hide);
    }
    Program count = new Program().load(COUNTED, COUNT, VOLATILE);
    Program reader = new Program();
    if (change != Count.LOADED_AFTER_THE_LOOK) {
      reader.then(count);
    }
    reader.load(NEWER, NEW_SLOT, ACQUIRE).exitUnless(r -> r[NEWER] == ANNOUNCED);
    reader.load(OLDER, OLD_SLOT, ACQUIRE).exitUnless(r -> r[OLDER] == HIDDEN);
    if (change == Count.LOADED_AFTER_THE_LOOK) {
      reader.then(count);
    }
    reader.acquireFence();
    if (change != Count.NOT_COMPARED) {
      reader.load(OLD, COUNT, VOLATILE).exitUnless(r -> r[OLD] == r[COUNTED]);
    }
    reader.forbid("missed", r -> true);
    return WeakMemory.explore(
        new int[] {ANNOUNCED, VISIBLE, 0},
        memory -> true,
        r -> r[1][NEWER] == ANNOUNCED && r[1][OLDER] == HIDDEN,
        writer,
        reader);
  }

  // A late insert into the table that is left, and its overwrite in the newest one.

  private static final int LATE = 0;
  private static final int NEWEST = 1;

  @Test
  void aLaterReadFindsNothingOlder() {
    assertSound(late(true));
  }

  @Test
  void withoutALookBackALaterReadFindsSomethingOlder() {
    assertThat(late(false).isSound()).isFalse();
  }

  private static Verdict late(boolean looksBack) {
    Program insert = new Program().cas(OLD, LATE, ANNOUNCED, VISIBLE);
    Program put =
        new Program()
            .load(OLDER, LATE, ACQUIRE)
            .exitUnless(r -> r[OLDER] == VISIBLE)
            .update(OLD, NEWEST, (old, r) -> SUPERSEDING, VOLATILE)
            .update(OLD, LATE, (old, r) -> HIDDEN, VOLATILE);
    Program lookAtLeft = new Program().load(OLDER, LATE, ACQUIRE);
    Program reader = new Program().then(lookAtLeft).exitUnless(r -> r[OLDER] != VISIBLE);
    reader.acquireFence().load(NEWER, NEWEST, ACQUIRE).exitUnless(r -> r[NEWER] == SUPERSEDING);
    if (looksBack) {
      reader.acquireFence().then(lookAtLeft).exitUnless(r -> r[OLDER] != VISIBLE);
    }
    // The next read.
    reader.then(lookAtLeft).forbid("older than before", r -> r[OLDER] == VISIBLE);
    return WeakMemory.explore(
        new int[] {ANNOUNCED, 0},
        memory -> true,
        r -> r[2][NEWER] == SUPERSEDING,
        insert,
        put,
        reader);
  }
}
