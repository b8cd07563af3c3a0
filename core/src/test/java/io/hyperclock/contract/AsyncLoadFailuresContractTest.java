/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.contract.LoadContractTest.TEXTS;
import static io.hyperclock.contract.LoadContractTest.assertIdle;
import static io.hyperclock.contract.LoadContractTest.failing;
import static io.hyperclock.contract.LoadContractTest.never;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.AsyncBlockLoader;
import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoadException;
import io.hyperclock.Handle;
import io.hyperclock.PinRequiredException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Loads without waiting that fail, are interrupted or refused. */
@Tag("loading")
abstract class AsyncLoadFailuresContractTest extends AsyncLoads {
  AsyncLoadFailuresContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void rejectionLeavesNothing() {
    BlockCache<Object> cache = roomy(10);
    RejectedExecutionException rejected = new RejectedExecutionException("full");
    Executor full =
        task -> {
          throw rejected;
        };
    CompletableFuture<Object> future = cache.getAsync(HI, 1, full, never());
    assertThat(failureOf(future)).isInstanceOf(BlockLoadException.class).hasCause(rejected);
    assertIdle(cache);
    assertThat(cache.get(HI, 1, TEXTS)).isEqualTo(text(1));
  }

  @Test
  void failureReachesEveryFuture() {
    BlockCache<Object> cache = roomy(10);
    IOException failure = new IOException("disk");
    CompletableFuture<Object> first = cache.getAsync(HI, 1, later, failing(failure));
    CompletableFuture<Handle<Object>> second = cache.lookupAsync(HI, 1, later, never());
    runAll();
    assertThat(failureOf(first)).isInstanceOf(BlockLoadException.class).hasCause(failure);
    assertThat(failureOf(second)).isInstanceOf(BlockLoadException.class).hasCause(failure);
    assertThat(failureOf(first)).isNotSameAs(failureOf(second));
    assertThat(failureOf(cache.getAsync(HI, 1, staged(CompletableFuture.failedFuture(failure)))))
        .isInstanceOf(BlockLoadException.class)
        .hasCause(failure);
    AsyncBlockLoader<Object> throwing =
        (hi, lo) -> {
          throw failure;
        };
    assertThat(failureOf(cache.getAsync(HI, 1, throwing))).hasCause(failure);
    AsyncBlockLoader<Object> noStage = (hi, lo) -> null;
    assertThat(failureOf(cache.getAsync(HI, 1, noStage)))
        .hasCauseInstanceOf(NullPointerException.class);
    assertThat(cache.monitor().loadStats().loadFailures()).isEqualTo(4);
    assertIdle(cache);
  }

  @Test
  void interruptedLoaderIsNotCalledAgain() {
    BlockCache<Object> cache = roomy(10);
    InterruptedException failure = new InterruptedException();
    CompletableFuture<Object> first = cache.getAsync(HI, 1, later, failing(failure));
    CompletableFuture<Object> second = cache.getAsync(HI, 1, later, TEXTS);
    queue.remove().run();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(failureOf(first)).isInstanceOf(BlockLoadException.class).hasCause(failure);
    assertThat(queue).as("loads of those who did not throw").hasSize(1);
    runAll();
    assertThat(second).isCompletedWithValue(text(1));
    assertIdle(cache);
  }

  @Test
  void interruptedAsyncLoaderIsNotCalledAgain() {
    BlockCache<Object> cache = roomy(10);
    InterruptedException failure = new InterruptedException();
    AtomicReference<CompletableFuture<Object>> second = new AtomicReference<>();
    AsyncBlockLoader<Object> interrupted =
        (hi, lo) -> {
          second.set(Call.start(() -> cache.getAsync(HI, 1, later, TEXTS)).result());
          throw failure;
        };
    CompletableFuture<Object> first = cache.getAsync(HI, 1, interrupted);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(failureOf(first)).isInstanceOf(BlockLoadException.class).hasCause(failure);
    assertThat(queue).as("loads of those who did not throw").hasSize(1);
    runAll();
    assertThat(second.get()).isCompletedWithValue(text(1));
    assertIdle(cache);
  }

  @Test
  void stageThatIsInterruptedIsNotAskedForAgain() {
    BlockCache<Object> cache = roomy(10);
    InterruptedException failure = new InterruptedException();
    for (Throwable thrown : List.of(failure, new CompletionException(failure))) {
      CompletableFuture<@Nullable Object> stage = new CompletableFuture<>();
      CompletableFuture<Handle<Object>> first = cache.lookupAsync(HI, 1, staged(stage));
      CompletableFuture<Object> second = cache.getAsync(HI, 1, later, TEXTS);
      stage.completeExceptionally(thrown);
      assertThat(Thread.interrupted()).as("nobody has interrupted this thread").isFalse();
      assertThat(failureOf(first)).isInstanceOf(BlockLoadException.class).hasCause(failure);
      runAll();
      assertThat(second).isCompletedWithValue(text(1));
      assertIdle(cache);
      cache.erase(HI, 1);
    }
  }

  @Test
  void whatALoaderThrewIsNotTakenForAnEntryToBePinned() {
    BlockCache<Object> cache = roomy(10);
    PinRequiredException failure = new PinRequiredException("of another cache");
    CompletableFuture<Object> first = cache.getAsync(HI, 1, later, failing(failure));
    CompletableFuture<Handle<Object>> second = cache.lookupAsync(HI, 1, later, never());
    queue.remove().run();
    assertThat(queue).isEmpty();
    assertThat(failureOf(first)).isInstanceOf(BlockLoadException.class).hasCause(failure);
    assertThat(failureOf(second)).isInstanceOf(BlockLoadException.class).hasCause(failure);
    assertIdle(cache);
  }
}
