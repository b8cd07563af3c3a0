/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static io.hyperclock.secondary.tiered.TieredRig.HI;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.Handle;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.testing.Faults;
import io.hyperclock.secondary.testing.FaultySecondaryCache;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Each way by which an older value could come back, with the race that leads there held open. */
class FreshnessTest {
  private final MapSecondaryCache map = new MapSecondaryCache(1 << 20);
  private final FaultySecondaryCache tier = new FaultySecondaryCache(map, 1);

  @Test
  void erasedWhileQueued() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.tasks.hold();
      rig.evictAll();
      assertThat(rig.cache.stats().pendingOffers()).isEqualTo(1);
      assertThat(rig.cache.stats().pendingOfferBytes()).isEqualTo(Blocks.CHARGE);
      rig.erase(1);
      assertThat(rig.cache.stats().pendingOfferBytes()).isZero();
      assertThat(rig.blocks.live()).isZero();
      rig.tasks.release();
      assertThat(map.stats().accepted()).isZero();
      assertThat(rig.total().superseded()).isEqualTo(1);
    }
  }

  @Test
  void overwrittenWhileQueued() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.tasks.hold();
      rig.evictAll();
      rig.put(1, 1);
      rig.evictAll();
      rig.tasks.release();
      assertThat(rig.version(1)).isEqualTo(1);
    }
  }

  @Test
  void wantedWhileQueued() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.tasks.hold();
      rig.evictAll();
      assertThat(rig.version(1)).isZero();
      assertThat(rig.isInPrimary(1)).isTrue();
      assertThat(rig.total().putBack()).isEqualTo(1);
      assertThat(rig.cache.stats().pendingOffers()).isZero();
      rig.tasks.release();
      assertThat(map.stats().accepted()).isZero();
    }
  }

  @Test
  void erasedWhileMoving() throws Exception {
    GatedTier gated = new GatedTier();
    ExecutorService worker = Executors.newSingleThreadExecutor();
    try (TieredRig rig = new TieredRig(builder -> builder.executor(worker), gated)) {
      rig.insert(1);
      rig.evictAll();
      gated.inserting.await();
      rig.erase(1);
      AsyncLookup<Blocks.Block> after = rig.cache.startLookup(HI, 1, rig.blocks.data);
      assertThat(after.isDone()).isFalse();
      gated.letGo.countDown();
      assertThat(after.await()).isNull();
      assertThat(gated.inner.stats().entries()).isZero();
      assertThat(rig.total().superseded()).isEqualTo(1);
    } finally {
      worker.shutdown();
    }
  }

  @Test
  void overwrittenWhileMoving() throws Exception {
    GatedTier gated = new GatedTier();
    ExecutorService worker = Executors.newSingleThreadExecutor();
    try (TieredRig rig = new TieredRig(builder -> builder.executor(worker), gated)) {
      rig.insert(1);
      rig.evictAll();
      gated.inserting.await();
      rig.put(1, 1);
      rig.evictAll();
      AsyncLookup<Blocks.Block> after = rig.cache.startLookup(HI, 1, rig.blocks.data);
      gated.letGo.countDown();
      assertThat(TieredRig.check(1, after.await())).isEqualTo(-1);
    } finally {
      worker.shutdown();
    }
  }

  @Test
  void lookedUpWhileMoving() throws Exception {
    GatedTier gated = new GatedTier();
    ExecutorService worker = Executors.newSingleThreadExecutor();
    try (TieredRig rig = new TieredRig(builder -> builder.executor(worker), gated)) {
      rig.insert(1);
      rig.evictAll();
      gated.inserting.await();
      AsyncLookup<Blocks.Block> during = rig.cache.startLookup(HI, 1, rig.blocks.data);
      gated.letGo.countDown();
      assertThat(TieredRig.check(1, during.await())).isZero();
    } finally {
      worker.shutdown();
    }
  }

  @Test
  void overwrittenWhileBeingRead() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.evictAll();
      rig.version(1);
      tier.setFaults(Faults.NONE.withStall(1));
      AsyncLookup<Blocks.Block> before = rig.cache.startLookup(HI, 1, rig.blocks.data);
      rig.put(1, 1);
      assertThat(rig.version(1)).isEqualTo(1);
      rig.evictAll();
      tier.setFaults(Faults.NONE);
      AsyncLookup<Blocks.Block> after = rig.cache.startLookup(HI, 1, rig.blocks.data);
      assertThat(TieredRig.check(1, after.await())).isEqualTo(1);
      tier.releaseStalled();
      assertThat(TieredRig.check(1, before.await())).isZero();
      assertThat(rig.version(1)).isEqualTo(1);
    }
  }

  @Test
  void erasedWhileBeingRead() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.evictAll();
      rig.version(1);
      tier.setFaults(Faults.NONE.withStall(1));
      AsyncLookup<Blocks.Block> before = rig.cache.startLookup(HI, 1, rig.blocks.data);
      rig.erase(1);
      tier.releaseStalled();
      assertThat(rig.isInPrimary(1)).isFalse();
      before.close();
      tier.setFaults(Faults.NONE);
      assertThat(rig.version(1)).isEqualTo(-1);
    }
  }

  /** The entry has left its slot; the key is written before the adapter is told. */
  @Test
  void writtenBeforeTheEvictionIsReported() {
    for (boolean erase : new boolean[] {true, false}) {
      AtomicReference<TieredRig> writing = new AtomicReference<>();
      try (TieredRig rig =
          new TieredRig(
              builder ->
                  builder.evictionListener(
                      (hi, lo, value, type, charge, wasHit) -> {
                        TieredRig once = writing.getAndSet(null);
                        if (once != null) {
                          runElsewhere(() -> write(once, erase));
                        }
                        return false;
                      }),
              new MapSecondaryCache(1 << 20))) {
        rig.insert(1);
        writing.set(rig);
        rig.evictAll();
        rig.evictAll();
        assertThat(rig.version(1)).isNotZero();
        assertThat(rig.total().superseded()).isPositive();
      }
    }
  }

  private static void write(TieredRig rig, boolean erase) {
    if (erase) {
      rig.erase(1);
    } else {
      rig.put(1, 1);
    }
  }

  private static void runElsewhere(Runnable task) {
    CompletableFuture.runAsync(task, command -> new Thread(command).start())
        .orTimeout(TierTestLimits.SECONDS, SECONDS)
        .join();
  }

  /** The insert of a promotion evicts, and the listener of that eviction erases the very key. */
  @Test
  void erasedByAListenerWhileMovingUp() {
    AtomicReference<TieredRig> erasing = new AtomicReference<>();
    try (TieredRig rig =
        new TieredRig(
            builder ->
                builder.evictionListener(
                    (hi, lo, value, type, charge, wasHit) -> {
                      TieredRig once = erasing.getAndSet(null);
                      if (once != null) {
                        once.erase(1);
                      }
                      return false;
                    }),
            tier)) {
      prepareFullPrimary(rig);
      erasing.set(rig);
      try (Handle<Blocks.Block> handle = rig.lookup(1)) {
        assertThat(handle.value().key).isEqualTo(1);
      }
      assertThat(rig.isInPrimary(1)).isFalse();
      assertThat(rig.version(1)).isEqualTo(-1);
    }
  }

  /** Fills the primary so that the second touch of key 1 must evict. */
  private static void prepareFullPrimary(TieredRig rig) {
    rig.insert(1);
    rig.evictAll();
    rig.version(1);
    for (long key = 100;
        rig.cache.primary().monitor().usageBytes() + Blocks.CHARGE <= TieredRig.CAPACITY;
        key++) {
      rig.insert(key);
    }
  }

  @Test
  void eraseWaitsForTheEndOfAPromotion() throws Exception {
    CountDownLatch promoting = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    AtomicReference<TieredRig> armed = new AtomicReference<>();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (TieredRig rig =
        new TieredRig(
            builder ->
                builder.evictionListener(
                    (hi, lo, value, type, charge, wasHit) -> {
                      if (armed.getAndSet(null) != null) {
                        promoting.countDown();
                        TieredRig.awaitLatch(letGo);
                      }
                      return false;
                    }),
            tier)) {
      prepareFullPrimary(rig);
      armed.set(rig);
      CompletableFuture<Integer> version =
          CompletableFuture.supplyAsync(() -> rig.version(1), threads);
      promoting.await();
      Thread eraser = new Thread(() -> rig.erase(1));
      eraser.start();
      await()
          .pollDelay(Duration.ZERO)
          .atMost(TierTestLimits.SECONDS, SECONDS)
          .until(() -> eraser.getState() == Thread.State.WAITING || !eraser.isAlive());
      assertThat(eraser.isAlive()).isTrue();
      assertThat(rig.version(2)).isEqualTo(-1);
      letGo.countDown();
      assertThat(version.orTimeout(TierTestLimits.SECONDS, SECONDS).join()).isZero();
      eraser.join();
      assertThat(rig.version(1)).isEqualTo(-1);
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void concurrentLookupsShareOneRead() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.evictAll();
      tier.setFaults(Faults.NONE.withStall(1));
      AsyncLookup<Blocks.Block> first = rig.cache.startLookup(HI, 1, rig.blocks.data);
      AsyncLookup<Blocks.Block> second = rig.cache.startLookup(HI, 1, rig.blocks.data);
      AsyncLookup<Blocks.Block> other =
          rig.cache.startLookup(HI, 1, rig.blocks.data, "another context");
      tier.releaseStalled();
      Handle<Blocks.Block> one = first.await();
      Handle<Blocks.Block> two = second.await();
      assertThat(one).isNotSameAs(two);
      assertThat(one.value()).isSameAs(two.value());
      one.close();
      assertThat(TieredRig.check(1, two)).isZero();
      assertThat(TieredRig.check(1, other.await())).isZero();
      assertThat(map.stats().count(TierOutcome.HIT)).isEqualTo(2);
      assertThat(rig.total().shared()).isEqualTo(1);
    }
  }

  @Test
  void handOffIsBounded() {
    try (TieredRig rig =
        new TieredRig(
            builder -> builder.handOffBytes(3 * Blocks.CHARGE).handOffEntries(100), tier)) {
      rig.tasks.hold();
      for (long key = 1; key <= 10; key++) {
        rig.insert(key);
      }
      rig.evictAll();
      assertThat(rig.cache.stats().pendingOfferBytes()).isEqualTo(3 * Blocks.CHARGE);
      assertThat(rig.total().overflowed()).isEqualTo(7);
      assertThat(rig.blocks.live()).isEqualTo(3);
      rig.tasks.release();
      assertThat(map.stats().accepted()).isEqualTo(3);
    }
    try (TieredRig rig =
        new TieredRig(builder -> builder.handOffEntries(2), new MapSecondaryCache(1 << 20))) {
      rig.tasks.hold();
      for (long key = 1; key <= 10; key++) {
        rig.insert(key);
      }
      rig.evictAll();
      assertThat(rig.total().overflowed()).isEqualTo(8);
    }
  }

  @Test
  void loaderIsAskedAfterTheTiers() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.evictAll();
      try (Handle<Blocks.Block> handle =
          rig.cache.lookup(HI, 1, rig.blocks.data, null, (hi, lo) -> rig.blocks.make(lo, 9))) {
        assertThat(handle.value().version).isZero();
      }
      try (Handle<Blocks.Block> handle =
          rig.cache.lookup(HI, 2, rig.blocks.data, null, (hi, lo) -> rig.blocks.make(lo, 9))) {
        assertThat(handle.value().version).isEqualTo(9);
        assertThat(handle.type()).isSameAs(rig.blocks.data);
      }
      assertThat(rig.isInPrimary(2)).isTrue();
      rig.evictAll();
      assertThat(rig.version(2)).isEqualTo(9);
    }
  }

  /** The value loaded is older than the one inserted, which is evicted before it arrives. */
  @Test
  void insertedWhileBeingLoaded() {
    try (TieredRig rig = new TieredRig(tier)) {
      Handle<Blocks.Block> loaded =
          rig.cache.lookup(
              HI,
              1,
              rig.blocks.data,
              null,
              (hi, lo) -> {
                Blocks.Block older = rig.blocks.make(lo, 0);
                runElsewhere(
                    () -> {
                      rig.insert(1, 1, rig.blocks.data);
                      rig.evictAll();
                    });
                return older;
              });
      assertThat(TieredRig.check(1, loaded)).isZero();
      assertThat(rig.version(1)).isNotZero();
    }
  }

  @Test
  void closeDropsWhatIsQueued() {
    TieredRig rig = new TieredRig(tier);
    rig.insert(1);
    rig.tasks.hold();
    rig.evictAll();
    rig.cache.close();
    assertThat(rig.blocks.live()).isZero();
    rig.tasks.release();
    await()
        .pollDelay(Duration.ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(() -> rig.blocks.live() == 0);
    rig.blocks.assertSound();
  }
}
