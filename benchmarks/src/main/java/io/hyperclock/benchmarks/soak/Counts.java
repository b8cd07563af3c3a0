/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import java.util.concurrent.atomic.LongAdder;

/** What has happened so far. Thread-safe. */
final class Counts {
  final LongAdder operations = new LongAdder();
  final LongAdder hits = new LongAdder();
  final LongAdder misses = new LongAdder();
  final LongAdder evictions = new LongAdder();
  final LongAdder made = new LongAdder();
  final LongAdder freed = new LongAdder();
  final LongAdder faults = new LongAdder();
  final LongAdder epochs = new LongAdder();
  final LongAdder closedInUse = new LongAdder();
  final LongAdder warmStarts = new LongAdder();
  final LongAdder resizes = new LongAdder();

  /** A copy that does not change. */
  Totals totals() {
    return new Totals(
        operations.sum(),
        hits.sum(),
        misses.sum(),
        evictions.sum(),
        made.sum(),
        freed.sum(),
        faults.sum(),
        epochs.sum(),
        closedInUse.sum(),
        warmStarts.sum(),
        resizes.sum());
  }

  /**
   * Counts at one moment.
   *
   * @param operations operations of the workers
   * @param hits reads that found a value
   * @param misses reads that found none
   * @param evictions values that the eviction listeners saw
   * @param made values made that a disposer must free
   * @param freed those of them that were freed
   * @param faults faults injected
   * @param epochs times that all caches were built, used and closed
   * @param closedInUse epochs whose caches were closed while all threads used them
   * @param warmStarts disk tiers that began with what an earlier epoch had left
   * @param resizes tables that took the place of others, in block caches that size themselves
   */
  record Totals(
      long operations,
      long hits,
      long misses,
      long evictions,
      long made,
      long freed,
      long faults,
      long epochs,
      long closedInUse,
      long warmStarts,
      long resizes) {}
}
