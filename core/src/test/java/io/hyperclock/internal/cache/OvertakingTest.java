/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.BlockCache;
import io.hyperclock.interleaving.Interleavings;
import io.hyperclock.interleaving.Operation;
import io.hyperclock.interleaving.Schedules.Chooser;
import io.hyperclock.interleaving.Woven;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * [one-entry] Reads while one overwrite is stopped in the middle and another finishes it. Too many
 * threads have to be stopped at the right places for {@link InterleavingTest} to come upon it.
 */
@Woven({"table", "capacity", "slot"})
class OvertakingTest extends OneKeyInterleavings {
  /** More than a read makes accesses. */
  private static final int MOST_STEPS = 48;

  /** More than a writer makes accesses between publishing an entry and hiding the older one. */
  private static final int STEPS_OF_WRITER = 8;

  private static final int READER = 0;
  private static final int FIRST = 1;
  private static final int SECOND = 2;

  private interface Turns {
    WriterScript of(WriterScript script, int steps);
  }

  /** Two reads beside two overwrites, with the first read stopped at each of its accesses. */
  private void follow(Turns turns) {
    List<Function<BlockCache<Object>, Chooser>> scripts =
        IntStream.range(0, MOST_STEPS)
            .<Function<BlockCache<Object>, Chooser>>mapToObj(
                steps -> cache -> turns.of(new WriterScript(cache), steps))
            .toList();
    for (List<Rival> rivals :
        List.of(
            List.<Rival>of(),
            List.of(BEFORE_IT),
            FULL_BUCKET,
            List.of(STAYS),
            List.of(doubleOfKey()))) {
      Interleavings<BlockCache<Object>> layout =
          Interleavings.ofWovenCode(() -> start(rivals, () -> {}), this::end, seed);
      for (Operation<BlockCache<Object>> read : List.of(GET, LOOKUP)) {
        layout.follow(
            scripts, List.of(List.of(read, read), List.of(move("b")), List.of(move("c"))));
      }
    }
  }

  /**
   * The read has found the newer entry and looks for the older one, which goes; another overwrite
   * begins. What the read finds now is newer still, and has not taken effect.
   */
  @Test
  void whatIsNewerStillIsNotTheOlder() {
    follow(
        (script, steps) ->
            script
                .untilVisible(FIRST, "b")
                .steps(READER, steps)
                .untilVisible(SECOND, "c")
                .steps(READER, 0));
  }

  /** The older entry has gone before the read looks at it. */
  @Test
  void theNewerIsFoundAgain() {
    follow(
        (script, steps) ->
            script
                .untilVisible(FIRST, "b")
                .steps(READER, steps)
                .untilHidden(SECOND, "a")
                .steps(READER, 0));
    for (int writer = 0; writer < STEPS_OF_WRITER; writer++) {
      int stepsOfWriter = writer;
      follow(
          (script, steps) ->
              script
                  .untilVisible(FIRST, "b")
                  .steps(FIRST, stepsOfWriter)
                  .steps(READER, steps)
                  .untilHidden(FIRST, "a")
                  .steps(READER, 0));
    }
  }

  /** The read looks for the newer entry too early, and for the older one too late. */
  @Test
  void whoHidesTheOlderHasCounted() {
    follow(
        (script, steps) ->
            script
                .steps(READER, steps)
                .untilVisible(FIRST, "b")
                .untilHidden(SECOND, "a")
                .steps(READER, 0));
    follow((script, steps) -> script.steps(READER, steps).untilHidden(FIRST, "a").steps(READER, 0));
  }
}
