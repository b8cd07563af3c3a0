/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.interleaving.Operation;
import io.hyperclock.internal.slot.CountingSlotStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A writer that is stopped anywhere stops nobody: what it has begun others finish, or pass by.
 *
 * <p>Exchanges in place are left out: {@link StoppedExchangeTest}.
 */
class StoppedWriterTest extends OneKeyInterleavings {
  /** No operation makes as many accesses but in a loop. */
  private static final int MOST_STEPS = 2_000;

  private static final List<Operation<BlockCache<Object>>> STOPPED =
      List.of(move("b"), insert("b"), compareAndMove("a", "b"), ERASE, eraseIf("a"));

  private static final List<Operation<BlockCache<Object>>> OTHERS =
      List.of(
          put("c"),
          move("c"),
          insert("c"),
          compareAndMove("a", "c"),
          compareAndMove("b", "c"),
          ERASE,
          eraseIf("b"),
          GET,
          LOOKUP);

  /** Runs another operation before one of the accesses of the first. */
  private static final class Intruder implements Runnable {
    private final Operation<BlockCache<Object>> operation;
    private BlockCache<Object> cache;
    private int accessesBefore;
    private boolean isInside;
    private int steps;

    Intruder(Operation<BlockCache<Object>> operation, int accessesBefore) {
      this.operation = operation;
      this.accessesBefore = accessesBefore;
    }

    @Override
    public void run() {
      if (isInside && ++steps > MOST_STEPS) {
        throw new AssertionError("waits for one that is stopped");
      }
      if (cache != null && !isInside && --accessesBefore < 0) {
        BlockCache<Object> intruded = cache;
        cache = null;
        isInside = true;
        operation.call().apply(intruded);
        isInside = false;
      }
    }
  }

  /** Whether the first made so many accesses. */
  private static boolean runs(
      List<Rival> rivals,
      Operation<BlockCache<Object>> stopped,
      Operation<BlockCache<Object>> other,
      int accessesBefore) {
    Intruder intruder = new Intruder(other, accessesBefore);
    try (HyperClockCache<Object> cache = start(rivals, intruder, new CountingSlotStore[1])) {
      intruder.cache = cache;
      stopped.call().apply(cache);
      boolean ran = intruder.cache == null;
      intruder.cache = null;
      assertThat(InvariantsChecker.violations(cache)).isEmpty();
      return ran;
    } catch (AssertionError e) {
      throw new AssertionError(
          other + " while " + stopped + " is stopped at " + accessesBefore + ", " + rivals, e);
    }
  }

  @Test
  void othersEndWhileItIsStopped() {
    for (List<Rival> rivals : List.of(List.<Rival>of(), List.of(BEFORE_IT), FULL_BUCKET)) {
      for (Operation<BlockCache<Object>> stopped : STOPPED) {
        for (Operation<BlockCache<Object>> other : OTHERS) {
          int at = 0;
          while (runs(rivals, stopped, other, at)) {
            at++;
          }
          assertThat(at).as(stopped + " beside " + other).isGreaterThan(3);
        }
      }
    }
  }
}
