/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.accumulo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hyperclock.entry.EntryRole;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.accumulo.core.spi.cache.CacheEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HyperClockBlockCacheConcurrencyTest {
  private static final long MAX_BYTES = 1 << 20;

  private final HyperClockBlockCache cache =
      new HyperClockBlockCache(MAX_BYTES, 4096, EntryRole.DATA_BLOCK);
  private final ExecutorService executor = Executors.newCachedThreadPool();

  @AfterEach
  void stopThreads() throws InterruptedException {
    executor.shutdownNow();
    assertThat(executor.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void threadsThatMissOneBlockLoadItOnce() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    TestLoader loader = TestLoader.of(d -> blockUntil(release, new byte[] {9}));
    List<Future<CacheEntry>> entries = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      entries.add(executor.submit(() -> cache.getBlock("f+0", loader)));
    }
    await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> cache.getStats().requestCount() == 8 && loader.loads() == 1);

    release.countDown();

    CacheEntry first = entries.get(0).get();
    for (Future<CacheEntry> entry : entries) {
      assertThat(entry.get()).isSameAs(first);
    }
    assertThat(loader.loads()).isOne();
  }

  @Test
  void loadOfOneBlockHoldsUpNoOther() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    TestLoader slow = TestLoader.of(d -> blockUntil(release, new byte[] {1}));
    Future<CacheEntry> waiting = executor.submit(() -> cache.getBlock("slow", slow));
    await().atMost(60, TimeUnit.SECONDS).until(() -> slow.loads() == 1);

    for (int i = 0; i < 10_000; i++) {
      assertThat(cache.getBlock("f+" + i, TestLoader.ofBytes(new byte[1]))).isNotNull();
    }

    assertThat(waiting.isDone()).isFalse();
    release.countDown();
    assertThat(waiting.get().getBuffer()).containsExactly(1);
  }

  @Test
  void waitersLoadForThemselvesWhereTheLoadTheyWaitedForFails() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    TestLoader failing =
        TestLoader.of(
            d -> {
              blockUntil(release, new byte[0]);
              throw new IllegalStateException("closed file");
            });
    TestLoader good = TestLoader.ofBytes(new byte[] {4});
    Future<CacheEntry> failed = executor.submit(() -> cache.getBlock("f+0", failing));
    await().atMost(60, TimeUnit.SECONDS).until(() -> failing.loads() == 1);
    Future<CacheEntry> waiter = executor.submit(() -> cache.getBlock("f+0", good));
    await().atMost(60, TimeUnit.SECONDS).until(() -> cache.getStats().requestCount() == 2);

    release.countDown();

    assertThat(waiter.get().getBuffer()).containsExactly(4);
    assertThatThrownBy(failed::get)
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("closed file");
  }

  @Test
  void everyThreadReadsTheRightBytesWhileBlocksComeAndGo() throws Exception {
    long seed = System.nanoTime();
    List<Future<Long>> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      long threadSeed = seed + i;
      threads.add(executor.submit(() -> readAtRandom(threadSeed)));
    }
    long wrong = 0;
    for (Future<Long> thread : threads) {
      wrong += thread.get();
    }

    assertThat(wrong).as("wrong blocks, seed=%d", seed).isZero();
    assertThat(cache.usageBytes()).as("usage, seed=%d", seed).isLessThanOrEqualTo(MAX_BYTES);
    assertThat(cache.getStats().requestCount()).isEqualTo(4 * 50_000);
  }

  private long readAtRandom(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long wrong = 0;
    for (int i = 0; i < 50_000; i++) {
      int number = random.nextInt(random.nextInt(1, 2_000));
      CacheEntry entry =
          cache.getBlock("file-with-a-long-name+" + number, TestLoader.ofBytes(block(number)));
      if (ByteBuffer.wrap(entry.getBuffer()).getInt() != number) {
        wrong++;
      }
      if (number % 3 == 0) {
        Index index = entry.getIndex(Index::new);
        index.uses++;
        entry.indexWeightChanged();
      }
    }
    return wrong;
  }

  private static byte[] block(int number) {
    return ByteBuffer.allocate(4 + number % 4_096).putInt(number).array();
  }

  private static byte[] blockUntil(CountDownLatch latch, byte[] bytes) {
    try {
      latch.await();
      return bytes;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Index implements CacheEntry.Weighable {
    private volatile int uses;

    @Override
    public int weight() {
      return Math.min(uses, 500);
    }
  }
}
