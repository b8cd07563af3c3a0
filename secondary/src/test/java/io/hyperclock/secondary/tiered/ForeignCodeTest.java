/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Foreign code: executors that refuse, threads that complete, code that calls back. */
@Timeout(TierTestLimits.TEST_SECONDS)
class ForeignCodeTest {
  private static void onTheTiersThread(Runnable task) throws InterruptedException {
    Thread thread = new Thread(task, "tier-io");
    thread.start();
    thread.join(TierTestLimits.TIME.toMillis());
    assertThat(thread.isAlive()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rejects", "fails", "has no threads"})
  void anExecutorThatThrowsCostsValuesOnly(String how) throws Exception {
    AtomicBoolean refusing = new AtomicBoolean(true);
    Executor executor =
        task -> {
          if (refusing.get()) {
            switch (how) {
              case "rejects" -> throw new RejectedExecutionException();
              case "fails" -> throw new IllegalStateException("x");
              default -> throw new OutOfMemoryError("unable to create native thread");
            }
          }
          task.run();
        };
    ScriptedTier tier = new ScriptedTier();
    tier.onInsert = () -> true;
    try (TieredRig rig = new TieredRig(builder -> builder.executor(executor), tier)) {
      for (int key = 0; key < 5; key++) {
        rig.insert(key);
      }
      rig.evictAll();
      assertThat(rig.blocks.live()).isZero();
      assertThat(rig.total().superseded()).isEqualTo(5);
      CompletableFuture<@Nullable Handle<Blocks.Block>> future =
          rig.cache.startLookup(TieredRig.HI, 9, rig.blocks.data).toFuture();
      onTheTiersThread(() -> tier.asked(0).hit(rig.blocks.make(9, 0), true));
      assertThat(TieredRig.check(9, future.get(TierTestLimits.SECONDS, SECONDS))).isZero();
      refusing.set(false);
      rig.insert(1);
      rig.evictAll();
      assertThat(rig.total().accepted()).isEqualTo(1);
    }
  }

  @Test
  void noForeignCodeRunsOnATiersThread() throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    Set<String> threads = ConcurrentHashMap.newKeySet();
    ScriptedTier tier = new ScriptedTier();
    tier.erasesOnAdvice = false;
    try (TieredRig rig =
        new TieredRig(
            builder ->
                builder
                    .executor(executor)
                    .evictionListener(
                        (hi, lo, value, type, charge, hit) -> {
                          threads.add(Thread.currentThread().getName());
                          return false;
                        }),
            tier)) {
      for (int key = 0; key < 100; key++) {
        rig.insert(1000 + key);
      }
      List<CompletableFuture<Integer>> found = new ArrayList<>();
      for (int key = 0; key < 100; key++) {
        int wanted = key;
        found.add(
            rig.cache
                .startLookup(TieredRig.HI, key, rig.blocks.data)
                .toFuture()
                .thenApply(
                    handle -> {
                      threads.add(Thread.currentThread().getName());
                      return TieredRig.check(wanted, handle);
                    }));
      }
      onTheTiersThread(
          () -> {
            for (int key = 0; key < 100; key++) {
              tier.asked(key).hit(rig.blocks.make(key, 0), true);
            }
          });
      for (CompletableFuture<Integer> version : found) {
        assertThat(version.get(TierTestLimits.SECONDS, SECONDS)).isZero();
      }
      assertThat(threads).isNotEmpty().doesNotContain("tier-io");
    } finally {
      executor.shutdown();
    }
  }

  @Test
  void waitersNeedNoThreadOfTheExecutor() throws Exception {
    ScriptedTier tier = new ScriptedTier();
    ScriptedTier below = new ScriptedTier();
    try (TieredRig rig = new TieredRig(tier, below)) {
      rig.tasks.hold();
      AsyncLookup<Blocks.Block> lookup = rig.cache.startLookup(TieredRig.HI, 1, rig.blocks.data);
      tier.asked(0).miss();
      assertThat(below.lookups()).isZero();
      AtomicReference<@Nullable Handle<Blocks.Block>> found = new AtomicReference<>();
      Thread waiter = new Thread(() -> found.set(lookup.await()));
      waiter.start();
      await().atMost(TierTestLimits.SECONDS, SECONDS).until(() -> below.lookups() == 1);
      below.asked(0).hit(rig.blocks.make(1, 0), true);
      waiter.join(TierTestLimits.TIME.toMillis());
      assertThat(TieredRig.check(1, found.get())).isZero();
    }
  }

  @Test
  void aListenerMayCallBack() {
    AtomicReference<@Nullable TieredBlockCache<Blocks.Block>> cache = new AtomicReference<>();
    AtomicReference<@Nullable Blocks> blocks = new AtomicReference<>();
    AtomicInteger calls = new AtomicInteger();
    try (TieredRig rig =
        new TieredRig(
            builder ->
                builder.evictionListener(
                    (hi, lo, value, type, charge, hit) -> {
                      TieredBlockCache<Blocks.Block> again = cache.get();
                      if (again != null && calls.incrementAndGet() < 100) {
                        TieredRig.check(lo, again.lookup(hi, lo, blocks.get().data));
                        again.put(
                            hi,
                            lo,
                            blocks.get().make(lo, value.version + 1),
                            blocks.get().data,
                            Blocks.CHARGE,
                            Priority.LOW);
                        again.erase(hi, lo + 1);
                        TieredRig.check(
                            lo + 2, again.startLookup(hi, lo + 2, blocks.get().data).await());
                      }
                      return false;
                    }),
            new MapSecondaryCache(1 << 20))) {
      blocks.set(rig.blocks);
      cache.set(rig.cache);
      for (int key = 0; key < 200; key++) {
        rig.insert(key);
      }
      rig.evictAll();
      assertThat(calls).hasValueGreaterThanOrEqualTo(100);
      int[] versions = new int[200];
      for (int key = 0; key < 200; key++) {
        versions[key] = rig.version(key);
      }
      assertThat(versions).contains(0);
      cache.set(null);
    }
  }

  @Test
  void dependentsMayCallBackAndEvenClose() throws Exception {
    ScriptedTier tier = new ScriptedTier();
    TieredRig rig = new TieredRig(tier);
    CompletableFuture<Integer> first =
        rig.cache
            .startLookup(TieredRig.HI, 1, rig.blocks.data)
            .toFuture()
            .thenApply(
                handle -> {
                  rig.put(1, 7);
                  assertThat(rig.version(1)).isEqualTo(7);
                  rig.cache.close();
                  return TieredRig.check(1, handle);
                });
    AsyncLookup<Blocks.Block> second = rig.cache.startLookup(TieredRig.HI, 2, rig.blocks.data);
    tier.asked(0).hit(rig.blocks.make(1, 0), true);
    assertThat(first.get(TierTestLimits.SECONDS, SECONDS)).isZero();
    assertThat(second.await(TierTestLimits.TIME)).isNull();
    tier.asked(1).hit(rig.blocks.make(2, 0), true);
    assertThat(rig.blocks.live()).isZero();
    rig.blocks.assertSound();
  }

  @Test
  void aLookupIsDoneBeforeSlowDependentsOfAnotherRun() throws Exception {
    ScriptedTier tier = new ScriptedTier();
    CountDownLatch letGo = new CountDownLatch(1);
    CountDownLatch busy = new CountDownLatch(1);
    try (TieredRig rig = new TieredRig(tier)) {
      AsyncLookup<Blocks.Block> slow = rig.cache.startLookup(TieredRig.HI, 1, rig.blocks.data);
      AsyncLookup<Blocks.Block> other = rig.cache.startLookup(TieredRig.HI, 1, rig.blocks.data);
      CompletableFuture<Integer> version =
          slow.toFuture()
              .thenApply(
                  handle -> {
                    busy.countDown();
                    try {
                      assertThat(letGo.await(TierTestLimits.SECONDS, SECONDS)).isTrue();
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                    return TieredRig.check(1, handle);
                  });
      Thread io = new Thread(() -> tier.asked(0).hit(rig.blocks.make(1, 0), true));
      io.start();
      try {
        assertThat(busy.await(TierTestLimits.SECONDS, SECONDS)).isTrue();
        assertThat(TieredRig.check(1, other.await(TierTestLimits.TIME))).isZero();
      } finally {
        letGo.countDown();
        io.join();
      }
      assertThat(version.join()).isZero();
    }
  }

  @Test
  void aLoaderMayReadWriteAndEraseOtherKeysBelow() throws Exception {
    MapSecondaryCache tier = new MapSecondaryCache(1 << 20);
    try (TieredRig rig = new TieredRig(CapacityMode.NON_STRICT, builder -> {}, tier)) {
      rig.insert(2);
      rig.insert(3);
      rig.evictAll();
      try (Handle<Blocks.Block> handle =
          rig.cache.lookup(
              TieredRig.HI,
              1,
              rig.blocks.data,
              null,
              (hi, lo) -> {
                assertThat(rig.version(2)).isZero();
                rig.put(2, 5);
                rig.erase(3);
                return rig.blocks.make(1, 9);
              })) {
        assertThat(handle.value().version).isEqualTo(9);
      }
      rig.evictAll();
      assertThat(rig.version(1)).isEqualTo(9);
      assertThat(rig.version(2)).isEqualTo(5);
      assertThat(rig.version(3)).isEqualTo(-1);
    }
  }

  @Test
  void ownThreadsAreEnough() {
    Blocks blocks = new Blocks();
    MapSecondaryCache tier = new MapSecondaryCache(1 << 20);
    try (TieredBlockCache<Blocks.Block> cache =
        TieredBlockCache.builder(
                BlockCache.<Blocks.Block>builder()
                    .capacityBytes(TieredRig.CAPACITY)
                    .estimatedEntryCharge(Blocks.CHARGE))
            .tier(tier)
            .build()) {
      cache.insert(1, 1, blocks.make(1, 0), blocks.data, Blocks.CHARGE, Priority.LOW);
      assertThat(TieredRig.check(1, cache.lookup(1, 1, blocks.data))).isZero();
    }
    assertThat(blocks.live()).isZero();
  }
}
