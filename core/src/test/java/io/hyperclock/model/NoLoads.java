/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.AsyncBlockLoader;
import io.hyperclock.BlockLoader;
import io.hyperclock.BulkLoader;
import io.hyperclock.Handle;
import io.hyperclock.LoadingReads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Loading reads of a cache that the model never asks to load. */
interface NoLoads extends LoadingReads<ModelValue> {
  @Override
  default @Nullable ModelValue get(
      long keyHi, long keyLo, BlockLoader<? extends ModelValue> loader) {
    throw new UnsupportedOperationException();
  }

  @Override
  default @Nullable Handle<ModelValue> lookup(
      long keyHi, long keyLo, BlockLoader<? extends ModelValue> loader) {
    throw new UnsupportedOperationException();
  }

  @Override
  default CompletableFuture<@Nullable ModelValue> getAsync(
      long keyHi, long keyLo, Executor executor, BlockLoader<? extends ModelValue> loader) {
    throw new UnsupportedOperationException();
  }

  @Override
  default CompletableFuture<@Nullable ModelValue> getAsync(
      long keyHi, long keyLo, AsyncBlockLoader<? extends ModelValue> loader) {
    throw new UnsupportedOperationException();
  }

  @Override
  default CompletableFuture<@Nullable Handle<ModelValue>> lookupAsync(
      long keyHi, long keyLo, Executor executor, BlockLoader<? extends ModelValue> loader) {
    throw new UnsupportedOperationException();
  }

  @Override
  default CompletableFuture<@Nullable Handle<ModelValue>> lookupAsync(
      long keyHi, long keyLo, AsyncBlockLoader<? extends ModelValue> loader) {
    throw new UnsupportedOperationException();
  }

  @Override
  default <T extends ModelValue> int getAll(
      long[] keys, @Nullable T[] values, BulkLoader<T> loader) {
    throw new UnsupportedOperationException();
  }

  @Override
  default <T extends ModelValue> int lookupAll(
      long[] keys,
      @Nullable Handle<ModelValue>[] handles,
      IntFunction<@Nullable T[]> arrays,
      BulkLoader<T> loader) {
    throw new UnsupportedOperationException();
  }

  @Override
  default boolean prefetch(
      long keyHi, long keyLo, Executor executor, BlockLoader<? extends ModelValue> loader) {
    throw new UnsupportedOperationException();
  }

  @Override
  default void invalidateLoad(long keyHi, long keyLo) {
    throw new UnsupportedOperationException();
  }
}
