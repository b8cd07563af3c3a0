/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.observe.StatsRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Reads that do not pin, counted by type and role. Which entry it was must be known for that, so
 * the slower search is used.
 */
final class CountedReads extends OptimisticReads {
  private final StatsRecorder recorder;

  /** Reads of one table. */
  CountedReads(EntryLifecycle table, StatsRecorder recorder, TableView kind) {
    super(table, kind);
    this.recorder = recorder;
  }

  @Override
  public @Nullable Object read(long hi, long lo, long hash, long wanted, boolean use) {
    return search(hi, lo, hash, wanted, use);
  }

  @Override
  void used(int slot, long meta) {
    slots.tick(slot, meta);
    recorder.hit(store.coldAcquire(slot));
  }

  @Override
  void missed() {
    recorder.misses.increment();
  }
}
