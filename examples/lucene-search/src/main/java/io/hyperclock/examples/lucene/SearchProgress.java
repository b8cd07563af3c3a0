/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.lucene;

import java.io.PrintStream;

/** Tells on one stream how far the job is. For one thread. */
final class SearchProgress {
  private final PrintStream out;
  private final long start = System.nanoTime();
  private int expected;
  private int done;

  SearchProgress(PrintStream out) {
    this.out = out;
  }

  /** Sets how many steps there will be. */
  void expect(int steps) {
    expected = steps;
  }

  /** Tells that a step is done. */
  void step(String format, Object... args) {
    done++;
    say("%d/%d  %s", done, expected, format.formatted(args));
  }

  /** Tells anything. */
  void say(String format, Object... args) {
    long seconds = (System.nanoTime() - start) / 1_000_000_000L;
    out.printf("[%3d s] %s%n", seconds, format.formatted(args));
  }
}
