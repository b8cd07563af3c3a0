/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Tags;
import org.jspecify.annotations.Nullable;

/**
 * Reads that do not pin and are counted nowhere but in the slot.
 *
 * <p>One look at both buckets, by {@link SlotStore#find}, settles nearly every read. The search
 * that is slower and knows more is for entries that are being overwritten or may not be read
 * without a pin, and for misses of a table in which entries were overwritten.
 */
final class FastReads extends OptimisticReads {
  private final long hotFrom;

  /** Reads of one table. */
  FastReads(EntryLifecycle table, TableView kind) {
    super(table, kind);
    this.hotFrom = slots.hotFrom();
  }

  @Override
  public @Nullable Object read(long hi, long lo, long hash, long wanted, boolean use) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    long looked = wanted | MetaWord.WRITER;
    long tick = use ? hotFrom : 0;
    Object value = store.find(first, second, Tags.pattern(hash), hi, lo, looked, wanted, tick);
    if (value == SlotStore.NOT_FOUND && !mayHaveMissed()) {
      return null;
    }
    return value == null || value == SlotStore.NOT_FOUND
        ? search(hi, lo, hash, wanted, use)
        : value;
  }

  @Override
  void used(int slot, long meta) {
    slots.tick(slot, meta);
  }

  @Override
  void missed() {}
}
