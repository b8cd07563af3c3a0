/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one thread does for lookups that it waits for. Steps that are marked with the session leave
 * what follows an answer to this thread, if it completes the answer itself; it is done as soon as
 * the tier has gone on from there. Used by its thread alone, but for the comparison of threads.
 */
final class HelpSession implements Runnable {
  private final Thread thread = Thread.currentThread();
  private final List<Runnable> unmarks = new ArrayList<>();
  private final List<Runnable> rests = new ArrayList<>();
  private final Deque<Runnable> answered = new ArrayDeque<>();

  boolean isOf(Thread other) {
    return thread == other;
  }

  /**
   * Adds a mark.
   *
   * @param unmark takes it away
   * @param rest goes on after that if there is an answer
   */
  void marked(Runnable unmark, Runnable rest) {
    unmarks.add(unmark);
    rests.add(rest);
  }

  /** A marked step has been answered by this thread. */
  void add(Runnable goOn) {
    answered.add(goOn);
  }

  /** Goes on with what has been answered. */
  @Override
  public void run() {
    for (Runnable next = answered.poll(); next != null; next = answered.poll()) {
      next.run();
    }
  }

  /** Ends: nothing is left to this thread any more, even if some of it throws. */
  void close() {
    for (int i = 0; i < unmarks.size(); i++) { // Needs no memory, as what follows.
      unmarks.get(i).run();
    }
    Throwable first = null;
    for (Runnable next = answered.poll(); next != null; next = answered.poll()) {
      first = ran(next, first);
    }
    for (int i = 0; i < rests.size(); i++) {
      first = ran(rests.get(i), first);
    }
    if (first != null) {
      HelpSession.<RuntimeException>rethrow(first);
    }
  }

  private static @Nullable Throwable ran(Runnable task, @Nullable Throwable before) {
    try {
      task.run();
      return before;
    } catch (Throwable e) {
      return before == null ? e : before;
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void rethrow(Throwable e) throws E {
    throw (E) e;
  }
}
