/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static io.hyperclock.secondary.tiered.TieredRig.HI;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.Handle;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that come just as the limit ends: every value has one owner, every lookup an end. */
@Timeout(120)
class TimeoutRaceTest {
  private static final Duration LIMIT = Duration.ofMillis(2);
  private static final int THREADS = 3;
  private static final int LOOKUPS = 400;
  private static final int KEYS = 30;

  @Test
  void everyLookupEndsAndEveryValueIsFreedOnce() throws Exception {
    long seed = System.nanoTime();
    System.out.println("TimeoutRaceTest: seed=" + seed);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    ExecutorService workers = Executors.newFixedThreadPool(2);
    PunctualTier first = new PunctualTier(seed);
    PunctualTier second = new PunctualTier(seed + 1);
    try (TieredRig rig =
        new TieredRig(builder -> builder.tierTimeout(LIMIT).executor(workers), first, second)) {
      first.blocks = rig.blocks;
      second.blocks = rig.blocks;
      List<Future<?>> running = new ArrayList<>();
      for (int self = 0; self < THREADS; self++) {
        SplittableRandom random = new SplittableRandom(seed + 10 + self);
        running.add(threads.submit(() -> lookUp(rig, random)));
      }
      for (Future<?> each : running) {
        each.get(100, SECONDS);
      }
      while (first.pending.get() + second.pending.get() > 0) {
        Thread.onSpinWait();
      }
      assertThat(rig.total().lookups()).isPositive();
    } finally {
      threads.shutdown();
      workers.shutdown();
    }
  }

  private static void lookUp(TieredRig rig, SplittableRandom random) {
    List<AsyncLookup<Blocks.Block>> batch = new ArrayList<>();
    List<CompletableFuture<Integer>> futures = new ArrayList<>();
    for (int i = 0; i < LOOKUPS; i++) {
      long key = random.nextInt(KEYS);
      switch (random.nextInt(6)) {
        case 0 -> TieredRig.check(key, rig.lookup(key));
        case 1 -> batch.add(rig.cache.startLookup(HI, key, rig.blocks.data));
        case 2 -> {
          CompletableFuture<@Nullable Handle<Blocks.Block>> future =
              rig.cache.startLookup(HI, key, rig.blocks.data).toFuture();
          futures.add(future.thenApply(handle -> TieredRig.check(key, handle)));
        }
        case 3 -> rig.cache.startLookup(HI, key, rig.blocks.data).close();
        case 4 -> rig.erase(key);
        default ->
            TieredRig.check(
                key,
                rig.cache.lookup(
                    HI, key, rig.blocks.data, null, (hi, lo) -> rig.blocks.make(lo, 1)));
      }
      if (batch.size() == 8) {
        rig.cache.waitAll(batch);
        batch.forEach(AsyncLookup::close);
        batch.clear();
      }
    }
    rig.cache.waitAll(batch);
    batch.forEach(AsyncLookup::close);
    futures.forEach(
        future -> assertThat(future.orTimeout(TierTestLimits.SECONDS, SECONDS).join()).isNotNull());
  }

  /** A tier that has every key, and answers at about the limit. */
  private static final class PunctualTier implements SecondaryCache {
    final AtomicLong pending = new AtomicLong();
    private final AtomicLong asked = new AtomicLong();
    private final long seed;
    volatile @Nullable Blocks blocks;

    PunctualTier(long seed) {
      this.seed = seed;
    }

    @Override
    public String name() {
      return "punctual";
    }

    @Override
    public <T> boolean insert(
        long keyHi, long keyLo, T value, io.hyperclock.entry.EntryType<T> type, boolean force) {
      return false;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
      SplittableRandom random = new SplittableRandom(seed + asked.getAndIncrement());
      CompletableFuture<TierResult<V>> answer = new CompletableFuture<>();
      long nanos = LIMIT.toNanos() * random.nextInt(50, 120) / 100;
      boolean hit = random.nextInt(3) > 0;
      pending.incrementAndGet();
      CompletableFuture.delayedExecutor(nanos, NANOSECONDS, Runnable::run)
          .execute(
              () -> {
                Object value = hit ? blocks.make(request.keyLo(), 0) : null;
                TierResult<V> result =
                    value == null
                        ? TierResult.miss(TierOutcome.ABSENT)
                        : TierResult.hit((V) value, Blocks.CHARGE, random.nextBoolean());
                answer.complete(result);
                pending.decrementAndGet();
              });
      return answer;
    }

    @Override
    public void erase(long keyHi, long keyLo) {}

    @Override
    public boolean erasesOnAdvice() {
      return true;
    }

    @Override
    public void setCapacity(long capacityBytes) {}

    @Override
    public TierState state() {
      return TierState.OPEN;
    }

    @Override
    public TierStats stats() {
      return new TierStats(0, 0, 0, 0, 0, 0, Map.of(), Map.of());
    }

    @Override
    public void close() {}
  }
}
