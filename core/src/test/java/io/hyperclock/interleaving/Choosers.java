/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.interleaving;

import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;

/** What {@link Schedules} runs by. */
final class Choosers {
  private static final int MOST_STEPS_LOG = 9;

  private Choosers() {}

  /** Takes the turns of a schedule, of which each must be possible. */
  static Schedules.Chooser replaying(List<Schedules.Turn> schedule) {
    Iterator<Schedules.Turn> left = schedule.iterator();
    Schedules.Turn[] next = {left.hasNext() ? left.next() : null};
    return decision -> {
      if (next[0] == null || next[0].decision() != decision) {
        return Schedules.NOBODY;
      }
      int thread = next[0].thread();
      next[0] = left.hasNext() ? left.next() : null;
      return thread;
    };
  }

  /** Holds some of so many threads up at random, as often after few steps as after many. */
  static Schedules.Chooser random(int threads, SplittableRandom random) {
    int[] next = {0};
    return decision -> {
      if (decision < next[0]) {
        return Schedules.NOBODY;
      }
      int atMost = 1 << random.nextInt(MOST_STEPS_LOG);
      next[0] = decision + 1 + random.nextInt(atMost);
      return random.nextInt(threads);
    };
  }
}
