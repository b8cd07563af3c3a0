/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.caches;

import io.hyperclock.benchmarks.keys.Distribution;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * How many entries are cached and how they are read. All reads hit: each cache has room for an
 * eighth more than it holds.
 */
@State(Scope.Benchmark)
public abstract class Workload {
  /** Entries cached. */
  @Param("65536")
  public int size;

  /** How often each is read. */
  @Param("ZIPF")
  public Distribution distribution;

  /**
   * Entries there is room for.
   *
   * @return a count
   */
  final long capacity() {
    return size + (size >>> 3);
  }

  static void requireHit(boolean hit, int number) {
    if (!hit) {
      throw new IllegalStateException("every key must be cached: number=" + number);
    }
  }
}
