/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import org.jspecify.annotations.Nullable;

/**
 * What a load has for those who wait for it. Everything in it was loaded by this flight: what the
 * leader found in the cache instead may have been erased before some of them called, so that they
 * must look themselves.
 */
final class SharedResult<V> {
  /** Cases. */
  enum Kind {
    /** Nothing: each one starts anew. */
    AGAIN,
    /** There is no such block. */
    NO_BLOCK,
    /** A value that the collector owns. */
    VALUE,
    /** A handle, open until all are served. */
    HANDLE,
    /** The loader threw. */
    LOADER_THREW,
    /** The cache did not take the value. */
    CACHE_THREW
  }

  private static final SharedResult<?> AGAIN =
      new SharedResult<>(Kind.AGAIN, null, null, 0, null, null);
  private static final SharedResult<?> NO_BLOCK =
      new SharedResult<>(Kind.NO_BLOCK, null, null, 0, null, null);

  final Kind kind;
  final @Nullable V value;
  final @Nullable EntryType<? super V> type;
  final long chargeBytes;
  final @Nullable Handle<V> handle;
  final @Nullable Throwable failure;

  private SharedResult(
      Kind kind,
      @Nullable V value,
      @Nullable EntryType<? super V> type,
      long chargeBytes,
      @Nullable Handle<V> handle,
      @Nullable Throwable failure) {
    this.kind = kind;
    this.value = value;
    this.type = type;
    this.chargeBytes = chargeBytes;
    this.handle = handle;
    this.failure = failure;
  }

  @SuppressWarnings("unchecked")
  static <V> SharedResult<V> again() {
    return (SharedResult<V>) AGAIN;
  }

  @SuppressWarnings("unchecked")
  static <V> SharedResult<V> noBlock() {
    return (SharedResult<V>) NO_BLOCK;
  }

  static <V> SharedResult<V> of(LoadedEntry<V> entry) {
    return new SharedResult<>(
        Kind.VALUE, entry.value(), entry.type(), entry.chargeBytes(), null, null);
  }

  static <V> SharedResult<V> of(Handle<V> handle) {
    return new SharedResult<>(Kind.HANDLE, null, null, 0, handle, null);
  }

  static <V> SharedResult<V> loaderThrew(Throwable failure) {
    return new SharedResult<>(Kind.LOADER_THREW, null, null, 0, null, failure);
  }

  static <V> SharedResult<V> cacheThrew(Throwable failure) {
    return new SharedResult<>(Kind.CACHE_THREW, null, null, 0, null, failure);
  }

  boolean isAgain() {
    return kind == Kind.AGAIN;
  }

  /** Whether there is a value or a handle to share. */
  boolean hasResult() {
    return value != null || handle != null;
  }

  boolean isFailure() {
    return failure != null;
  }
}
