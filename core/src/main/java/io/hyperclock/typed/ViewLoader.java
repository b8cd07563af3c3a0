/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.typed;

import io.hyperclock.BlockLoader;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Loads one key of a typed view by the view's rules. */
record ViewLoader<K, T>(
    K key,
    KeyLoader<? super K, ? extends T> loader,
    EntryType<T> type,
    ToLongFunction<? super T> charge,
    Priority priority)
    implements BlockLoader<T> {

  @Override
  public @Nullable T load(long keyHi, long keyLo) throws Exception {
    return loader.load(key);
  }

  @Override
  public long chargeBytes(T value) {
    return charge.applyAsLong(value);
  }
}
