/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.Handle;
import org.jspecify.annotations.Nullable;

/**
 * What a load has for those who wait for it. Everything in it was loaded by this flight: what the
 * leader found in the cache instead may have been erased before some of them called, so that they
 * must look themselves.
 *
 * @param entry an entry whose value the collector owns, or null
 * @param handle a handle that is open until all are served, or null
 * @param failure what the loader or the cache threw, or null
 * @param isOfCache whether the cache threw it, which did not take the value
 */
record SharedResult<V>(
    @Nullable LoadedEntry<V> entry,
    @Nullable Handle<V> handle,
    @Nullable Throwable failure,
    boolean isOfCache) {
  private static final SharedResult<?> AGAIN = new SharedResult<>(null, null, null, false);
  private static final SharedResult<?> NO_BLOCK = new SharedResult<>(null, null, null, false);

  /** Nothing: each one starts anew. */
  @SuppressWarnings("unchecked")
  static <V> SharedResult<V> again() {
    return (SharedResult<V>) AGAIN;
  }

  /** There is no such block. */
  @SuppressWarnings("unchecked")
  static <V> SharedResult<V> noBlock() {
    return (SharedResult<V>) NO_BLOCK;
  }

  static <V> SharedResult<V> of(LoadedEntry<V> entry) {
    return new SharedResult<>(entry, null, null, false);
  }

  static <V> SharedResult<V> of(Handle<V> handle) {
    return new SharedResult<>(null, handle, null, false);
  }

  static <V> SharedResult<V> threw(Throwable failure, boolean isOfCache) {
    return new SharedResult<>(null, null, failure, isOfCache);
  }

  /** Whether there is nothing to share, and each one starts anew. */
  boolean isAgain() {
    return this == AGAIN;
  }

  /** Whether there is a value or a handle to share. */
  boolean hasResult() {
    return entry != null || handle != null;
  }
}
