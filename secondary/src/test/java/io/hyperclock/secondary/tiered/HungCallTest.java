/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static io.hyperclock.secondary.tiered.TieredRig.HI;
import static io.hyperclock.secondary.tiered.TieredRig.awaitLatch;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Tiers that keep the threads which call them: what waits for those threads ends all the same. */
@Timeout(value = TierTestLimits.TEST_SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class HungCallTest {
  private static final Duration LIMIT = Duration.ofMillis(20);

  /** So many that to wait for one after the other takes longer than a test waits. */
  private static final int KEYS = 40;

  private final ScriptedTier silent = new ScriptedTier();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch letGo = new CountDownLatch(1);
  private final ExecutorService other = Executors.newSingleThreadExecutor();
  private final ExecutorService workers =
      Executors.newFixedThreadPool(2, task -> new Thread(task, "worker"));

  @AfterEach
  void shutDown() {
    letGo.countDown();
    other.shutdown();
    workers.shutdown();
  }

  private TieredRig rig(SecondaryCache... tiers) {
    return new TieredRig(builder -> builder.tierTimeout(LIMIT).executor(workers), tiers);
  }

  /** What a tier does that keeps who calls it until it is let go. */
  private <T> @Nullable T hang() {
    asked.countDown();
    awaitLetGo();
    return null;
  }

  /** For longer than a test waits for what must not depend on it. */
  private void awaitLetGo() {
    try {
      letGo.await(TierTestLimits.TEST_SECONDS, SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static CompletableFuture<@Nullable Handle<Blocks.Block>> future(TieredRig rig, long key) {
    return rig.cache.startLookup(HI, key, rig.blocks.data).toFuture();
  }

  @Test
  void futuresOfThoseWhoJoinEndOnTheExecutor() throws Exception {
    silent.onLookup = this::hang;
    try (TieredRig rig = rig(silent)) {
      CompletableFuture<Integer> leading =
          CompletableFuture.supplyAsync(() -> rig.version(1), other);
      awaitLatch(asked);
      AsyncLookup<Blocks.Block> lookup = rig.cache.startLookup(HI, 1, rig.blocks.data);
      CompletableFuture<@Nullable Handle<Blocks.Block>> joined = lookup.toFuture();
      CompletableFuture<String> dependent =
          joined.thenApply(any -> Thread.currentThread().getName());
      assertThat(dependent.get(TierTestLimits.SECONDS, SECONDS)).isEqualTo("worker");
      assertThat(joined.get()).isNull();
      assertThat(lookup.isDone()).isTrue();
      assertThat(leading).isNotDone();
      letGo.countDown();
      assertThat(leading.get(TierTestLimits.SECONDS, SECONDS)).isEqualTo(-1);
      assertThat(rig.total().misses()).isEqualTo(2);
    }
  }

  /** The read that was given up serves nobody any more, and changes nothing when it comes back. */
  @Test
  void theTierIsAskedAnewAfterThat() throws Exception {
    silent.onLookup = this::hang;
    try (TieredRig rig = rig(silent)) {
      CompletableFuture<Integer> leading =
          CompletableFuture.supplyAsync(() -> rig.version(1), other);
      awaitLatch(asked);
      assertThat(future(rig, 1).get(TierTestLimits.SECONDS, SECONDS)).isNull();
      Blocks.Block block = rig.blocks.make(1, 4);
      silent.onLookup =
          () -> CompletableFuture.completedFuture(TierResult.hit(block, Blocks.CHARGE, true));
      assertThat(rig.version(1)).isEqualTo(4);
      letGo.countDown();
      assertThat(leading.get(TierTestLimits.SECONDS, SECONDS)).isIn(-1, 4);
    }
  }

  @Test
  void aFutureEndsWhoseReadADeeperTierKeeps() throws Exception {
    ScriptedTier near = new ScriptedTier();
    silent.onLookup = this::hang;
    try (TieredRig rig = rig(near, silent)) {
      CompletableFuture<@Nullable Handle<Blocks.Block>> leading = future(rig, 1);
      near.asked(0).miss();
      assertThat(leading.get(TierTestLimits.SECONDS, SECONDS)).isNull();
      awaitLatch(asked);
      letGo.countDown();
    }
  }

  @Test
  void aBatchOfThoseWhoJoinEndsTogether() throws Exception {
    silent.onLookupAll = this::hang;
    try (TieredRig rig = rig(silent)) {
      long[] keys = new long[2 * KEYS];
      for (int i = 0; i < KEYS; i++) {
        keys[2 * i] = HI;
        keys[2 * i + 1] = i;
      }
      CompletableFuture<List<AsyncLookup<Blocks.Block>>> leading =
          CompletableFuture.supplyAsync(
              () -> rig.cache.startLookups(keys, rig.blocks.data, null), other);
      awaitLatch(asked);
      List<AsyncLookup<Blocks.Block>> joined = new ArrayList<>();
      for (int i = 0; i < KEYS; i++) {
        joined.add(rig.cache.startLookup(HI, i, rig.blocks.data));
      }
      ExecutorService waiting = Executors.newSingleThreadExecutor();
      CompletableFuture.runAsync(() -> rig.cache.waitAll(joined), waiting)
          .get(TierTestLimits.SECONDS, SECONDS);
      waiting.shutdown();
      assertThat(joined).allMatch(lookup -> lookup.await() == null);
      letGo.countDown();
      assertThat(leading.get(TierTestLimits.SECONDS, SECONDS))
          .hasSize(KEYS)
          .allMatch(lookup -> lookup.await() == null);
    }
  }

  /** The threads of the cache itself: each tier may keep one. */
  @Test
  void futuresEndWhileAllTiersKeepInserts() throws Exception {
    ScriptedTier deep = new ScriptedTier();
    CountDownLatch deepAsked = new CountDownLatch(1);
    silent.onInsert = () -> hang() != null;
    deep.onInsert =
        () -> {
          deepAsked.countDown();
          awaitLetGo();
          return false;
        };
    EntryType<byte[]> type = EntryType.<byte[]>named("bytes").codec(EntryCodec.ofBytes()).build();
    TieredBlockCache<byte[]> cache =
        TieredBlockCache.builder(
                BlockCache.<byte[]>builder().capacityBytes(1 << 20).estimatedEntryCharge(100))
            .tier(silent)
            .tier(deep)
            .admission(AdmissionPolicy.ALL)
            .tierTimeout(LIMIT)
            .build();
    try (cache) {
      offer(cache, 1, type);
      awaitLatch(asked);
      TierTestLimits.eventually(() -> cache.states().get(0).mode() == TierState.Mode.READ_ONLY);
      offer(cache, 2, type);
      awaitLatch(deepAsked);
      assertThat(cache.startLookup(HI, 3, type).toFuture().get(TierTestLimits.SECONDS, SECONDS))
          .isNull();
      assertThat(silent.lookups()).isEqualTo(1);
      assertThat(deep.lookups()).isEqualTo(1);
      letGo.countDown();
    }
  }

  @Test
  void theCacheClosesWhileATierKeepsAChangeOfTheBudget() throws Exception {
    TieredRig rig =
        new TieredRig(
            builder ->
                builder
                    .tierTimeout(LIMIT)
                    .executor(workers)
                    .totalCapacityBytes(TieredRig.CAPACITY, 0.5),
            silent);
    silent.onSetCapacity = this::hang;
    CompletableFuture<Void> change =
        CompletableFuture.runAsync(() -> rig.cache.setSecondaryRatio(0.25), other);
    awaitLatch(asked);
    CompletableFuture.runAsync(rig.cache::close, workers).get(TierTestLimits.SECONDS, SECONDS);
    assertThat(change).isNotDone();
    letGo.countDown();
    change.get(TierTestLimits.SECONDS, SECONDS);
  }

  private static void offer(TieredBlockCache<byte[]> cache, long key, EntryType<byte[]> type) {
    cache.insert(HI, key, new byte[100], type, 100, Priority.LOW);
    cache.setCapacityBytes(1);
    cache.setCapacityBytes(1 << 20);
  }
}
