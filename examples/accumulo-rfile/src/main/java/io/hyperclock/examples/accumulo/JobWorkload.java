/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.HdrHistogram.Histogram;
import org.apache.accumulo.core.spi.cache.BlockCache;
import org.apache.accumulo.core.spi.cache.CacheEntry;
import org.jspecify.annotations.Nullable;

/**
 * The work of one run: every thread analyses on its own reader, all on the same caches.
 *
 * @param table the classes
 * @param threads number of threads
 * @param warmUpLookups lookups of all threads together before the clock starts
 * @param lookups lookups of all threads together while it runs
 * @param seed decides which classes are looked up
 */
record JobWorkload(ClassTable table, int threads, int warmUpLookups, int lookups, long seed) {
  private static final long SLOWEST_NANOS = 100_000_000_000L;

  private record Part(Findings findings, Histogram nanos) {}

  private record Moment(long nanos, long cpuNanos, long hits, long requests) {
    static Moment now(@Nullable BlockCache cache) {
      BlockCache.Stats stats = cache == null ? null : cache.getStats();
      return new Moment(
          System.nanoTime(),
          ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElse(0L),
          stats == null ? 0 : stats.hitCount(),
          stats == null ? 0 : stats.requestCount());
    }
  }

  /**
   * Does the work.
   *
   * @param caches where blocks are kept
   * @param budgetBytes what to report as the size of the data cache
   * @return what was measured
   * @throws IOException if reading fails
   */
  Measurement run(Caches caches, long budgetBytes) throws IOException {
    List<Moment> moments = new ArrayList<>();
    CyclicBarrier barrier =
        new CyclicBarrier(threads, () -> moments.add(Moment.now(caches.data())));
    Histogram nanos = new Histogram(SLOWEST_NANOS, 3);
    Findings findings = Findings.NONE;
    for (Part part : runAll(caches, barrier)) {
      findings = findings.plus(part.findings);
      nanos.add(part.nanos);
    }
    Moment start = moments.get(0);
    Moment end = moments.get(1);
    long[] resident = resident(caches.data());
    return new Measurement(
        budgetBytes,
        findings.lookups() * 1e9 / (end.nanos - start.nanos),
        (end.cpuNanos - start.cpuNanos) / findings.lookups(),
        end.hits - start.hits,
        end.requests - start.requests,
        resident[0],
        resident[1],
        nanos.getValueAtPercentile(50),
        nanos.getValueAtPercentile(99),
        findings);
  }

  private List<Part> runAll(Caches caches, CyclicBarrier barrier) throws IOException {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    CompletionService<Part> finished = new ExecutorCompletionService<>(executor);
    try {
      for (int thread = 0; thread < threads; thread++) {
        int number = thread;
        finished.submit(() -> runOne(number, caches, barrier));
      }
      List<Part> parts = new ArrayList<>();
      while (parts.size() < threads) {
        parts.add(finished.take().get());
      }
      return parts;
    } catch (ExecutionException e) {
      throw new IOException("the analysis failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      executor.shutdownNow();
    }
  }

  private Part runOne(int number, Caches caches, CyclicBarrier barrier)
      throws IOException, InterruptedException, BrokenBarrierException {
    try (ClassReader reader = new ClassReader(table.file(), caches.provider())) {
      Analyser analyser = new Analyser(table.classes(), reader, seed + number);
      analyser.run(share(warmUpLookups, number), new Histogram(SLOWEST_NANOS, 3));
      Histogram nanos = new Histogram(SLOWEST_NANOS, 3);
      barrier.await();
      Findings findings = analyser.run(share(lookups, number), nanos);
      barrier.await();
      return new Part(findings, nanos);
    }
  }

  private int share(int total, int number) {
    return total / threads + (number < total % threads ? 1 : 0);
  }

  private long[] resident(@Nullable BlockCache cache) {
    long bytes = 0;
    long blocks = 0;
    if (cache != null) {
      for (String name : table.blocks()) {
        CacheEntry entry = cache.getBlock(name);
        if (entry != null) {
          bytes += entry.getBuffer().length;
          blocks++;
        }
      }
    }
    return new long[] {bytes, blocks};
  }
}
