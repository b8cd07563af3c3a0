/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class StatsCollectorTest {
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 50);
  private final AtomicInteger scans = new AtomicInteger();
  private volatile long scanNanos;

  /** A snapshot that says by its capacity which scan it is of. */
  private CacheStats scan() {
    clock.addAndGet(scanNanos);
    return numbered(scans.incrementAndGet());
  }

  private static CacheStats numbered(long number) {
    return new CacheStats(Map.of(CacheStat.CAPACITY_BYTES, number), SlotAccess.ARRAY, Map.of());
  }

  private StatsCollector<CacheStats> collector(long intervalNanos, int factor) {
    return new StatsCollector<>(this::scan, Duration.ofNanos(intervalNanos), factor, clock::get);
  }

  @Test
  void scansAgainOnlyAfterTheInterval() {
    StatsCollector<CacheStats> collector = collector(100, 0);
    assertThat(scans).as("the first is taken at once").hasValue(1);
    assertThat(collector.get()).isSameAs(collector.get()).isSameAs(collector.last());
    clock.addAndGet(99);
    assertThat(collector.get().capacityBytes()).isEqualTo(1);
    assertThat(collector.age()).isEqualTo(Duration.ofNanos(99));
    clock.addAndGet(1);
    assertThat(collector.last().capacityBytes()).isEqualTo(1);
    assertThat(collector.get().capacityBytes()).isEqualTo(2);
    assertThat(collector.age()).isZero();
    assertThat(collector.get().capacityBytes()).isEqualTo(2);
  }

  @Test
  void intervalGrowsWithTheTimeOfTheScan() {
    scanNanos = 30;
    StatsCollector<CacheStats> collector = collector(100, 10);
    clock.addAndGet(299);
    assertThat(collector.get().capacityBytes()).isEqualTo(1);
    clock.addAndGet(1);
    scanNanos = 2;
    assertThat(collector.get().capacityBytes()).isEqualTo(2);
    clock.addAndGet(99);
    assertThat(collector.get().capacityBytes()).isEqualTo(2);
    clock.addAndGet(1);
    assertThat(collector.get().capacityBytes()).isEqualTo(3);
  }

  @Test
  void hugeMultiplesMeanNeverAgain() {
    scanNanos = Long.MAX_VALUE / 2;
    StatsCollector<CacheStats> collector = collector(0, Integer.MAX_VALUE);
    clock.addAndGet(Long.MAX_VALUE / 4);
    assertThat(collector.get().capacityBytes()).isEqualTo(1);
  }

  @Test
  void hugeIntervalsMeanNeverAgain() {
    StatsCollector<CacheStats> collector =
        new StatsCollector<>(this::scan, Duration.ofSeconds(Long.MAX_VALUE), 0, clock::get);
    clock.addAndGet(Long.MAX_VALUE - 1);
    assertThat(collector.get().capacityBytes()).isEqualTo(1);
  }

  @Test
  void withoutIntervalEachCallScans() {
    StatsCollector<CacheStats> collector = collector(0, 0);
    assertThat(collector.get().capacityBytes()).isEqualTo(2);
    assertThat(collector.get().capacityBytes()).isEqualTo(3);
  }

  @Test
  void callersDoNotWaitForAScan() throws Exception {
    CountDownLatch scanning = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    StatsCollector<CacheStats> collector =
        new StatsCollector<>(
            () -> {
              CacheStats stats = scan();
              if (stats.capacityBytes() > 1) {
                scanning.countDown();
                await(mayEnd);
              }
              return stats;
            },
            Duration.ofNanos(10),
            0,
            clock::get);
    clock.addAndGet(10);
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      Future<CacheStats> slow = pool.submit(collector::get);
      await(scanning);
      for (int i = 0; i < 100; i++) {
        clock.addAndGet(1000);
        assertThat(collector.get().capacityBytes()).isEqualTo(1);
      }
      assertThat(scans).hasValue(2);
      mayEnd.countDown();
      assertThat(slow.get(60, TimeUnit.SECONDS).capacityBytes()).isEqualTo(2);
      assertThat(collector.get().capacityBytes()).isEqualTo(2);
    } finally {
      pool.shutdownNow();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void concurrentCallersShareAScan() throws Exception {
    int threads = 4;
    int rounds = 500;
    StatsCollector<CacheStats> collector = collector(10, 0);
    CyclicBarrier barrier = new CyclicBarrier(threads, () -> clock.addAndGet(10));
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      AtomicInteger calls = new AtomicInteger();
      Future<?>[] all = new Future<?>[threads];
      for (int t = 0; t < threads; t++) {
        all[t] =
            pool.submit(
                () -> {
                  for (int round = 0; round < rounds; round++) {
                    barrier.await(60, TimeUnit.SECONDS);
                    long got = collector.get().capacityBytes();
                    assertThat(got).isBetween(round + 1L, round + 2L);
                    calls.incrementAndGet();
                  }
                  return null;
                });
      }
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
      assertThat(calls).hasValue(threads * rounds);
      assertThat(scans).as("one scan a beat of the clock").hasValue(rounds + 1);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void failedScanLeavesTheLastSnapshotAndTheSourceAlone() {
    StatsCollector<CacheStats> collector =
        new StatsCollector<>(
            () -> {
              CacheStats stats = scan();
              if (stats.capacityBytes() == 2) {
                throw new IllegalStateException("closed");
              }
              return stats;
            },
            Duration.ofNanos(10),
            0,
            clock::get);
    clock.addAndGet(10);
    assertThatThrownBy(collector::get).isInstanceOf(IllegalStateException.class);
    assertThat(collector.get().capacityBytes()).isEqualTo(1);
    assertThat(scans).hasValue(2);
    clock.addAndGet(9);
    assertThat(collector.age()).as("of the snapshot that is there").isEqualTo(Duration.ofNanos(19));
    clock.addAndGet(1);
    assertThat(collector.get().capacityBytes()).isEqualTo(3);
    assertThat(collector.age()).isZero();
  }

  @Test
  void refusesImpossibleSettings() {
    assertThatThrownBy(() -> collector(-1, 0))
        .hasMessage("interval must be >= 0: interval=PT-0.000000001S");
    assertThatThrownBy(() -> collector(0, -1)).hasMessage("factor must be >= 0: factor=-1");
    assertThatThrownBy(() -> new StatsCollector<>(() -> 1, null, 0, () -> 0))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("interval must not be null");
  }
}
