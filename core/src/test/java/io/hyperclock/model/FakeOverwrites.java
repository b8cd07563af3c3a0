/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.BlockCache;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import org.jspecify.annotations.Nullable;

/** The overwriting methods of a fake, all by one. */
interface FakeOverwrites extends BlockCache<ModelValue> {
  EntryType<ModelValue> defaultType();

  /**
   * Stores an entry in place of an older one.
   *
   * @param ifAbsentToo whether to store it where there is none
   * @param expected the only value to take the place of, or null for any
   */
  InsertResult overwrite(FakeEntry entry, boolean ifAbsentToo, @Nullable ModelValue expected);

  @Override
  default InsertResult insert(long hi, long lo, ModelValue value, long chargeBytes) {
    return insert(hi, lo, value, defaultType(), chargeBytes, Priority.LOW);
  }

  @Override
  default InsertResult put(long hi, long lo, ModelValue value, long chargeBytes) {
    return put(hi, lo, value, defaultType(), chargeBytes, Priority.LOW);
  }

  @Override
  default <T extends ModelValue> InsertResult put(
      long hi, long lo, T value, EntryType<? super T> type, long chargeBytes, Priority priority) {
    return overwrite(new FakeEntry(hi, lo, value, type, chargeBytes), true, null);
  }

  @Override
  default @Nullable ModelValue putIfAbsent(long hi, long lo, ModelValue value, long chargeBytes) {
    throw new UnsupportedOperationException("the model does not put if absent");
  }

  @Override
  default <T extends ModelValue> InsertResult replace(
      long hi, long lo, T value, EntryType<? super T> type, long chargeBytes) {
    return overwrite(new FakeEntry(hi, lo, value, type, chargeBytes), false, null);
  }

  @Override
  default <T extends ModelValue> InsertResult compareAndReplace(
      long hi, long lo, ModelValue expected, T value, EntryType<? super T> type, long chargeBytes) {
    return overwrite(new FakeEntry(hi, lo, value, type, chargeBytes), false, expected);
  }
}
