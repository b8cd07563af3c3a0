/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

/** A cache that a trace is replayed on. */
interface TraceReplay extends AutoCloseable {
  /**
   * Asks for keys of the trace in order; what is missing is inserted.
   *
   * @param from first request
   * @param to request after the last
   * @return number of hits
   */
  int hits(int from, int to);

  @Override
  default void close() {}
}
