/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.TestLimits.TEST_SECONDS;
import static io.hyperclock.TestLimits.WAIT_SECONDS;
import static io.hyperclock.contract.AsyncLoads.failureOf;
import static io.hyperclock.contract.LoadContractTest.TEXTS;
import static io.hyperclock.contract.LoadContractTest.assertIdle;
import static io.hyperclock.contract.LoadContractTest.never;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoadException;
import io.hyperclock.BlockLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bulk loads of keys that others load at the same time. */
abstract class OverlappingBulkLoadContractTest extends BulkLoadContract {
  OverlappingBulkLoadContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void keysUnderWayElsewhereAreAwaited() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader other = new HeldLoader(TEXTS);
    Call<Object> leader = Call.start(() -> cache.get(HI, 2, other));
    other.awaitEntered();
    Object[] values = new Object[3];
    Call<Integer> bulk = Call.startWaiting(() -> cache.getAll(keys(1, 2, 3), values, this::load));
    assertThat(calls).hasSize(1);
    assertThat(calls.get(0)).containsExactlyInAnyOrder(1L, 3L);
    assertThat(has(cache, 1) && has(cache, 3)).isTrue();
    other.letGo();
    assertThat(bulk.result()).isEqualTo(3);
    assertThat(values).containsExactly(text(1), text(2), text(3));
    leader.result();
    assertThat(cache.monitor().loadStats().waiters()).isEqualTo(1);
    assertIdle(cache);
  }

  @Test
  void singleCallerWaitsForABatch() throws Exception {
    BlockCache<Object> cache = roomy(10);
    CyclicBarrier inside = new CyclicBarrier(2);
    Call<Integer> bulk =
        Call.start(
            () ->
                cache.getAll(
                    keys(1, 2),
                    new Object[2],
                    (keys, values) -> {
                      inside.await(WAIT_SECONDS, TimeUnit.SECONDS);
                      inside.await(WAIT_SECONDS, TimeUnit.SECONDS);
                      load(keys, values);
                    }));
    inside.await(WAIT_SECONDS, TimeUnit.SECONDS);
    Call<Object> single = Call.startWaiting(() -> cache.get(HI, 2, never()));
    inside.await(WAIT_SECONDS, TimeUnit.SECONDS);
    assertThat(single.result()).isEqualTo(text(2));
    assertThat(bulk.result()).isEqualTo(2);
  }

  @Test
  @Timeout(value = TEST_SECONDS, threadMode = SEPARATE_THREAD)
  void queuedLoadsAreTakenOver() {
    BlockCache<Object> cache = roomy(10);
    List<Runnable> queue = new ArrayList<>();
    CompletableFuture<Object> first = cache.getAsync(HI, 1, queue::add, never());
    CompletableFuture<Object> third = cache.getAsync(HI, 3, queue::add, never());
    Object[] values = new Object[3];
    assertThat(cache.getAll(keys(1, 2, 3), values, this::load)).isEqualTo(3);
    assertThat(values).containsExactly(text(1), text(2), text(3));
    assertThat(calls).hasSize(1);
    assertThat(calls.get(0)).containsExactlyInAnyOrder(1L, 2L, 3L);
    assertThat(first).isCompletedWithValue(text(1));
    assertThat(third).isCompletedWithValue(text(3));
    queue.forEach(Runnable::run);
    assertThat(cache.monitor().loadStats().loads()).isEqualTo(3);
    assertIdle(cache);
  }

  @Test
  @Timeout(value = TEST_SECONDS, threadMode = SEPARATE_THREAD)
  void loaderMayReadAheadAndGetItAllAtOnce() {
    BlockCache<Object> cache = roomy(10);
    List<Runnable> queue = new ArrayList<>();
    BlockLoader<Object> index =
        (hi, lo) -> {
          cache.getAsync(HI, 2, queue::add, never());
          cache.getAsync(HI, 3, queue::add, never());
          Object[] values = new Object[2];
          cache.getAll(keys(2, 3), values, this::load);
          return values[0] + ", " + values[1];
        };
    assertThat(cache.get(HI, 1, index)).isEqualTo(text(2) + ", " + text(3));
    assertThat(calls).hasSize(1);
    queue.forEach(Runnable::run);
    assertIdle(cache);
  }

  @Test
  @Timeout(value = TEST_SECONDS, threadMode = SEPARATE_THREAD)
  void failedBatchFailsWhatItTookOver() {
    BlockCache<Object> cache = roomy(10);
    List<Runnable> queue = new ArrayList<>();
    CompletableFuture<Object> queued = cache.getAsync(HI, 1, queue::add, never());
    assertThatThrownBy(
            () ->
                cache.getAll(keys(1, 2), new Object[2], (keys, values) -> cache.get(HI, 1, TEXTS)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("own key: keyHi=" + HI + ", keyLo=1");
    assertThat(failureOf(queued)).isInstanceOf(BlockLoadException.class);
    queue.forEach(Runnable::run);
    assertIdle(cache);
    assertThat(cache.getAll(keys(1, 2), new Object[2], this::load)).isEqualTo(2);
  }

  @Test
  void keyWhoseOtherLoadIsInterruptedIsLoadedByAFurtherCall() throws Exception {
    BlockCache<Object> cache = roomy(10);
    HeldLoader other = new HeldLoader(LoadContractTest.failing(new InterruptedException()));
    Call<Object> leader = Call.start(() -> cache.get(HI, 2, other));
    other.awaitEntered();
    Object[] values = new Object[2];
    Call<Integer> bulk = Call.startWaiting(() -> cache.getAll(keys(1, 2), values, this::load));
    other.letGo();
    assertThat(bulk.result()).isEqualTo(2);
    assertThat(calls).containsExactly(List.of(1L), List.of(2L));
    leader.failure();
  }

  @Test
  void batchesThatOverlapInAnyOrderComeToAnEnd() throws Exception {
    BlockCache<Object> cache = roomy(100);
    Crew.run(
        4,
        thread -> {
          for (int round = 0; round < 200; round++) {
            long base = round % 20;
            long[] keys =
                thread % 2 == 0
                    ? keys(base, base + 1, base + 2, base + 3)
                    : keys(base + 3, base + 2, base + 1, base);
            Object[] values = new Object[4];
            assertThat(cache.getAll(keys, values, this::load)).isEqualTo(4);
            for (int i = 0; i < 4; i++) {
              assertThat(values[i]).isEqualTo(text(keys[2 * i + 1]));
            }
            cache.erase(HI, base + round % 4);
          }
        });
    assertIdle(cache);
  }
}
