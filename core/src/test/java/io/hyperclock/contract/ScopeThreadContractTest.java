/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.TestLimits.WAIT_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.LeakDetection;
import io.hyperclock.OpenScope;
import io.hyperclock.ReadScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Scopes and the threads that open them, live, dead and virtual. */
@Tag("scope")
abstract class ScopeThreadContractTest extends CacheContract {
  ScopeThreadContractTest(Variant variant) {
    super(variant);
  }

  private static void assertWaits(BlockCache<Object> cache, Block waiting) {
    assertThat(waiting.timesFreed()).isZero();
    assertThat(cache.monitor().scopeStats().retiredValues()).isEqualTo(1);
  }

  private static void assertFreed(Block block) {
    assertThat(block.timesFreed()).isEqualTo(1);
  }

  private static void onThread(ThreadFactory threads, Runnable work) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread =
        threads.newThread(
            () -> {
              try {
                work.run();
              } catch (Throwable e) {
                failure.set(e);
              }
            });
    thread.start();
    thread.join(WAIT_MILLIS);
    assertThat(thread.isAlive()).isFalse();
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
  }

  @Test
  void scopeBelongsToItsThread() throws Exception {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 1);
    ReadScope<Object> scope = cache.openScope();
    String name = Thread.currentThread().getName();
    onThread(
        Thread::new,
        () -> {
          assertThatThrownBy(() -> scope.get(HI, 1))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("opener=" + name);
          assertThatThrownBy(scope::close).isInstanceOf(IllegalStateException.class);
          cache.erase(HI, 1);
        });
    assertWaits(cache, block);
    assertThat(scope.get(HI, 2)).isNull();
    scope.close();
    assertFreed(block);
  }

  @Test
  void scopeOfADeadThreadHoldsBackForEver() throws Exception {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 1);
    onThread(Thread::new, cache::openScope);
    cache.erase(HI, 1);
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, 1)).isNull();
    }
    assertWaits(cache, block);
    blocks.keep(block);
    assertThat(cache.monitor().usageBytes()).isEqualTo(1);
    close(cache);
    assertThat(cache.monitor().openScopes()).as("of a cache that tracks none").isEmpty();
  }

  @Test
  void trackedScopesAreListedOldestFirst() {
    BlockCache<Object> cache = track(roomyBuilder(10).leakDetection(LeakDetection.all()).build());
    assertThat(cache.monitor().openScopes()).isEmpty();
    ReadScope<Object> first = cache.openScope();
    try (ReadScope<Object> second = cache.openScope()) {
      List<OpenScope> open = cache.monitor().openScopes();
      assertThat(open).hasSize(2);
      assertThat(open.get(0).openFor()).isGreaterThanOrEqualTo(open.get(1).openFor());
      OpenScope seen = open.get(0);
      assertThat(seen.thread()).isEqualTo(Thread.currentThread().getName());
      assertThat(seen.openFor()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
      assertThat(seen.openedAt().get(0).getMethodName())
          .isEqualTo("trackedScopesAreListedOldestFirst");
      assertThat(second.get(HI, 1)).isNull();
    }
    assertThat(cache.monitor().openScopes()).hasSize(1);
    first.close();
    first.close();
    assertThat(cache.monitor().openScopes()).isEmpty();
    assertThat(cache.monitor().scopeStats().openScopes()).isZero();
  }

  @Test
  void trackedScopeOfADeadThreadIsEnded() throws Exception {
    BlockCache<Object> cache = track(roomyBuilder(10).leakDetection(LeakDetection.all()).build());
    Block block = inserted(cache, 1, 1);
    AtomicReference<ReadScope<Object>> left = new AtomicReference<>();
    onThread(
        Thread::new,
        () -> {
          left.set(cache.openScope());
          cache.erase(HI, 1);
        });
    assertThat(cache.monitor().openScopes()).isEmpty();
    assertFreed(block);
    assertThatThrownBy(left.get()::close).isInstanceOf(IllegalStateException.class);
    assertThat(cache.monitor().scopeStats().openScopes()).isZero();
  }

  @Test
  void trackedScopeOfADeadThreadLetsGoOfWhatItAloneHolds() throws Exception {
    BlockCache<Object> cache = track(roomyBuilder(10).leakDetection(LeakDetection.all()).build());
    List<Block> loaded = List.of(block(1), block(2));
    onThread(
        Thread::new,
        () -> {
          ReadScope<Object> scope = cache.openScope();
          for (Block block : loaded) {
            BlockLoader<Object> uncached =
                (hi, lo) -> {
                  cache.invalidateLoad(hi, lo);
                  return block;
                };
            scope.get(
                HI,
                block.lo,
                BlockLoader.of(LoadContractTest.widened(Block.TYPE), any -> 1, uncached));
          }
        });
    assertThat(loaded).extracting(Block::timesFreed).containsOnly(0);
    assertThat(cache.monitor().openScopes()).isEmpty();
    assertThat(loaded).extracting(Block::timesFreed).containsOnly(1);
    assertThat(cache.monitor().longestHeld(10)).isEmpty();
    assertThat(cache.monitor().usageBytes()).isZero();
  }

  @Test
  void problemsAndCloseEndTrackedScopesOfDeadThreads() throws Exception {
    for (Consumer<BlockCache<Object>> look :
        List.<Consumer<BlockCache<Object>>>of(cache -> cache.monitor().problems(), this::close)) {
      BlockCache<Object> cache = track(roomyBuilder(10).leakDetection(LeakDetection.all()).build());
      Block block = inserted(cache, 1, 1);
      onThread(
          Thread::new,
          () -> {
            cache.openScope();
            cache.erase(HI, 1);
          });
      look.accept(cache);
      assertFreed(block);
    }
  }

  @Test
  void virtualThreadsMayOpenScopes() throws Exception {
    ThreadFactory virtual = VirtualThreads.factory();
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 1);
    onThread(
        virtual,
        () -> {
          try (ReadScope<Object> scope = cache.openScope()) {
            assertThat(scope.get(HI, 1)).isSameAs(block);
            Thread.yield();
            cache.erase(HI, 1);
            Thread.yield();
            assertWaits(cache, block);
          }
          assertFreed(block);
        });
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Thread thread =
          virtual.newThread(
              () -> {
                try (ReadScope<Object> scope = cache.openScope()) {
                  scope.get(HI, 2);
                  Thread.yield();
                  scope.get(HI, 3);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join(WAIT_MILLIS);
      assertThat(thread.isAlive()).isFalse();
    }
    assertThat(cache.monitor().scopeStats().openScopes()).isZero();
  }
}
