/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.LeakDetection;
import io.hyperclock.interleaving.Scenario;
import io.hyperclock.interleaving.Woven;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** One thread ends what is tracked, however many want to at the same moment. */
@Woven("observe")
class EndedOnceInterleavingTest {
  private static final int CELL = 7;
  private static final int PREEMPTIONS = 2;

  private static final class Thing extends LeakTracker.Tracked {
    Thing() {
      super(0);
      opened(CELL);
    }

    @Override
    public boolean isLost() {
      return false;
    }
  }

  /** Tracks one thing, and notes how it is ended. */
  private static final class Things extends LeakTracker<Thing> {
    final Thing thing = new Thing();
    final Queue<Integer> ended = new ConcurrentLinkedQueue<>();
    final Queue<Boolean> answers = new ConcurrentLinkedQueue<>();

    Things() {
      super(
          new ObserverNotifier.Settings(null, LeakDetection.all(), Duration.ofDays(1)),
          "lost on purpose",
          "open for long on purpose",
          () -> 0);
    }

    @Override
    protected void end(int cell) {
      ended.add(cell);
    }

    @Override
    protected void lost(Thing thing, long nowNanos) {
      throw new AssertionError("it is not lost");
    }

    void endIt() {
      answers.add(thing.end(this));
    }
  }

  @Test
  void oneOfTwoEndsIt() {
    new Scenario<>(
            "two ends",
            Things::new,
            (Things things) -> {
              assertThat(things.ended).containsExactly(CELL);
              assertThat(things.answers).containsExactlyInAnyOrderElementsOf(List.of(true, false));
              assertThat(things.thing.isOpen()).isFalse();
            },
            Things::endIt,
            Things::endIt)
        .explore(PREEMPTIONS);
  }
}
