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

/** A cache that the model never asks to overwrite. */
interface NoOverwrites extends BlockCache<ModelValue> {
  private static UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException("the model does not overwrite");
  }

  @Override
  default InsertResult put(long hi, long lo, ModelValue value, long chargeBytes) {
    throw unsupported();
  }

  @Override
  default <T extends ModelValue> InsertResult put(
      long hi, long lo, T value, EntryType<? super T> type, long chargeBytes, Priority priority) {
    throw unsupported();
  }

  @Override
  default @Nullable ModelValue putIfAbsent(long hi, long lo, ModelValue value, long chargeBytes) {
    throw unsupported();
  }

  @Override
  default <T extends ModelValue> InsertResult replace(
      long hi, long lo, T value, EntryType<? super T> type, long chargeBytes) {
    throw unsupported();
  }

  @Override
  default <T extends ModelValue> InsertResult compareAndReplace(
      long hi, long lo, ModelValue expected, T value, EntryType<? super T> type, long chargeBytes) {
    throw unsupported();
  }
}
