/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.TestLimits.TEST_SECONDS;
import static io.hyperclock.contract.LoadContractTest.TEXTS;
import static io.hyperclock.contract.LoadContractTest.assertIdle;
import static io.hyperclock.contract.LoadContractTest.never;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoadException;
import io.hyperclock.BlockLoader;
import io.hyperclock.BulkLoader;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Dependents of futures that read on: they run on a thread that has loaded and serves. */
@Tag("loading")
@Timeout(value = TEST_SECONDS, threadMode = SEPARATE_THREAD)
abstract class DependentLoadContractTest extends CacheContract {
  private static final Executor DIRECT = Runnable::run;

  DependentLoadContractTest(Variant variant) {
    super(variant);
  }

  /** Joins the load of a key as one outside of the loader that calls this. */
  private static CompletableFuture<Object> guest(
      BlockCache<Object> cache, long lo, BlockLoader<Object> loader) throws Exception {
    return Call.start(() -> cache.getAsync(HI, lo, DIRECT, loader)).result();
  }

  @Test
  void dependentReadsAnotherKeyOfTheBatch() throws Exception {
    BlockCache<Object> cache = roomy(10);
    List<CompletableFuture<Object>> read = new ArrayList<>();
    BulkLoader<Object> loader =
        (keys, values) -> {
          for (long lo = 1; lo <= 2; lo++) {
            long other = 3 - lo;
            CompletableFuture<Object> guest = guest(cache, lo, never());
            read.add(guest.thenCompose(value -> cache.getAsync(HI, other, DIRECT, TEXTS)));
            read.add(guest.thenApply(value -> cache.get(HI, other, TEXTS)));
            values[(int) lo - 1] = text(keys[2 * (int) lo - 1]);
          }
        };
    cache.getAll(new long[] {HI, 1, HI, 2}, new Object[2], loader);
    assertThat(read).hasSize(4);
    for (int i = 0; i < 4; i++) {
      assertThat(read.get(i)).isCompletedWithValue(text(2 - i / 2));
    }
    assertIdle(cache);
  }

  @Test
  void dependentReadsTheKeyThatTheThreadIsLoading() throws Exception {
    BlockCache<Object> cache = roomy(10);
    List<CompletableFuture<Object>> read = new ArrayList<>();
    BlockLoader<Object> inner =
        (hi, lo) -> {
          CompletableFuture<Object> guest = guest(cache, 2, never());
          read.add(guest.thenCompose(value -> cache.getAsync(HI, 1, DIRECT, never())));
          read.add(guest.thenApply(value -> cache.get(HI, 1, (h, l) -> "by itself")));
          return text(lo);
        };
    Object outer = cache.get(HI, 1, (hi, lo) -> "with " + cache.get(HI, 2, inner));
    assertThat(outer).isEqualTo("with " + text(2));
    assertThat(read.get(0)).isCompletedWithValue(outer);
    assertThat(read.get(1)).isCompletedWithValue("by itself");
    assertThat(cache.peek(HI, 1)).isEqualTo(outer);
    assertIdle(cache);
  }

  /** The one who loads has no pin beside that of the handle that its future gets. */
  @Test
  void dependentHasTheOnlyPin() {
    BlockCache<Object> cache = roomy(10);
    List<Runnable> queue = new ArrayList<>();
    CompletableFuture<Boolean> queued =
        cache.lookupAsync(HI, 1, queue::add, blockLoader(1)).thenApply(Handle::eraseIfLast);
    CompletableFuture<@Nullable Object> stage = new CompletableFuture<>();
    CompletableFuture<Boolean> staged =
        cache.lookupAsync(HI, 2, (hi, lo) -> stage).thenApply(Handle::eraseIfLast);
    queue.get(0).run();
    stage.complete(text(2));
    assertThat(queued).isCompletedWithValue(true);
    assertThat(staged).isCompletedWithValue(true);
    assertThat(has(cache, 1) || has(cache, 2)).isFalse();
    assertIdle(cache);
  }

  @Test
  void dependentMakesRoomForTheNextBlock() {
    BlockCache<Object> cache =
        track(builder(10, 1).shards(1).capacityMode(CapacityMode.STRICT).build());
    List<Runnable> queue = new ArrayList<>();
    CompletableFuture<Handle<Object>> second =
        cache
            .lookupAsync(HI, 1, queue::add, blockLoader(10))
            .thenCompose(
                first -> {
                  first.close();
                  return cache.lookupAsync(HI, 2, DIRECT, blockLoader(10));
                });
    queue.get(0).run();
    second.join().close();
    assertThat(has(cache, 2)).isTrue();
    assertIdle(cache);
  }

  @Test
  void dependentWaitsForNoStage() {
    BlockCache<Object> cache = roomy(10);
    CompletableFuture<@Nullable Object> one = new CompletableFuture<>();
    CompletableFuture<@Nullable Object> two = new CompletableFuture<>();
    CompletableFuture<Object> first = cache.getAsync(HI, 1, (hi, lo) -> one);
    CompletableFuture<Object> second = cache.getAsync(HI, 2, (hi, lo) -> two);
    CompletableFuture<Object> read =
        first.thenApply(value -> value + " and " + cache.get(HI, 2, TEXTS));
    one.complete("one");
    assertThat(read).isCompletedWithValue("one and " + text(2));
    two.complete("two");
    assertThat(second).isCompletedWithValue("two");
    assertThat(cache.peek(HI, 2)).isEqualTo("two");
    assertIdle(cache);
  }

  @Test
  void guestOfAnInterruptedLoadIsNotInterrupted() {
    BlockCache<Object> cache = roomy(10);
    List<CompletableFuture<Object>> guests = new ArrayList<>();
    BlockLoader<Object> own =
        (hi, lo) -> {
          if (Thread.currentThread().isInterrupted()) {
            throw new IOException("interrupted by another");
          }
          return text(lo);
        };
    BlockLoader<Object> interrupted =
        (hi, lo) -> {
          guests.add(guest(cache, lo, own));
          throw new InterruptedException();
        };
    assertThatThrownBy(() -> cache.get(HI, 1, interrupted)).isInstanceOf(BlockLoadException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(guests.get(0)).isCompletedWithValue(text(1));
    assertIdle(cache);
  }

  /** Those who look when they are told of a failure. */
  @Test
  void dependentOfAFailedBatchFindsItCounted() {
    BlockCache<Object> cache = roomy(10);
    List<CompletableFuture<Long>> failures = new ArrayList<>();
    BulkLoader<Object> loader =
        (keys, values) -> {
          failures.add(
              guest(cache, 1, never())
                  .handle((value, failure) -> cache.monitor().loadStats().loadFailures()));
          throw new IOException("disk");
        };
    assertThatThrownBy(() -> cache.getAll(new long[] {HI, 1, HI, 2}, new Object[2], loader))
        .isInstanceOf(BlockLoadException.class);
    assertThat(failures.get(0)).isCompletedWithValue(2L);
    assertIdle(cache);
  }

  @Test
  void guestsOfAnInterruptedBatchReadEachOthersKeys() {
    BlockCache<Object> cache = roomy(10);
    List<CompletableFuture<Object>> guests = new ArrayList<>();
    BulkLoader<Object> loader =
        (keys, values) -> {
          for (int i = 0; i < values.length; i++) {
            long lo = keys[2 * i + 1];
            BlockLoader<Object> own = (hi, l) -> l + " with " + cache.get(HI, l % 3 + 1, TEXTS);
            guests.add(guest(cache, lo, own));
          }
          throw new InterruptedException();
        };
    assertThatThrownBy(() -> cache.getAll(new long[] {HI, 1, HI, 2, HI, 3}, new Object[3], loader))
        .isInstanceOf(BlockLoadException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(guests).hasSize(3);
    for (CompletableFuture<Object> guest : guests) {
      assertThat((String) guest.join()).containsPattern("[123]( with |alue )");
    }
    assertIdle(cache);
  }
}
