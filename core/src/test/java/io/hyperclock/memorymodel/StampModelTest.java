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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Edge [stamp], explored exhaustively: a reader without a hold against one thread that gives the
 * buffer back and another that takes the memory and writes. The lock of the pool is a word that the
 * giver releases and the taker acquires.
 */
class StampModelTest {
  private static final int ENDED = 0;
  private static final int FREE = 1;
  private static final int BYTES = 2;
  private static final int[] LENT = {0, 0, 1};

  private static Program reader(boolean fence) {
    Program program = new Program().load(0, BYTES, OPAQUE);
    if (fence) {
      program.acquireFence();
    }
    return program
        .load(1, ENDED, OPAQUE)
        .exitUnless(r -> r[1] == 0)
        .forbid("bytes are of a later loan", r -> r[0] != 1);
  }

  private static Program giver(boolean fence, boolean endsFirst) {
    Program program = new Program();
    if (!endsFirst) {
      return program.store(FREE, 1, RELEASE).store(ENDED, 1, OPAQUE);
    }
    program.store(ENDED, 1, OPAQUE);
    if (fence) {
      program.releaseFence(true);
    }
    return program.store(FREE, 1, RELEASE);
  }

  private static Program taker(boolean fence) {
    Program program = new Program().load(0, FREE, ACQUIRE).exitUnless(r -> r[0] == 1);
    if (fence) {
      program.releaseFence(true);
    }
    return program.store(BYTES, 2, OPAQUE);
  }

  @ParameterizedTest
  @CsvSource({
    // reader's fence, giver's fence, giver ends the loan first, taker's fence, sound
    "true,  false, true,  true,  true",
    "false, false, true,  true,  false",
    "true,  false, true,  false, false",
    "true,  true,  true,  false, false",
    "true,  false, false, true,  false",
  })
  void eachStepIsNeeded(
      boolean readerFence,
      boolean giverFence,
      boolean endsFirst,
      boolean takerFence,
      boolean sound) {
    Verdict verdict =
        WeakMemory.explore(
            LENT,
            last -> true,
            r -> r[0][1] == 0 && r[0][0] == 1,
            reader(readerFence),
            giver(giverFence, endsFirst),
            taker(takerFence));
    assertThat(verdict.isSound()).as(verdict.toString()).isEqualTo(sound);
    assertThat(verdict.reached() || !sound).as("some read is right").isTrue();
  }
}
