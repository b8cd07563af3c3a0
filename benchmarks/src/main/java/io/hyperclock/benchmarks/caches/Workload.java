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
 * How many entries are cached and how they are read. All reads hit: the keys are those in the cache
 * when it is filled, and nothing is inserted later. A fresh cache has room for an eighth more than
 * it holds.
 */
@State(Scope.Benchmark)
public abstract class Workload {
  /** Entries cached. */
  @Param("65536")
  public int size;

  /** How often each is read. */
  @Param("ZIPF")
  public Distribution distribution;

  /** What the cache went through before it is read. */
  @Param("STEADY")
  public CacheState state;

  /**
   * Whether the cache is full and turned over.
   *
   * @return false if it is fresh
   */
  protected final boolean isSteady() {
    return state == CacheState.STEADY;
  }

  /**
   * Entries there is room for.
   *
   * @return a count
   */
  final long capacity() {
    return isSteady() ? size : size + (size >>> 3);
  }

  /**
   * Inserts of new keys that fill the cache.
   *
   * @return a count
   */
  final int inserts() {
    return state.inserts(size, size);
  }

  static void requireHit(boolean hit, int number) {
    if (!hit) {
      throw new IllegalStateException("every key must be cached: number=" + number);
    }
  }
}
