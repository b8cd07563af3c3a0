/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Figures that may be read as often as one likes: they allocate nothing and never wait. */
final class GettersTest extends CacheContract {
  private static final long LIMIT_SECONDS = 60;

  private final CountDownLatch blocked = new CountDownLatch(1);
  private final CountDownLatch mayGoOn = new CountDownLatch(1);

  GettersTest() {
    super(new Variant(SlotStorage.HEAP, CapacityMode.NON_STRICT, 5));
  }

  private static long readAll(BlockCache<?> cache) {
    return cache.monitor().usageBytes()
        + cache.monitor().capacityBytes()
        + cache.monitor().occupancy()
        + cache.monitor().slots()
        + cache.monitor().pinnedUsageBytes();
  }

  @ParameterizedTest
  @EnumSource(SlotStorage.class)
  void gettersAllocateNothing(SlotStorage storage) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    assumeTrue(threads.isThreadAllocatedMemorySupported(), "this runtime counts no allocations");
    BlockCache<Object> cache = track(builder(500, 1).storage(storage).build());
    for (long lo = 0; lo < 100; lo++) {
      insert(cache, lo, 1);
    }
    try (Handle<Object> handle = pin(cache, 1)) {
      long sum = readAll(cache);
      long id = Thread.currentThread().getId();
      long least = Long.MAX_VALUE;
      for (int round = 0; round < 5; round++) {
        long before = threads.getThreadAllocatedBytes(id);
        for (int i = 0; i < 100; i++) {
          sum += readAll(cache);
        }
        least = Math.min(least, threads.getThreadAllocatedBytes(id) - before);
      }
      assertThat(sum).isEqualTo(501 * readAll(cache));
      assertThat(handle.isReleased()).isFalse();
      assertThat(least).as("bytes of 500 calls, from the first on").isZero();
    }
  }

  private void block() {
    blocked.countDown();
    try {
      assertThat(mayGoOn.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void readWhileBlocked(
      BlockCacheBuilder<Object> builder, Consumer<BlockCache<Object>> blocking) throws Exception {
    BlockCache<Object> cache = track(builder.build());
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      Future<?> stuck = pool.submit(() -> blocking.accept(cache));
      assertThat(blocked.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
      Future<Long> read =
          pool.submit(
              () ->
                  readAll(cache)
                      + cache.monitor().stats().inserts()
                      + cache.monitor().problems().size()
                      + cache.monitor().longestHeld(1).size());
      assertThat(read.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isPositive();
      assertThat(stuck.isDone()).isFalse();
      mayGoOn.countDown();
      stuck.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } finally {
      mayGoOn.countDown();
      pool.shutdownNow();
    }
  }

  @Test
  void gettersDoNotWaitForADisposer() throws Exception {
    EntryType<String> type =
        EntryType.<String>named("slow").disposer((hi, lo, value) -> block()).build();
    readWhileBlocked(
        roomyBuilder(10),
        cache -> {
          cache.insert(HI, 1, "value", type, 1, Priority.LOW);
          cache.erase(HI, 1);
        });
  }

  @Test
  void gettersDoNotWaitForAListener() throws Exception {
    readWhileBlocked(
        builder(5, 1)
            .evictionListener(
                (hi, lo, value, type, charge, hit) -> {
                  block();
                  return false;
                }),
        cache -> {
          for (long lo = 0; lo < 50; lo++) {
            insert(cache, lo, 1);
          }
        });
  }

  @Test
  void gettersDoNotWaitForAVisitor() throws Exception {
    readWhileBlocked(
        roomyBuilder(10),
        cache -> {
          insert(cache, 1, 1);
          cache.monitor().forEachEntry((hi, lo, value, type, charge) -> block());
        });
  }
}
