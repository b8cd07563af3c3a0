/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.interleaving;

import io.hyperclock.interleaving.Schedules.Chooser;
import io.hyperclock.interleaving.Schedules.Turn;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** One schedule after another. */
final class Exploration {
  /**
   * What was open at a decision.
   *
   * @param free whether the thread that ran before could not go on
   * @param out threads that could not be chosen
   */
  record Decision(int chosen, boolean free, boolean[] out) {}

  /** More there are only where a thread goes round and round until another has done something. */
  private static final int MOST_DECISIONS = 500;

  private Exploration() {}

  /**
   * Runs every schedule in which at most so many threads are held up in the middle of an operation.
   *
   * @param schedules what {@code run} uses
   * @param run runs one schedule on a new object and looks at what came out
   */
  static void explore(Schedules schedules, int preemptions, Consumer<Chooser> run) {
    Deque<List<Turn>> open = new ArrayDeque<>();
    open.add(List.of());
    while (!open.isEmpty()) {
      List<Turn> next = open.removeLast();
      run.accept(Choosers.replaying(next));
      List<Decision> decisions = schedules.lastDecisions();
      int spent = 0;
      for (Turn turn : next) {
        boolean taken = turn.decision() < decisions.size();
        spent += taken && decisions.get(turn.decision()).free() ? 0 : 1;
      }
      int from = next.isEmpty() ? 0 : next.get(next.size() - 1).decision() + 1;
      for (int d = from; d < Math.min(decisions.size(), MOST_DECISIONS); d++) {
        Decision decision = decisions.get(d);
        for (int thread = 0; thread < decision.out().length; thread++) {
          if (thread != decision.chosen()
              && !decision.out()[thread]
              && (decision.free() || spent < preemptions)) {
            List<Turn> longer = new ArrayList<>(next);
            longer.add(new Turn(d, thread));
            open.add(longer);
          }
        }
      }
    }
  }
}
