/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import org.jspecify.annotations.Nullable;

/**
 * What callers of one kind get: values or handles.
 *
 * @param <V> type of the values
 * @param <R> what they get
 */
interface ResultKind<V, R> {
  /** Refuses a type whose values cannot be had in this form, if there are such. */
  default void requireLoadable(EntryType<?> type) {}

  /** Looks into the cache once more, for a read that has been counted. */
  @Nullable R lookAgain(long hi, long lo);

  /**
   * Puts a loaded value into the cache, and sets what the others get; if it throws, the value has
   * no owner any more.
   *
   * @return what the leader gets; if that is shared, the others must be served before the leader
   *     has it
   */
  R land(InFlightLoad<V> flight, LoadedEntry<V> entry);

  /**
   * Makes the result of one who loaded by itself; if it throws, the value is no longer anybody's.
   */
  R uncached(LoadedEntry<V> entry);

  /** Makes the result of one who waited, from a value or a handle. */
  R share(Key128 key, SharedResult<V> shared);

  /** A second result like the one given, for a key that was asked for twice. */
  R another(R result);

  /** Gives back a result that no caller took. */
  void discard(R result);
}
