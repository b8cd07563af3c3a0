/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.AsyncBlockLoader;
import io.hyperclock.entry.EntryType;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Loads whose end a test decides: by tasks that it runs, or by stages that it completes. */
abstract class AsyncLoads extends CacheContract {
  final Queue<Runnable> queue = new ArrayDeque<>();
  final Executor later = queue::add;

  AsyncLoads(Variant variant) {
    super(variant);
  }

  final void runAll() {
    for (Runnable task = queue.poll(); task != null; task = queue.poll()) {
      task.run();
    }
  }

  /** Loads blocks through a stage that the test completes. */
  static AsyncBlockLoader<Object> staged(
      EntryType<Object> type, CompletableFuture<? extends @Nullable Object> stage) {
    return new AsyncBlockLoader<>() {
      @Override
      public CompletionStage<? extends @Nullable Object> load(long hi, long lo) {
        return stage;
      }

      @Override
      public EntryType<? super Object> type() {
        return type;
      }

      @Override
      public long chargeBytes(Object value) {
        return 1;
      }
    };
  }

  static AsyncBlockLoader<Object> staged(CompletableFuture<@Nullable Object> stage) {
    return (hi, lo) -> stage;
  }

  static Throwable failureOf(CompletableFuture<?> future) {
    assertThat(future).isCompletedExceptionally();
    try {
      future.join();
      throw new AssertionError();
    } catch (CompletionException e) {
      return e.getCause();
    }
  }
}
