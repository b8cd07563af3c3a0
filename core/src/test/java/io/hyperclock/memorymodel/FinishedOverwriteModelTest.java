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

import io.hyperclock.memorymodel.WeakMemory.Verdict;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Edge [one-entry], explored exhaustively: a thread that finds an entry superseding does what the
 * overwriter has yet to do, beside that overwriter, who goes on too. The older entry is in slot 0,
 * the newer one in slot 1 of the other bucket.
 */
class FinishedOverwriteModelTest {
  private static final int TAGS = 0;
  private static final int OLDER = 1;
  private static final int NEWER = 2;
  private static final int COUNT = 3;
  private static final int VALUE = 4;

  private static final int EMPTY = 0;
  private static final int CONSTRUCTED = 1;
  private static final int ANNOUNCED = 2;
  private static final int VISIBLE = 3;
  private static final int SUPERSEDING = 4;
  private static final int SUPERSEDED = 6;

  /** One pin; a meta word of the model is {@code pins * 8 + state}. */
  private static final int PIN = 8;

  private static final int STATE = 7;

  /** Registers. */
  private static final int OLD = 0;

  private static final int WORD = 1;
  private static final int SEEN = 2;
  private static final int PINNED = 4;
  private static final int COUNTED = 5;
  private static final int AGAIN = 6;
  private static final int HID = 7;

  private enum Change {
    HELPS_WITHOUT_COUNTING,
    HELPS_WITHOUT_LOOKING_AFTER_THE_PIN
  }

  private static final Set<Change> NONE = EnumSet.noneOf(Change.class);

  @Test
  void finishedByAnother() {
    assertSound(finishedOverwrite(NONE));
    assertSound(overwriteIntoTheOldSlot(NONE));
  }

  @Test
  void changeOfAFinishedOverwriteIsFound() {
    assertThat(finishedOverwrite(EnumSet.of(Change.HELPS_WITHOUT_COUNTING)).isSound()).isFalse();
    Set<Change> early = EnumSet.of(Change.HELPS_WITHOUT_LOOKING_AFTER_THE_PIN);
    assertThat(overwriteIntoTheOldSlot(early).isSound()).isFalse();
  }

  private static int[] initial() {
    return new int[] {0, VISIBLE, CONSTRUCTED, 0, 0};
  }

  /** A reader beside a writer and one who does what the writer has yet to do. */
  private static Verdict finishedOverwrite(Set<Change> changes) {
    Program reader =
        new Program()
            .load(OLD, COUNT, ACQUIRE)
            .load(WORD, TAGS, ACQUIRE)
            .when(
                TagWord.shows(WORD, 1),
                new Program()
                    .load(SEEN, NEWER, ACQUIRE)
                    .exitUnless(r -> (r[SEEN] & STATE) < VISIBLE))
            .load(SEEN, OLDER, ACQUIRE)
            .exitUnless(r -> (r[SEEN] & STATE) != VISIBLE)
            .acquireFence()
            .load(COUNTED, COUNT, ACQUIRE)
            .forbid("missed", r -> r[OLD] == r[COUNTED]);
    return WeakMemory.explore(
        initial(),
        memory -> (memory[OLDER] & STATE) == SUPERSEDED,
        r -> r[1][HID] != 0 && r[2][COUNTED] != 0,
        put(),
        help(changes),
        reader);
  }

  /** The old slot is used again for a third value, which a late helper must leave alone. */
  private static Verdict overwriteIntoTheOldSlot(Set<Change> changes) {
    Program putAgain =
        new Program()
            .update(
                OLD, OLDER, (old, r) -> old == SUPERSEDED ? CONSTRUCTED : Program.FAIL, VOLATILE)
            .exitUnless(r -> r[OLD] == SUPERSEDED)
            .store(OLDER, EMPTY, RELEASE)
            .cas(OLD, OLDER, EMPTY, CONSTRUCTED)
            .store(VALUE, 3, OPAQUE)
            .cas(OLD, OLDER, CONSTRUCTED, SUPERSEDING)
            .update(OLD, NEWER, (old, r) -> old - VISIBLE + SUPERSEDED, VOLATILE);
    return WeakMemory.explore(
        initial(),
        memory -> memory[VALUE] != 3 || (memory[OLDER] & STATE) == SUPERSEDING,
        r -> r[1][SEEN] == SUPERSEDING && r[1][PINNED] == SUPERSEDING,
        put().then(putAgain),
        help(changes));
  }

  private static Program put() {
    return new Program()
        .store(NEWER, ANNOUNCED, RELEASE)
        .then(TagWord.set(OLD, TAGS, 1, TagWord.TAG, TOTAL))
        .cas(OLD, NEWER, ANNOUNCED, SUPERSEDING)
        .update(OLD, COUNT, (old, r) -> old + 1, TOTAL)
        .update(OLD, OLDER, (old, r) -> hidden(old), VOLATILE)
        .update(OLD, NEWER, (old, r) -> notSuperseding(old), VOLATILE);
  }

  private static int hidden(int meta) {
    return (meta & STATE) == VISIBLE ? meta - VISIBLE + SUPERSEDED : Program.FAIL;
  }

  private static int notSuperseding(int meta) {
    return (meta & STATE) == SUPERSEDING ? meta - SUPERSEDING + VISIBLE : Program.FAIL;
  }

  /**
   * Finds the newer entry superseding; pins what is visible in the old slot, looks whether the
   * newer one still supersedes, and hides what it has pinned.
   */
  private static Program help(Set<Change> changes) {
    Program program =
        new Program()
            .load(SEEN, NEWER, ACQUIRE)
            .exitUnless(r -> (r[SEEN] & STATE) == SUPERSEDING)
            .update(
                PINNED,
                OLDER,
                (old, r) ->
                    (old & STATE) == VISIBLE || (old & STATE) == SUPERSEDING
                        ? old + PIN
                        : Program.FAIL,
                VOLATILE)
            .exitUnless(r -> (r[PINNED] & STATE) == VISIBLE || (r[PINNED] & STATE) == SUPERSEDING);
    if (!changes.contains(Change.HELPS_WITHOUT_LOOKING_AFTER_THE_PIN)) {
      program
          .load(AGAIN, NEWER, ACQUIRE)
          .when(
              r -> (r[AGAIN] & STATE) != SUPERSEDING,
              new Program().update(OLD, OLDER, (old, r) -> old - PIN, VOLATILE).exit());
    }
    if (!changes.contains(Change.HELPS_WITHOUT_COUNTING)) {
      program.update(OLD, COUNT, (old, r) -> old + 1, TOTAL);
    }
    return program
        .update(
            HID,
            OLDER,
            (old, r) -> (old & STATE) == SUPERSEDED ? old - PIN : (old & ~STATE) + SUPERSEDED - PIN,
            VOLATILE)
        .update(OLD, NEWER, (old, r) -> notSuperseding(old), VOLATILE);
  }
}
