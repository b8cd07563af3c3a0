/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.observe.EntryCallbacks;
import io.hyperclock.internal.observe.StatsRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Reads that do not pin, counted by type and role. Which entry it was must be known for that, so
 * the slower search is used.
 */
final class CountedReads extends OptimisticReads {
  private final StatsRecorder recorder;

  private CountedReads(
      EntryLifecycle table,
      OverwriteSequence overwrites,
      EntryCallbacks callbacks,
      StatsRecorder recorder,
      TableView kind) {
    super(table, overwrites, callbacks, kind);
    this.recorder = recorder;
  }

  /** Reads of one table. */
  static OptimisticReads create(
      EntryLifecycle table,
      OverwriteSequence overwrites,
      EntryCallbacks callbacks,
      StatsRecorder recorder,
      TableView kind) {
    return new CountedReads(table, overwrites, callbacks, recorder, kind);
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
    recorder.miss();
  }
}
