/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.table.ClockTable.ReadRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Reads that do not pin, counted by type and role. Which entry it was must be known for that, so
 * the slower search is used.
 */
final class CountedReads extends OptimisticReads {
  private final ReadRecorder recorder;

  private CountedReads(
      Buckets buckets,
      SlotProtocol slots,
      OverwriteSequence overwrites,
      EntryCallbacks callbacks,
      ReadRecorder recorder) {
    super(buckets, slots, overwrites, callbacks);
    this.recorder = recorder;
  }

  /** Reads of one table. */
  static OptimisticReads create(
      Buckets buckets,
      SlotProtocol slots,
      OverwriteSequence overwrites,
      EntryCallbacks callbacks,
      ReadRecorder recorder) {
    return new CountedReads(buckets, slots, overwrites, callbacks, recorder);
  }

  @Override
  @Nullable Object read(long hi, long lo, long hash, long wanted, boolean use) {
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
