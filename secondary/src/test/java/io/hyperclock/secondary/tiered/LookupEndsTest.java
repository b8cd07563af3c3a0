/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static java.time.Duration.ZERO;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hyperclock.Handle;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How lookups end: by an answer, a deadline, their owner, the cache or the collector. */
@Timeout(TierTestLimits.TEST_SECONDS)
class LookupEndsTest {
  private final ScriptedTier tier = new ScriptedTier();

  private static AsyncLookup<Blocks.Block> start(TieredRig rig, long key) {
    return rig.cache.startLookup(TieredRig.HI, key, rig.blocks.data);
  }

  private static <T> FutureTask<T> onAThread(Callable<T> call) {
    FutureTask<T> task = new FutureTask<>(call);
    Thread thread = new Thread(task, "waiter");
    thread.setDaemon(true);
    thread.start();
    await()
        .pollDelay(ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(() -> task.isDone() || isWaiting(thread));
    return task;
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  @Test
  void closingALookupEndsTheWaitOfAnotherThread() throws Exception {
    try (TieredRig rig = new TieredRig(tier)) {
      AsyncLookup<Blocks.Block> lookup = start(rig, 1);
      FutureTask<@Nullable Handle<Blocks.Block>> waiting = onAThread(lookup::await);
      lookup.close();
      assertThat(waiting.get(TierTestLimits.SECONDS, SECONDS)).isNull();
      tier.asked(0).hit(rig.blocks.make(1, 0), true);
      assertThat(lookup.await()).isNull();
    }
  }

  @Test
  void cancellingAFutureEndsTheWaitOfAnotherThread() throws Exception {
    try (TieredRig rig = new TieredRig(tier)) {
      AsyncLookup<Blocks.Block> lookup = start(rig, 1);
      FutureTask<@Nullable Handle<Blocks.Block>> waiting = onAThread(lookup::await);
      lookup.toFuture().cancel(true);
      assertThat(waiting.get(TierTestLimits.SECONDS, SECONDS)).isNull();
      tier.asked(0).hit(rig.blocks.make(1, 0), true);
    }
  }

  @Test
  void closingTheCacheEndsWaitsOnATierThatNeverAnswers() throws Exception {
    TieredRig rig = new TieredRig(tier);
    AsyncLookup<Blocks.Block> pending = start(rig, 1);
    CompletableFuture<@Nullable Handle<Blocks.Block>> future = start(rig, 2).toFuture();
    FutureTask<@Nullable Handle<Blocks.Block>> plain = onAThread(() -> rig.lookup(3));
    FutureTask<@Nullable Handle<Blocks.Block>> waiting = onAThread(pending::await);
    rig.cache.close();
    assertThat(plain.get(TierTestLimits.SECONDS, SECONDS)).isNull();
    assertThat(waiting.get(TierTestLimits.SECONDS, SECONDS)).isNull();
    assertThat(future.get(TierTestLimits.SECONDS, SECONDS)).isNull();
    for (int i = 0; i < 3; i++) {
      tier.asked(i).hit(rig.blocks.make(1, 0), i == 1);
    }
    assertThat(rig.blocks.live()).isZero();
    rig.blocks.assertSound();
  }

  @Test
  void closingTheCacheEndsLookupsThatNobodyCanJoin() throws Exception {
    TieredRig rig = new TieredRig(tier);
    AsyncLookup<Blocks.Block> led = start(rig, 1);
    AsyncLookup<Blocks.Block> alone =
        rig.cache.startLookup(TieredRig.HI, 1, rig.blocks.data, new Object());
    AsyncLookup<Blocks.Block> outdated = start(rig, 2);
    rig.erase(2);
    FutureTask<@Nullable Handle<Blocks.Block>> waiting = onAThread(outdated::await);
    rig.cache.close();
    assertThat(led.isDone()).isTrue();
    assertThat(alone.isDone()).isTrue();
    assertThat(outdated.isDone()).isTrue();
    assertThat(waiting.get(TierTestLimits.SECONDS, SECONDS)).isNull();
  }

  @Test
  void aFutureOutlivesItsLookup() {
    try (TieredRig rig = new TieredRig(tier)) {
      AtomicReference<@Nullable AsyncLookup<Blocks.Block>> held =
          new AtomicReference<>(start(rig, 1));
      CompletableFuture<@Nullable Handle<Blocks.Block>> future = held.get().toFuture();
      collect(held);
      AtomicReference<@Nullable AsyncLookup<Blocks.Block>> later =
          new AtomicReference<>(start(rig, 2));
      tier.asked(1).hit(rig.blocks.make(2, 0), true);
      collect(later);
      await()
          .pollDelay(ZERO)
          .atMost(TierTestLimits.SECONDS, SECONDS)
          .until(() -> rig.blocks.live() == 0);
      assertThat(future).isNotDone();
      tier.asked(0).hit(rig.blocks.make(1, 0), true);
      assertThat(TieredRig.check(1, future.join())).isZero();
    }
  }

  private static void collect(AtomicReference<?> held) {
    WeakReference<?> reference = new WeakReference<>(held.getAndSet(null));
    await()
        .pollDelay(ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(
            () -> {
              System.gc();
              return reference.get() == null;
            });
  }

  @Test
  void anInterruptedWaiterGetsItsHandleAndKeepsTheInterrupt() throws Exception {
    try (TieredRig rig = new TieredRig(tier)) {
      AsyncLookup<Blocks.Block> first = start(rig, 1);
      AsyncLookup<Blocks.Block> second = start(rig, 2);
      AtomicReference<Thread> thread = new AtomicReference<>();
      FutureTask<Boolean> waiting =
          onAThread(
              () -> {
                thread.set(Thread.currentThread());
                Thread.currentThread().interrupt();
                rig.cache.waitAll(List.of(first, second));
                return Thread.interrupted();
              });
      thread.get().interrupt();
      tier.asked(1).hit(rig.blocks.make(2, 0), true);
      tier.asked(0).hit(rig.blocks.make(1, 0), true);
      assertThat(waiting.get(TierTestLimits.SECONDS, SECONDS)).isTrue();
      assertThat(TieredRig.check(1, first.await())).isZero();
      assertThat(TieredRig.check(2, second.await())).isZero();
    }
  }

  @Test
  void deadlinesOfAnyLengthAreFine() {
    try (TieredRig rig = new TieredRig(tier)) {
      AsyncLookup<Blocks.Block> late = start(rig, 1);
      assertThat(late.await(Duration.ofSeconds(Long.MIN_VALUE))).isNull();
      tier.asked(0).hit(rig.blocks.make(1, 0), true);
      AsyncLookup<Blocks.Block> found = start(rig, 2);
      tier.asked(1).hit(rig.blocks.make(2, 0), true);
      rig.cache.waitAll(List.of(late, found, found), Duration.ofSeconds(Long.MAX_VALUE));
      assertThat(late.await()).isNull();
      assertThat(TieredRig.check(2, found.await(ZERO))).isZero();
    }
  }

  @Test
  void aLateAnswerIsNoOlderThanAnErase() {
    tier.erasesOnAdvice = false;
    try (TieredRig rig = new TieredRig(tier)) {
      AsyncLookup<Blocks.Block> late = start(rig, 1);
      assertThat(late.await(ZERO)).isNull();
      rig.erase(1);
      tier.asked(0).hit(rig.blocks.make(1, 0), true);
      assertThat(rig.isInPrimary(1)).isFalse();
      assertThat(rig.blocks.live()).isZero();
      AsyncLookup<Blocks.Block> second = start(rig, 1);
      assertThat(second.await(ZERO)).isNull();
      tier.asked(1).hit(rig.blocks.make(1, 1), true);
      assertThat(rig.isInPrimary(1)).isTrue();
    }
  }

  @Test
  void everyLookupOfABatchWithDuplicatesOwnsAHandle() {
    try (TieredRig rig = new TieredRig(tier)) {
      long[] keys = {TieredRig.HI, 1, TieredRig.HI, 2, TieredRig.HI, 1, TieredRig.HI, 1};
      List<AsyncLookup<Blocks.Block>> lookups = rig.cache.startLookups(keys, rig.blocks.data, null);
      Arrays.fill(keys, 0);
      AsyncLookup<Blocks.Block> other = rig.cache.startLookup(TieredRig.HI, 1, rig.blocks.index);
      assertThat(tier.lookups()).isEqualTo(3);
      lookups.get(2).close();
      tier.asked(0).hit(rig.blocks.make(1, 0), true);
      tier.asked(1).miss();
      tier.asked(2).hit(rig.blocks.make(1, 0), true);
      rig.cache.waitAll(lookups);
      assertThat(lookups.get(2).await()).isNull();
      Handle<Blocks.Block> first = lookups.get(0).await();
      Handle<Blocks.Block> fourth = lookups.get(3).await();
      assertThat(first).isNotNull().isNotSameAs(fourth);
      first.discard();
      assertThat(TieredRig.check(1, fourth)).isZero();
      assertThat(first.isReleased()).isTrue();
      assertThat(lookups.get(0).await()).isSameAs(first);
      assertThat(TieredRig.check(1, other.await())).isZero();
      assertThat(rig.total().lookups()).isEqualTo(5);
      assertThat(rig.total().hits()).isEqualTo(3);
    }
  }

  @Test
  void lookupsOfOtherMakesAreRefusedBeforeAnyWait() {
    try (TieredRig rig = new TieredRig(tier)) {
      AsyncLookup<Blocks.Block> pending = start(rig, 1);
      List<AsyncLookup<?>> lookups = new ArrayList<>(List.of(pending, new Foreign()));
      assertThatThrownBy(() -> rig.cache.waitAll(lookups))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("lookups must be");
      assertThatThrownBy(() -> rig.cache.waitAll(lookups, ZERO))
          .isInstanceOf(IllegalArgumentException.class);
      lookups.set(1, null);
      assertThatThrownBy(() -> rig.cache.waitAll(lookups)).isInstanceOf(NullPointerException.class);
      assertThat(pending.isDone()).isFalse();
      pending.close();
      tier.asked(0).miss();
    }
  }

  @Test
  void lookupsOfAnotherCacheAndOfAClosedOneAreFine() {
    try (TieredRig rig = new TieredRig(tier)) {
      TieredRig other = new TieredRig(new MapSecondaryCache(1 << 20));
      other.insert(1);
      other.evictAll();
      AsyncLookup<Blocks.Block> found = start(other, 1);
      AsyncLookup<Blocks.Block> mine = start(rig, 2);
      tier.asked(0).miss();
      other.cache.close();
      rig.cache.waitAll(List.of(found, mine));
      assertThat(TieredRig.check(1, found.await())).isZero();
      assertThat(other.blocks.live()).isZero();
    }
  }

  /** Somebody else's. */
  private static final class Foreign implements AsyncLookup<Blocks.Block> {
    @Override
    public boolean isDone() {
      return true;
    }

    @Override
    public @Nullable Handle<Blocks.Block> await() {
      return null;
    }

    @Override
    public @Nullable Handle<Blocks.Block> await(Duration timeout) {
      return null;
    }

    @Override
    public CompletableFuture<@Nullable Handle<Blocks.Block>> toFuture() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
  }
}
