/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.contract.LoadContractTest.TEXTS;
import static io.hyperclock.contract.LoadContractTest.assertIdle;
import static io.hyperclock.contract.LoadContractTest.never;
import static io.hyperclock.contract.LoadContractTest.widened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoadException;
import io.hyperclock.BlockLoader;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.Handle;
import io.hyperclock.PinRequiredException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Loading without waiting. */
@Tag("loading")
abstract class AsyncLoadContractTest extends AsyncLoads {
  AsyncLoadContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void hitIsCompleteAtOnce() {
    BlockCache<Object> cache = roomy(10);
    insert(cache, 1, 1);
    assertThat(cache.getAsync(HI, 1, later, never())).isCompletedWithValue(text(1));
    try (Handle<Object> handle = cache.lookupAsync(HI, 1, later, never()).join()) {
      assertThat(handle.value()).isEqualTo(text(1));
    }
    assertThat(queue).isEmpty();
  }

  @Test
  void loaderRunsOnTheExecutor() {
    BlockCache<Object> cache = roomy(10);
    CompletableFuture<Object> first = cache.getAsync(HI, 1, later, TEXTS);
    CompletableFuture<Object> second = cache.getAsync(HI, 1, later, never());
    CompletableFuture<Handle<Object>> third = cache.lookupAsync(HI, 1, later, never());
    assertThat(first).isNotDone();
    assertThat(queue).hasSize(1);
    assertThat(cache.monitor().loadStats().underWay()).isEqualTo(1);
    runAll();
    assertThat(first).isCompletedWithValue(text(1));
    assertThat(second).isCompletedWithValue(text(1));
    third.join().close();
    assertThat(cache.monitor().loadStats().loads()).isEqualTo(1);
    assertThat(cache.monitor().loadStats().waiters()).isEqualTo(2);
    assertIdle(cache);
  }

  @Test
  void stageServesAll() {
    BlockCache<Object> cache = roomy(10);
    CompletableFuture<@Nullable Object> stage = new CompletableFuture<>();
    CompletableFuture<Object> first = cache.getAsync(HI, 1, staged(stage));
    CompletableFuture<Object> second = cache.getAsync(HI, 1, later, never());
    assertThat(first).isNotDone();
    stage.complete(text(1));
    assertThat(first).isCompletedWithValue(text(1));
    assertThat(second).isCompletedWithValue(text(1));
    assertThat(cache.peek(HI, 1)).isEqualTo(text(1));
    assertIdle(cache);
  }

  @Test
  void completeStageIsServedAtOnce() {
    BlockCache<Object> cache = roomy(10);
    assertThat(cache.getAsync(HI, 1, staged(CompletableFuture.completedFuture(text(1)))))
        .isCompletedWithValue(text(1));
    assertThat(cache.getAsync(HI, 2, staged(CompletableFuture.completedFuture(null))))
        .isCompletedWithValue(null);
    assertThat(has(cache, 2)).isFalse();
    assertIdle(cache);
  }

  @Test
  void threadWaitsForAStage() throws Exception {
    BlockCache<Object> cache = roomy(10);
    CompletableFuture<@Nullable Object> stage = new CompletableFuture<>();
    CompletableFuture<Object> first = cache.getAsync(HI, 1, staged(stage));
    Call<Object> waiter = Call.startWaiting(() -> cache.get(HI, 1, never()));
    stage.complete(text(1));
    assertThat(waiter.result()).isEqualTo(text(1));
    assertThat(first).isCompletedWithValue(text(1));
  }

  @Test
  void threadThatNeedsAQueuedLoadRunsItsOwn() {
    BlockCache<Object> cache = roomy(10);
    CompletableFuture<Object> queued = cache.getAsync(HI, 1, later, never());
    assertThat(cache.get(HI, 1, TEXTS)).isEqualTo(text(1));
    assertThat(queued).isCompletedWithValue(text(1));
    CompletableFuture<Handle<Object>> pinned = cache.lookupAsync(HI, 2, later, never());
    cache.lookup(HI, 2, blockLoader(1)).close();
    pinned.join().close();
    runAll();
    assertThat(cache.monitor().loadStats().loads()).isEqualTo(2);
    assertThat(cache.monitor().loadStats().waiters()).as("by the load of another").isEqualTo(2);
    CompletableFuture<Object> third = cache.getAsync(HI, 3, later, never());
    CompletableFuture<Object> fourth = cache.getAsync(HI, 4, later, never());
    fourth.cancel(false);
    assertThat(cache.getAll(new long[] {HI, 3, HI, 4}, new Object[2], this::texts)).isEqualTo(2);
    assertThat(third).isCompletedWithValue(text(3));
    assertThat(cache.monitor().loadStats().waiters()).as("without who gave up").isEqualTo(3);
    assertIdle(cache);
  }

  private void texts(long[] keys, @Nullable Object[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = text(keys[2 * i + 1]);
    }
  }

  @Test
  void aLoadThatNobodyElseWaitsForHasNoWaiters() {
    BlockCache<Object> cache = roomy(10);
    CompletableFuture<Object> queued = cache.getAsync(HI, 1, later, TEXTS);
    runAll();
    assertThat(queued).isCompletedWithValue(text(1));
    cache.getAsync(HI, 2, staged(CompletableFuture.completedFuture(text(2)))).join();
    CompletableFuture<Object> refused =
        cache.getAsync(
            HI,
            3,
            task -> {
              throw new RejectedExecutionException("full");
            },
            never());
    assertThat(failureOf(refused)).isInstanceOf(BlockLoadException.class);
    assertThat(cache.monitor().loadStats().waiters()).isZero();
    assertIdle(cache);
  }

  @Test
  void entryThatMustBePinnedFailsTheFutureOfAValue() {
    BlockCache<Object> cache = roomy(10);
    CompletableFuture<Object> first = cache.getAsync(HI, 1, later, never());
    CompletableFuture<Handle<Object>> second = cache.lookupAsync(HI, 1, later, never());
    CompletableFuture<@Nullable Object> stage = new CompletableFuture<>();
    CompletableFuture<Object> third = cache.getAsync(HI, 2, staged(stage));
    CompletableFuture<Handle<Object>> fourth = cache.lookupAsync(HI, 2, later, never());
    Block block = inserted(cache, 1, 1);
    Block other = inserted(cache, 2, 1);
    stage.complete("too late");
    runAll();
    assertThat(failureOf(first)).isInstanceOf(PinRequiredException.class);
    assertThat(failureOf(third)).isInstanceOf(PinRequiredException.class);
    assertThat(second.join().value()).isSameAs(block);
    assertThat(fourth.join().value()).isSameAs(other);
    second.join().close();
    fourth.join().close();
    assertIdle(cache);
  }

  @Test
  void cancellingOneFutureEndsNobodysLoad() {
    BlockCache<Object> cache = roomy(10);
    CompletableFuture<Object> first = cache.getAsync(HI, 1, later, TEXTS);
    CompletableFuture<Object> second = cache.getAsync(HI, 1, later, never());
    first.cancel(true);
    runAll();
    assertThat(second).isCompletedWithValue(text(1));
    assertThat(cache.peek(HI, 1)).isEqualTo(text(1));
  }

  @Test
  void handleOfACancelledFutureIsClosed() {
    BlockCache<Object> cache = roomy(10);
    CompletableFuture<Handle<Object>> first = cache.lookupAsync(HI, 1, later, blockLoader(1));
    CompletableFuture<Handle<Object>> second = cache.lookupAsync(HI, 1, later, never());
    first.cancel(true);
    runAll();
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(1);
    second.join().close();
    CompletableFuture<@Nullable Object> stage = new CompletableFuture<>();
    CompletableFuture<Handle<Object>> third =
        cache.lookupAsync(HI, 2, staged(widened(Block.TYPE), stage));
    third.cancel(true);
    stage.complete(block(2));
    assertThat(has(cache, 2)).isTrue();
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
  }

  @Test
  void eraseMakesAStageStale() {
    BlockCache<Object> cache = roomy(10);
    CompletableFuture<@Nullable Object> stage = new CompletableFuture<>();
    CompletableFuture<Handle<Object>> old =
        cache.lookupAsync(HI, 1, staged(widened(Block.TYPE), stage));
    cache.erase(HI, 1);
    Block fresh = block(1);
    CompletableFuture<@Nullable Object> other = CompletableFuture.completedFuture(fresh);
    cache.lookupAsync(HI, 1, staged(widened(Block.TYPE), other)).join().close();
    stage.complete(block(1));
    assertThat(old.join().isStandalone()).isTrue();
    assertThat(old.join().value()).isNotSameAs(fresh);
    old.join().close();
    try (Handle<Object> handle = pin(cache, 1)) {
      assertThat(handle.value()).isSameAs(fresh);
    }
    assertIdle(cache);
  }

  @Test
  void insertWhileLoadingWins() {
    BlockCache<Object> cache = roomy(10);
    CompletableFuture<Object> first = cache.getAsync(HI, 1, later, never());
    insert(cache, 1, 1);
    runAll();
    assertThat(first).isCompletedWithValue(text(1));
    CompletableFuture<@Nullable Object> stage = new CompletableFuture<>();
    CompletableFuture<Handle<Object>> pinned =
        cache.lookupAsync(HI, 2, staged(widened(Block.TYPE), stage));
    Block present = inserted(cache, 2, 1);
    Block loaded = block(2);
    stage.complete(loaded);
    assertThat(pinned.join().value()).isSameAs(present);
    assertThat(loaded.timesFreed()).isEqualTo(1);
    pinned.join().close();
    assertIdle(cache);
  }

  @Test
  void strictRefusalFailsTheFutureAndFreesTheValue() {
    BlockCache<Object> cache = track(builder(10L * variant.shards(), 1).build());
    CompletableFuture<Handle<Object>> future = cache.lookupAsync(HI, 1, later, blockLoader(11));
    runAll();
    if (variant.strict()) {
      assertThat(failureOf(future)).isInstanceOf(CapacityExceededException.class);
    } else {
      future.join().close();
    }
    assertIdle(cache);
  }

  @Test
  void closeFailsTheFutureAndFreesTheValue() {
    BlockCache<Object> cache = roomy(10);
    CompletableFuture<@Nullable Object> stage = new CompletableFuture<>();
    CompletableFuture<Handle<Object>> first =
        cache.lookupAsync(HI, 1, staged(widened(Block.TYPE), stage));
    CompletableFuture<Handle<Object>> second = cache.lookupAsync(HI, 2, later, blockLoader(1));
    close(cache);
    stage.complete(block(1));
    runAll();
    assertThat(failureOf(first)).isInstanceOf(IllegalStateException.class);
    assertThat(failureOf(second))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed=true");
    assertIdle(cache);
  }

  @Test
  void valueFreedByHandIsNotLoadedWithoutPin() {
    BlockCache<Object> cache = roomy(10);
    BlockLoader<Object> loader = blockLoader(1);
    assertThatThrownBy(() -> cache.getAsync(HI, 1, later, loader))
        .isInstanceOf(PinRequiredException.class);
    assertThat(queue).isEmpty();
    assertIdle(cache);
  }

  @Test
  void loaderThatAsksForItsOwnKeyIsRefused() {
    BlockCache<Object> cache = roomy(10);
    CompletableFuture<Object> future =
        cache.getAsync(HI, 1, later, (hi, lo) -> cache.getAsync(hi, lo, later, never()).join());
    runAll();
    assertThat(failureOf(future)).isInstanceOf(BlockLoadException.class);
    assertThat(failureOf(future).getCause().getCause()).isInstanceOf(IllegalStateException.class);
    assertIdle(cache);
  }

  @Test
  void loaderDoesNotWaitForAStage() {
    BlockCache<Object> cache = roomy(10);
    CompletableFuture<@Nullable Object> stage = new CompletableFuture<>();
    CompletableFuture<Object> first = cache.getAsync(HI, 1, staged(stage));
    assertThat(cache.get(HI, 2, (hi, lo) -> cache.get(HI, 1, TEXTS) + "!"))
        .isEqualTo(text(1) + "!");
    stage.complete("by stage");
    assertThat(first).isCompletedWithValue("by stage");
    assertThat(cache.peek(HI, 1)).isEqualTo("by stage");
  }
}
