/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import java.util.List;

/** One cache of an epoch, and what is done to it. */
interface Part {
  /** What one worker does to it; used by that worker alone. */
  interface Session {
    /** One random operation. May throw what {@link Mishaps#isExpected} allows. */
    void step();

    /** Gives everything back that is held, and waits for what was started. */
    void finish();
  }

  /** Starts a worker. */
  Session session(SoakWorker worker);

  /** Whether {@link #close} has been called. */
  boolean isClosing();

  /** Closes the cache, on any thread, also while workers use it. */
  void close();

  /**
   * What is wrong now that no worker uses it any more. Closes it if that has not happened.
   *
   * @param patience how long to wait for what the cache does on threads of its own
   * @return one sentence each
   */
  List<String> end(Patience patience);

  /** Its settings in one line. */
  String describe();
}
