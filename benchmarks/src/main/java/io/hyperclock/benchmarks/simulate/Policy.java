/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import io.hyperclock.HashSeed;
import io.hyperclock.ReplacementPolicy;
import java.util.Locale;

/** What decides who leaves. */
public enum Policy {
  /** HyperClock with its classic policy. */
  CLASSIC("HCC", true, true),
  /** HyperClock with its adaptive policy. */
  ADAPTIVE("DUEL-R16", true, true),
  /** Caffeine. */
  CAFFEINE("Caffeine", true, true),
  /** Least recently used. */
  LRU("LRU", false, true),
  /** The best possible, of entries of one size. */
  OPT("OPT", false, false);

  private final String column;
  private final boolean concurrent;
  private final boolean weighted;

  Policy(String column, boolean concurrent, boolean weighted) {
    this.column = column;
    this.concurrent = concurrent;
    this.weighted = weighted;
  }

  /**
   * Its name in results.
   *
   * @return lower case
   */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Its usual column in a table of expected ratios.
   *
   * @return the column's name
   */
  public String column() {
    return column;
  }

  /**
   * Whether several threads can share it.
   *
   * @return true if so
   */
  public boolean concurrent() {
    return concurrent;
  }

  /**
   * Whether entries may have different sizes.
   *
   * @return true if so
   */
  public boolean weighted() {
    return weighted;
  }

  /**
   * Makes an empty cache.
   *
   * @param trace what will be replayed
   * @param capacity entries, or the sum of their sizes if the trace is weighted
   * @param shards parts of HyperClock
   * @param seed seed of HyperClock's key hash
   * @return a cache to be closed
   */
  TraceReplay open(Trace trace, long capacity, int shards, long seed) {
    return switch (this) {
      case CLASSIC, ADAPTIVE ->
          new HyperClockReplay(
              trace, capacity, ReplacementPolicy.valueOf(name()), shards, HashSeed.fixed(seed));
      case CAFFEINE -> new CaffeineReplay(trace, capacity);
      case LRU -> new LruReplay(trace, capacity);
      case OPT -> new OptReplay(trace, capacity);
    };
  }
}
