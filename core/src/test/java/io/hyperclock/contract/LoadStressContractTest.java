/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.TestLimits.WAIT_SECONDS;
import static io.hyperclock.contract.LoadContractTest.assertIdle;
import static io.hyperclock.contract.LoadContractTest.widened;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoadException;
import io.hyperclock.BlockLoader;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.Handle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Many threads load and erase few keys. Each erase follows a change of what the key stands for (its
 * version), as a writer would do it: nobody who calls after the erase may get an older version.
 */
abstract class LoadStressContractTest extends CacheContract {
  private static final int KEYS = 6;
  private static final int THREADS = 6;
  private static final int STEPS = Integer.getInteger("hyperclock.test.loadSteps", 400);

  private final AtomicLongArray versions = new AtomicLongArray(2 * KEYS);
  private final AtomicLongArray erasesStarted = new AtomicLongArray(2 * KEYS);
  private final AtomicLongArray erasesEnded = new AtomicLongArray(2 * KEYS);

  /** Newest version whose erase has returned. */
  private final AtomicLongArray erased = new AtomicLongArray(2 * KEYS);

  private final AtomicReferenceArray<@Nullable Begun> loading =
      new AtomicReferenceArray<>(2 * KEYS);
  private final Map<Block, Long> versionOf = new ConcurrentHashMap<>();
  private final AtomicInteger doubleLoads = new AtomicInteger();
  private final AtomicLong results = new AtomicLong();

  LoadStressContractTest(Variant variant) {
    super(variant);
  }

  /**
   * A load that is running, and how many erases of its key had ended when it was asked for: it may
   * run beside another one if an erase came in between.
   */
  private record Begun(long erases) {}

  private Begun begun(long lo) {
    return new Begun(erasesEnded.get(key(lo)));
  }

  private static int key(long lo) {
    return (int) lo;
  }

  private Object loaded(long lo, long dice, boolean freedByHand, Begun mine) throws IOException {
    int key = key(lo);
    Begun other = loading.getAndSet(key, mine);
    if (other != null && erasesStarted.get(key) <= Math.min(mine.erases(), other.erases())) {
      doubleLoads.incrementAndGet();
    }
    try {
      long version = versions.get(key);
      if (dice % 3 == 0) {
        Thread.yield();
      }
      if (dice % 10 == 1) {
        throw new IOException("no luck");
      }
      if (dice % 10 == 2) {
        return null;
      }
      if (!freedByHand) {
        return version;
      }
      Block block = block(lo);
      versionOf.put(block, version);
      return block;
    } finally {
      loading.compareAndSet(key, mine, null);
    }
  }

  private BlockLoader<Object> values(long key, SplittableRandom dice) {
    long thrown = dice.nextInt(30);
    Begun begun = begun(key);
    return (hi, lo) -> loaded(lo, thrown, false, begun);
  }

  private BlockLoader<Object> blocks(long key, SplittableRandom dice) {
    long thrown = dice.nextInt(30);
    Begun begun = begun(key);
    return BlockLoader.of(widened(Block.TYPE), b -> 1, (hi, lo) -> loaded(lo, thrown, true, begun));
  }

  private void erase(BlockCache<Object> cache, long lo) {
    int key = key(lo);
    erasesStarted.incrementAndGet(key);
    long version = versions.incrementAndGet(key);
    cache.erase(HI, lo);
    erased.accumulateAndGet(key, version, Math::max);
    erasesEnded.incrementAndGet(key);
  }

  private void checkValue(@Nullable Object value, long notBefore) {
    if (value != null) {
      results.incrementAndGet();
      assertThat((Long) value).as("version").isGreaterThanOrEqualTo(notBefore);
    }
  }

  private void checkHandle(@Nullable Handle<Object> handle, long notBefore) {
    if (handle != null) {
      results.incrementAndGet();
      Block block = (Block) handle.value();
      assertThat(versionOf.get(block)).as("version").isGreaterThanOrEqualTo(notBefore);
      Thread.yield();
      assertThat(block.timesFreed()).isZero();
      handle.close();
    }
  }

  private void step(
      BlockCache<Object> cache,
      SplittableRandom dice,
      ExecutorService pool,
      List<CompletableFuture<?>> futures) {
    long lo = dice.nextInt(KEYS);
    long handLo = KEYS + lo;
    int what = dice.nextInt(100);
    long newest = erased.get(key(lo));
    long handNewest = erased.get(key(handLo));
    if (what < 35) {
      checkValue(cache.get(HI, lo, values(lo, dice)), newest);
    } else if (what < 70) {
      checkHandle(cache.lookup(HI, handLo, blocks(handLo, dice)), handNewest);
    } else if (what < 77) {
      futures.add(
          cache
              .getAsync(HI, lo, pool, values(lo, dice))
              .thenAccept(value -> checkValue(value, newest)));
    } else if (what < 84) {
      CompletableFuture<Handle<Object>> future =
          cache.lookupAsync(HI, handLo, pool, blocks(handLo, dice));
      futures.add(future.thenAccept(handle -> checkHandle(handle, handNewest)));
      if (dice.nextInt(3) == 0) {
        future.cancel(true);
      }
    } else if (what < 90) {
      Object[] values = new Object[2];
      long second = (lo + 1) % KEYS;
      long secondNewest = erased.get(key(second));
      long thrown = dice.nextInt(30);
      Begun firstBegun = begun(lo);
      Begun secondBegun = begun(second);
      cache.getAll(
          new long[] {HI, lo, HI, second},
          values,
          (keys, loaded) -> {
            for (int i = 0; i < loaded.length; i++) {
              long key = keys[2 * i + 1];
              loaded[i] = loaded(key, thrown, false, key == lo ? firstBegun : secondBegun);
            }
          });
      checkValue(values[0], newest);
      checkValue(values[1], secondNewest);
    } else {
      erase(cache, dice.nextBoolean() ? lo : handLo);
    }
  }

  @Test
  void loadsAreSingleFreshAndFreedOnce() throws Exception {
    BlockCache<Object> cache = track(builder(6L * variant.shards(), 1).build());
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      List<CompletableFuture<?>> all = new ArrayList<>();
      Crew.run(
          THREADS,
          thread -> {
            SplittableRandom dice = new SplittableRandom(seed + thread);
            List<CompletableFuture<?>> futures = new ArrayList<>();
            for (int i = 0; i < STEPS; i++) {
              try {
                step(cache, dice, pool, futures);
              } catch (BlockLoadException | CapacityExceededException e) {
                assertThat(e.getCause() == null || e.getCause() instanceof Exception).isTrue();
              }
            }
            synchronized (all) {
              all.addAll(futures);
            }
          });
      for (CompletableFuture<?> future : all) {
        Throwable failure = future.handle((done, e) -> e).get(WAIT_SECONDS, TimeUnit.SECONDS);
        if (failure != null && failure.getCause() instanceof AssertionError error) {
          throw error;
        }
      }
    } finally {
      pool.shutdown();
    }
    assertThat(pool.awaitTermination(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(doubleLoads).hasValue(0);
    assertThat(results.get()).isPositive();
    assertIdle(cache);
    for (long lo = 0; lo < KEYS; lo++) {
      assertThat(cache.get(HI, lo, (hi, l) -> 1L << 40)).isNotNull();
    }
  }
}
