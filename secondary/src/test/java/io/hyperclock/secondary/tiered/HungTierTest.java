/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static io.hyperclock.secondary.tiered.TieredRig.HI;
import static io.hyperclock.secondary.tiered.TieredRig.awaitLatch;
import static java.time.Duration.ZERO;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hyperclock.Handle;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierObserver;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tiers that do not answer: what waits for them ends by the limit. */
@Timeout(value = TierTestLimits.TEST_SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class HungTierTest {
  private static final Duration LIMIT = Duration.ofMillis(20);

  /** Where another tier must keep to it. */
  private static final Duration LONG_LIMIT = Duration.ofSeconds(2);

  private final ScriptedTier silent = new ScriptedTier();
  private final MapSecondaryCache below = new MapSecondaryCache(1 << 20);

  private static TieredRig rig(SecondaryCache... tiers) {
    return new TieredRig(builder -> builder.tierTimeout(LIMIT), tiers);
  }

  private void keepBelow(TieredRig rig, long key) {
    Blocks.Block block = rig.blocks.make(key, 0);
    below.insert(HI, key, block, rig.blocks.data, true);
    rig.blocks.giveUp(block);
  }

  private static long timeouts(TieredRig rig, int tier) {
    return rig.cache.stats().tiers().get(tier).timeouts();
  }

  private static CompletableFuture<@Nullable Handle<Blocks.Block>> future(TieredRig rig, long key) {
    return rig.cache.startLookup(HI, key, rig.blocks.data).toFuture();
  }

  @Test
  void aLookupIsAMissAndWhatComesLateIsFreed() {
    try (TieredRig rig = rig(silent)) {
      assertThat(rig.version(1)).isEqualTo(-1);
      assertThat(timeouts(rig, 0)).isEqualTo(1);
      assertThat(rig.total().misses()).isEqualTo(1);
      Blocks.Block late = rig.blocks.make(1, 0);
      silent.asked(0).hit(late, true);
      assertThat(late.isFreed()).isTrue();
      assertThat(rig.isInPrimary(1)).isFalse();
      assertThat(rig.cache.stats().tiers().get(0).hits()).isZero();
    }
  }

  @Test
  void theNextTierIsAsked() {
    try (TieredRig rig = rig(silent, below)) {
      keepBelow(rig, 1);
      assertThat(rig.version(1)).isZero();
      assertThat(timeouts(rig, 0)).isEqualTo(1);
      assertThat(timeouts(rig, 1)).isZero();
      silent.asked(0).miss();
    }
  }

  @Test
  void aLoaderIsCalled() {
    try (TieredRig rig = rig(silent)) {
      Handle<Blocks.Block> loaded =
          rig.cache.lookup(HI, 1, rig.blocks.data, null, (hi, lo) -> rig.blocks.make(lo, 3));
      assertThat(TieredRig.check(1, loaded)).isEqualTo(3);
      silent.asked(0).hit(rig.blocks.make(1, 0), true);
      assertThat(rig.version(1)).isEqualTo(3);
    }
  }

  @Test
  void waitAllWithoutALimitEnds() {
    try (TieredRig rig = rig(silent, below)) {
      keepBelow(rig, 2);
      long[] keys = {HI, 1, HI, 2, HI, 1, HI, 3};
      List<AsyncLookup<Blocks.Block>> lookups = rig.cache.startLookups(keys, rig.blocks.data, null);
      rig.cache.waitAll(lookups);
      assertThat(lookups).allMatch(AsyncLookup::isDone);
      assertThat(lookups.get(0).await()).isNull();
      assertThat(TieredRig.check(2, lookups.get(1).await())).isZero();
      assertThat(lookups.get(3).await()).isNull();
      assertThat(timeouts(rig, 0)).isEqualTo(3);
      for (int i = 0; i < 3; i++) {
        silent.asked(i).hit(rig.blocks.make(keys[2 * i + 1], 0), false);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatNobodyWaitsForEndsByItself(boolean refusing) throws Exception {
    ExecutorService workers = Executors.newSingleThreadExecutor();
    TieredRig rig =
        new TieredRig(
            builder ->
                builder
                    .tierTimeout(LIMIT)
                    .executor(
                        task -> {
                          if (refusing) {
                            throw new RejectedExecutionException();
                          }
                          workers.execute(task);
                        }),
            silent,
            below);
    try (rig) {
      keepBelow(rig, 2);
      for (int round = 0; round < 3; round++) {
        CompletableFuture<@Nullable Handle<Blocks.Block>> first = future(rig, 1);
        CompletableFuture<@Nullable Handle<Blocks.Block>> second = future(rig, 2);
        assertThat(first.get(TierTestLimits.SECONDS, SECONDS)).isNull();
        assertThat(TieredRig.check(2, second.get(TierTestLimits.SECONDS, SECONDS))).isZero();
        if (round == 0) {
          silent.asked(0).hit(rig.blocks.make(1, 0), true);
          silent.asked(1).hit(rig.blocks.make(2, 0), true);
        }
      }
    } finally {
      workers.shutdown();
    }
  }

  @Test
  void thoseWhoShareAReadEndTogether() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (TieredRig rig = new TieredRig(builder -> builder.tierTimeout(LONG_LIMIT), silent)) {
      for (long key = 1; ; key++) {
        int before = silent.lookups();
        long begin = System.nanoTime();
        AsyncLookup<Blocks.Block> leading = rig.cache.startLookup(HI, key, rig.blocks.data);
        AsyncLookup<Blocks.Block> joined = rig.cache.startLookup(HI, key, rig.blocks.data);
        // Where this thread finds no processor for so long, the first may end before the second.
        boolean isShared = System.nanoTime() - begin < LONG_LIMIT.toNanos() / 2;
        assertThat(other.submit(() -> leading.await() == null).get(TierTestLimits.SECONDS, SECONDS))
            .isTrue();
        assertThat(joined.await()).isNull();
        if (isShared) {
          assertThat(silent.lookups()).isEqualTo(before + 1);
          assertThat(timeouts(rig, 0)).isEqualTo(before + 1);
          return;
        }
      }
    } finally {
      other.shutdown();
    }
  }

  @Test
  void anObserverIsToldAndNothingIsRememberedAsAbsent() {
    List<TierOutcome> outcomes = new CopyOnWriteArrayList<>();
    TieredRig rig =
        new TieredRig(
            builder ->
                builder
                    .tierTimeout(LIMIT)
                    .slowReadAfter(ZERO)
                    .observer(new Notes(outcomes, List.of())),
            silent);
    List<String> erased = new CopyOnWriteArrayList<>();
    try (rig) {
      assertThat(rig.version(1)).isEqualTo(-1);
      assertThat(outcomes).containsExactly(TierOutcome.TIMED_OUT);
      silent.onErase = () -> erased.add("erased");
      rig.insert(1);
      assertThat(erased).hasSize(1);
    }
  }

  /** What an observer is told. */
  private record Notes(List<TierOutcome> outcomes, List<String> closesLate)
      implements TierObserver {
    @Override
    public void onSlowRead(String tier, TierOutcome outcome, Duration took) {
      outcomes.add(outcome);
    }

    @Override
    public void onCloseTimeout(String tier, Duration waited) {
      closesLate.add(tier + " " + waited);
    }
  }

  /** The thread that leads the read is inside the tier, so nothing can end the read for it. */
  @Test
  void thoseWhoJoinAThreadThatATierKeepsEndWithoutAHandle() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    silent.onLookup =
        () -> {
          asked.countDown();
          awaitLatch(letGo);
          return null;
        };
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (TieredRig rig = rig(silent)) {
      CompletableFuture<Integer> leading =
          CompletableFuture.supplyAsync(() -> rig.version(1), other);
      awaitLatch(asked);
      assertThat(rig.version(1)).isEqualTo(-1);
      assertThat(leading).isNotDone();
      letGo.countDown();
      assertThat(leading.get(TierTestLimits.SECONDS, SECONDS)).isEqualTo(-1);
    } finally {
      other.shutdown();
    }
  }

  @Test
  void anInsertThatHangsHoldsUpNeitherLookupsNorOtherTiers() throws Exception {
    CountDownLatch inserting = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    silent.onInsert =
        () -> {
          inserting.countDown();
          awaitLatch(letGo);
          return false;
        };
    silent.onLookup = () -> CompletableFuture.completedFuture(null);
    ExecutorService workers = Executors.newFixedThreadPool(2);
    TieredRig rig =
        new TieredRig(builder -> builder.tierTimeout(LONG_LIMIT).executor(workers), silent, below);
    try (rig) {
      rig.insert(1);
      rig.evictAll();
      awaitLatch(inserting);
      assertThat(rig.version(1)).isEqualTo(-1);
      assertThat(timeouts(rig, 0)).isEqualTo(1);
      TierTestLimits.eventually(() -> isOverdue(rig));
      assertThat(rig.cache.stats().tiers().get(0).state()).isEqualTo(rig.cache.states().get(0));
      for (long key = 2; key < 10; key++) {
        rig.insert(key);
      }
      rig.evictAll();
      TierTestLimits.eventually(() -> below.stats().entries() > 0);
      TierTestLimits.eventually(() -> rig.blocks.live() == 1);
      letGo.countDown();
      TierTestLimits.eventually(() -> rig.cache.stats().pendingOffers() == 0);
      assertThat(rig.version(1)).isZero();
      assertThat(rig.cache.states().get(0)).isEqualTo(TierState.OPEN);
    } finally {
      workers.shutdown();
    }
  }

  private static boolean isOverdue(TieredRig rig) {
    return rig.cache.states().get(0).reason().contains("an insert has not returned");
  }

  /** What is moving when the key is written must be erased again, however late. */
  @Test
  void anInsertThatEndsLateLeavesNothingOutdated() throws Exception {
    GatedTier gated = new GatedTier();
    ExecutorService workers = Executors.newFixedThreadPool(2);
    try (TieredRig rig =
        new TieredRig(builder -> builder.tierTimeout(LIMIT).executor(workers), gated, below)) {
      rig.insert(1);
      rig.evictAll();
      awaitLatch(gated.inserting);
      assertThat(rig.version(1)).isEqualTo(-1);
      rig.erase(1);
      assertThat(rig.version(1)).isEqualTo(-1);
      gated.letGo.countDown();
      TierTestLimits.eventually(() -> rig.cache.stats().pendingOffers() == 0);
      assertThat(rig.version(1)).isEqualTo(-1);
      assertThat(gated.stats().entries()).isZero();
    } finally {
      workers.shutdown();
    }
  }

  @Test
  void aCloseThatHangsIsLeftToItself() throws Exception {
    CountDownLatch letGo = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    List<String> told = new CopyOnWriteArrayList<>();
    silent.onClose =
        () -> {
          awaitLatch(letGo);
          closed.countDown();
        };
    TieredRig rig =
        new TieredRig(
            builder -> builder.tierTimeout(LONG_LIMIT).observer(new Notes(List.of(), told)),
            silent,
            below);
    CompletableFuture<@Nullable Handle<Blocks.Block>> waiting = future(rig, 1);
    rig.insert(2);
    rig.cache.close();
    assertThat(waiting).isDone();
    assertThat(told).containsOnlyOnce("scripted " + LONG_LIMIT);
    TierState state = rig.cache.states().get(0);
    assertThat(state.mode()).isEqualTo(TierState.Mode.CLOSED);
    assertThat(state.reason()).isEqualTo("close has not returned: tierTimeout=" + LONG_LIMIT);
    TierTestLimits.eventually(() -> rig.cache.states().get(1).equals(TierState.CLOSED));
    rig.cache.close();
    assertThat(told).containsOnlyOnce("scripted " + LONG_LIMIT);
    silent.asked(0).hit(rig.blocks.make(1, 0), true);
    TierTestLimits.eventually(() -> rig.blocks.live() == 0);
    rig.blocks.assertSound();
    letGo.countDown();
    awaitLatch(closed);
    TierTestLimits.eventually(() -> rig.cache.states().get(0).equals(TierState.OPEN));
  }

  @Test
  void lookupsEndBeforeTiersAreClosed() throws Exception {
    TieredRig rig = new TieredRig(silent);
    CompletableFuture<@Nullable Handle<Blocks.Block>> waiting = future(rig, 1);
    List<Boolean> ended = new CopyOnWriteArrayList<>();
    silent.onClose = () -> ended.add(waiting.isDone());
    rig.cache.close();
    assertThat(ended).containsExactly(true);
  }

  @Test
  void anInterruptedThreadClosesAndKeepsTheInterrupt() {
    TieredRig rig = new TieredRig(silent);
    List<Boolean> seen = new CopyOnWriteArrayList<>();
    silent.onClose = () -> seen.add(Thread.currentThread().isInterrupted());
    Thread.currentThread().interrupt();
    rig.cache.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(seen).hasSize(1);
  }

  @Test
  void withoutALimitALookupWaits() throws Exception {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    ExecutorService other = Executors.newSingleThreadExecutor();
    List<Thread> closing = new CopyOnWriteArrayList<>();
    silent.onClose = () -> closing.add(Thread.currentThread());
    try (TieredRig rig = new TieredRig(builder -> builder.tierTimeout(forever), silent)) {
      CompletableFuture<Integer> waiting =
          CompletableFuture.supplyAsync(() -> rig.version(1), other);
      TierTestLimits.eventually(() -> silent.lookups() == 1);
      assertThat(waiting).isNotDone();
      silent.asked(0).hit(rig.blocks.make(1, 0), true);
      assertThat(waiting.get(TierTestLimits.SECONDS, SECONDS)).isZero();
    } finally {
      other.shutdown();
    }
    assertThat(closing).containsOnly(Thread.currentThread());
  }

  @Test
  void aLimitMustBePositive() {
    for (Duration wrong : List.of(ZERO, Duration.ofNanos(-1))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new TieredRig(builder -> builder.tierTimeout(wrong)))
          .withMessage("tierTimeout must be > 0: tierTimeout=" + wrong);
    }
  }
}
