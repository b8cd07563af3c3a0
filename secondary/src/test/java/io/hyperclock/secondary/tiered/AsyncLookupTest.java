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
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class AsyncLookupTest {
  private final MapSecondaryCache map = new MapSecondaryCache(1 << 20);
  private final FaultySecondaryCache tier = new FaultySecondaryCache(map, 1);

  private void stall() {
    tier.setFaults(Faults.NONE.withStall(1));
  }

  private static AsyncLookup<Blocks.Block> start(TieredRig rig, long key) {
    return rig.cache.startLookup(HI, key, rig.blocks.data);
  }

  @Test
  void waitsForNothingUntilTold() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.evictAll();
      stall();
      AsyncLookup<Blocks.Block> lookup = start(rig, 1);
      assertThat(lookup.isDone()).isFalse();
      assertThat(tier.releaseStalled()).isEqualTo(1);
      assertThat(lookup.isDone()).isTrue();
      Handle<Blocks.Block> handle = lookup.await();
      assertThat(lookup.await()).isSameAs(handle);
      assertThat(lookup.toFuture().join()).isSameAs(handle);
      lookup.close();
      assertThat(TieredRig.check(1, handle)).isZero();
    }
  }

  @Test
  void waitsForAllKindsTogether() throws Exception {
    try (TieredRig rig = new TieredRig(tier)) {
      for (long key = 1; key <= 6; key++) {
        rig.insert(key);
      }
      rig.evictAll();
      rig.insert(7);
      List<AsyncLookup<Blocks.Block>> lookups = new ArrayList<>();
      lookups.add(start(rig, 7));
      lookups.add(start(rig, 1));
      tier.setFaults(Faults.NONE.withFail(1));
      lookups.add(start(rig, 2));
      stall();
      lookups.add(start(rig, 3));
      lookups.add(start(rig, 3));
      lookups.add(start(rig, 99));
      AsyncLookup<Blocks.Block> closed = start(rig, 4);
      closed.close();
      lookups.add(closed);
      AsyncLookup<Blocks.Block> cancelled = start(rig, 5);
      cancelled.toFuture().cancel(true);
      lookups.add(cancelled);
      lookups.add(lookups.get(3));
      Thread releaser = new Thread(tier::releaseStalled);
      releaser.start();
      rig.cache.waitAll(lookups);
      rig.cache.waitAll(lookups);
      rig.cache.waitAll(List.of());
      releaser.join();
      assertThat(lookups).allMatch(AsyncLookup::isDone);
      List<Integer> versions = new ArrayList<>();
      for (AsyncLookup<Blocks.Block> lookup : lookups.subList(0, 8)) {
        Handle<Blocks.Block> handle = lookup.await();
        versions.add(handle == null ? -1 : TieredRig.check(handle.keyLo(), handle));
      }
      assertThat(versions).containsExactly(0, 0, -1, 0, 0, -1, -1, -1);
      assertThat(rig.total().shared()).isEqualTo(1);
    }
  }

  @Test
  void doneBeforeTheWaitIsNotLost() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.evictAll();
      AsyncLookup<Blocks.Block> ready = start(rig, 1);
      assertThat(ready.isDone()).isTrue();
      rig.cache.waitAll(List.of(ready));
      assertThat(TieredRig.check(1, ready.await())).isZero();
    }
  }

  @Test
  void batchReadsEachKeyOnceAndTogether() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.insert(2);
      rig.evictAll();
      rig.insert(3);
      long[] keys = {HI, 1, HI, 2, HI, 1, HI, 3, HI, 4, HI, 1};
      List<AsyncLookup<Blocks.Block>> lookups = rig.cache.startLookups(keys, rig.blocks.data, null);
      rig.cache.waitAll(lookups);
      assertThat(map.stats().count(TierOutcome.HIT)).isEqualTo(2);
      assertThat(map.stats().misses()).isEqualTo(1);
      for (int i = 0; i < lookups.size(); i++) {
        assertThat(TieredRig.check(keys[2 * i + 1], lookups.get(i).await()))
            .isEqualTo(i == 4 ? -1 : 0);
      }
      assertThat(rig.isInPrimary(1)).isFalse();
      assertThat(rig.total().shared()).isEqualTo(2);
    }
  }

  @Test
  void lateValueMayMoveUpButIsNotReturned() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.insert(2);
      rig.evictAll();
      rig.version(1);
      stall();
      AsyncLookup<Blocks.Block> one = start(rig, 1);
      AsyncLookup<Blocks.Block> two = start(rig, 2);
      rig.cache.waitAll(List.of(one, two), Duration.ofMillis(1));
      assertThat(one.isDone()).isTrue();
      assertThat(one.await()).isNull();
      assertThat(two.await(Duration.ZERO)).isNull();
      tier.releaseStalled();
      assertThat(one.await()).isNull();
      assertThat(rig.isInPrimary(1)).isTrue();
    }
  }

  @Test
  void whatIsGivenUpIsGivenBack() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.evictAll();
      AsyncLookup<Blocks.Block> ready = start(rig, 1);
      assertThat(ready.isDone()).isTrue();
      assertThat(rig.cache.primary().monitor().pinnedUsageBytes()).isPositive();
      ready.close();
      assertThat(rig.cache.primary().monitor().pinnedUsageBytes()).isZero();
      assertThat(ready.await()).isNull();
      assertThat(ready.toFuture().join()).isNull();
      stall();
      try (AsyncLookup<Blocks.Block> pending = start(rig, 1)) {
        assertThat(pending.isDone()).isFalse();
      }
      CompletableFuture<Handle<Blocks.Block>> taken = start(rig, 1).toFuture();
      assertThat(taken.cancel(false)).isTrue();
      assertThat(start(rig, 1).toFuture().complete(null)).isTrue();
      tier.releaseStalled();
      assertThat(rig.cache.primary().monitor().pinnedUsageBytes()).isZero();
    }
  }

  /** Not before their handles have been seen: the collector may come at any time. */
  private void startTwoAndForget(TieredRig rig) {
    AsyncLookup<Blocks.Block> one = start(rig, 1);
    stall();
    AsyncLookup<Blocks.Block> other = start(rig, 2);
    tier.releaseStalled();
    try {
      assertThat(rig.cache.primary().monitor().pinnedUsageBytes()).isPositive();
    } finally {
      Reference.reachabilityFence(one);
      Reference.reachabilityFence(other);
    }
  }

  @Test
  void whatIsForgottenIsGivenBackByTheCollector() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.insert(2);
      rig.evictAll();
      startTwoAndForget(rig);
      await()
          .atMost(TierTestLimits.SECONDS, SECONDS)
          .until(
              () -> {
                System.gc();
                return rig.cache.primary().monitor().pinnedUsageBytes() == 0;
              });
    }
  }

  @Test
  void futureKeepsItsHandleWithoutTheLookup() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.evictAll();
      CompletableFuture<Handle<Blocks.Block>> future = start(rig, 1).toFuture();
      System.gc();
      assertThat(TieredRig.check(1, future.join())).isZero();
    }
  }

  @Test
  void nothingOfOursRunsOnThreadsOfTheTier() {
    ExecutorService io = Executors.newSingleThreadExecutor(task -> new Thread(task, "tier-io"));
    ExecutorService workers = Executors.newSingleThreadExecutor(task -> new Thread(task, "work"));
    FaultySecondaryCache far = new FaultySecondaryCache(map, 1, io);
    List<String> listening = new ArrayList<>();
    try (TieredRig rig =
        new TieredRig(
            builder ->
                builder
                    .executor(workers)
                    .evictionListener(
                        (hi, lo, value, type, charge, wasHit) -> {
                          listening.add(Thread.currentThread().getName());
                          return false;
                        }),
            far)) {
      rig.insert(1);
      rig.evictAll();
      await()
          .pollDelay(Duration.ZERO)
          .atMost(TierTestLimits.SECONDS, SECONDS)
          .until(() -> map.stats().entries() == 1 && rig.cache.stats().pendingOffers() == 0);
      for (int touch = 0; touch < 2; touch++) {
        far.setFaults(Faults.NONE.withStall(1));
        CompletableFuture<String> dependent =
            start(rig, 1)
                .toFuture()
                .thenApply(
                    handle -> {
                      handle.close();
                      return Thread.currentThread().getName();
                    });
        far.releaseStalled();
        assertThat(dependent.orTimeout(TierTestLimits.SECONDS, SECONDS).join()).isEqualTo("work");
      }
      rig.evictAll();
      assertThat(listening).containsOnly(Thread.currentThread().getName());
    } finally {
      io.shutdown();
      workers.shutdown();
    }
  }

  @Test
  void waitersNeedNoExecutor() {
    ExecutorService io = Executors.newSingleThreadExecutor();
    FaultySecondaryCache far = new FaultySecondaryCache(map, 1, io);
    try (TieredRig rig = new TieredRig(far, new MapSecondaryCache(1 << 20))) {
      rig.insert(1);
      rig.evictAll();
      rig.tasks.hold();
      assertThat(rig.version(1)).isZero();
      AsyncLookup<Blocks.Block> lookup = start(rig, 1);
      rig.cache.waitAll(List.of(lookup));
      assertThat(TieredRig.check(1, lookup.await())).isZero();
      assertThat(rig.version(99)).isEqualTo(-1);
      rig.tasks.release();
    } finally {
      io.shutdown();
    }
  }

  @Test
  void interruptEndsNoWait() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.evictAll();
      stall();
      AsyncLookup<Blocks.Block> lookup = start(rig, 1);
      Thread releaser = new Thread(tier::releaseStalled);
      Thread.currentThread().interrupt();
      releaser.start();
      Handle<Blocks.Block> handle = lookup.await();
      assertThat(Thread.interrupted()).isTrue();
      assertThat(TieredRig.check(1, handle)).isZero();
    }
  }

  @Test
  void eachKeyGoesThroughTheTiersByItself() {
    FaultySecondaryCache near = tier;
    MapSecondaryCache deepMap = new MapSecondaryCache(1 << 20);
    FaultySecondaryCache deep = new FaultySecondaryCache(deepMap, 1);
    near.setFaults(Faults.NONE.withDecline(1));
    try (TieredRig rig = new TieredRig(near, deep)) {
      rig.insert(1);
      rig.insert(2);
      rig.evictAll();
      assertThat(deepMap.stats().entries()).isEqualTo(2);
      stall();
      AsyncLookup<Blocks.Block> slow = start(rig, 1);
      near.setFaults(Faults.NONE);
      AsyncLookup<Blocks.Block> fast = start(rig, 2);
      assertThat(fast.isDone()).isTrue();
      assertThat(slow.isDone()).isFalse();
      deep.setFaults(Faults.NONE.withStall(1));
      near.releaseStalled();
      assertThat(slow.isDone()).isFalse();
      deep.releaseStalled();
      assertThat(slow.isDone()).isTrue();
      assertThat(TieredRig.check(1, slow.await())).isZero();
      assertThat(TieredRig.check(2, fast.await())).isZero();
    }
  }

  @Test
  void closeEndsWhatIsUnderWay() {
    TieredRig rig = new TieredRig(tier);
    rig.insert(1);
    rig.evictAll();
    stall();
    AsyncLookup<Blocks.Block> lookup = start(rig, 1);
    rig.cache.close();
    assertThat(lookup.isDone()).isTrue();
    assertThat(lookup.await()).isNull();
    assertThat(rig.blocks.live()).isZero();
    rig.blocks.assertSound();
  }
}
