/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import io.hyperclock.benchmarks.cachebench.Worker.Result;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

/**
 * One run of the workload on one cache.
 *
 * @param <H> what a reader holds
 */
final class BenchRun<H> {
  private static final int MOST_FRUITLESS = 100;
  private static final long PROGRESS_SECONDS = 10;

  private final BenchCache<H> cache;
  private final BenchOptions options;
  private final PrintWriter err;

  BenchRun(BenchCache<H> cache, BenchOptions options, PrintWriter err) {
    this.cache = cache;
    this.options = options;
    this.err = err;
  }

  /**
   * Fills the cache until inserts no longer make it fuller, or until keys are hardly ever missing.
   *
   * @return most entries seen
   * @throws IllegalStateException if an entry is gone right after its insert, where RocksDB's tool
   *     ends too: under RocksDB's rules a shard without a slot drops the newcomer when a sweep over
   *     entries all used lately frees none
   */
  long populate() {
    MersenneTwister64 random = new MersenneTwister64(options.seed);
    KeyDraw key = new KeyDraw(options.maxKey(), options.skew);
    ValueDraw values =
        new ValueDraw(options.valueBytes, options.compressibleToRatio, options.storeValues);
    long start = System.nanoTime();
    long reported = 0;
    long most = 0;
    int insertsWithoutGrowth = 0;
    int foundInARow = 0;
    while (insertsWithoutGrowth < MOST_FRUITLESS && foundInARow < MOST_FRUITLESS) {
      long number = key.next(random);
      if (touch(key)) {
        foundInARow++;
        continue;
      }
      foundInARow = 0;
      cache.insert(key.hi(), key.lo(), values.next(random), Origin.POPULATE);
      if (!touch(key) && cache.keepsNewcomers()) {
        throw new IllegalStateException(
            "a key just inserted must be found: key="
                + number
                + ", occupancy="
                + cache.occupancy());
      }
      insertsWithoutGrowth++;
      long occupancy = cache.occupancy();
      if (occupancy > most) {
        most = occupancy;
        insertsWithoutGrowth = 0;
      }
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
      if (seconds >= reported + PROGRESS_SECONDS) {
        reported = seconds;
        progress("%d s: %d entries populated", seconds, most);
      }
    }
    return most;
  }

  private boolean touch(KeyDraw key) {
    H found = cache.lookup(key.hi(), key.lo());
    if (found != null) {
      cache.release(found);
    }
    return found != null;
  }

  private void progress(String format, Object... args) {
    err.printf(Locale.ROOT, format + "%n", args);
    err.flush();
  }

  /** Runs the operations of all threads, which start together. */
  Outcome operate(long populated) throws InterruptedException, ExecutionException {
    List<Worker<H>> workers = new ArrayList<>();
    List<Future<Result>> futures = new ArrayList<>();
    CountDownLatch ready = new CountDownLatch(options.threads);
    CountDownLatch go = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(options.threads);
    try (StatsGatherer gatherer = new StatsGatherer(cache)) {
      for (int i = 0; i < options.threads; i++) {
        Worker<H> worker = new Worker<>(cache, options, i);
        workers.add(worker);
        futures.add(
            threads.submit(
                () -> {
                  ready.countDown();
                  go.await();
                  return worker.run();
                }));
      }
      ready.await();
      if (options.gatherStats) {
        gatherer.start(options.gatherStatsSleepMillis);
      }
      long start = System.nanoTime();
      go.countDown();
      List<Result> results = new ArrayList<>();
      for (Future<Result> future : futures) {
        results.add(await(future, workers, start));
      }
      long nanos = System.nanoTime() - start;
      return outcome(populated, nanos, results, gatherer.latency());
    } finally {
      threads.shutdownNow();
    }
  }

  private Result await(Future<Result> future, List<Worker<H>> workers, long start)
      throws InterruptedException, ExecutionException {
    while (true) {
      try {
        return future.get(PROGRESS_SECONDS, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        long done = workers.stream().mapToLong(Worker::done).sum();
        double seconds = (System.nanoTime() - start) / 1e9;
        progress(
            "%.0f s: %.1f%% of the operations done, %.0f a second",
            seconds, 100.0 * done / options.threads / options.operations, done / seconds);
      }
    }
  }

  private Outcome outcome(
      long populated, long nanos, List<Result> results, Histogram gatherLatency) {
    Histogram latency = new Histogram(3);
    long threadNanos = 0;
    long lookups = 0;
    long hits = 0;
    long pinned = 0;
    long checksums = 0;
    for (Result result : results) {
      latency.add(result.latency());
      threadNanos += result.nanos();
      lookups += result.lookups();
      hits += result.hits();
      pinned += result.pinned();
      checksums += result.checksums();
    }
    double operations = (double) options.threads * options.operations;
    return new Outcome(
        populated,
        nanos / 1e9,
        operations / (nanos / 1e9),
        operations / (threadNanos / 1e9),
        lookups,
        hits,
        cache.occupancy(),
        cache.slots(),
        pinned,
        checksums,
        latency,
        gatherLatency,
        cache.scan(),
        options.reportProblems ? cache.problems() : List.of(),
        cache.below());
  }
}
