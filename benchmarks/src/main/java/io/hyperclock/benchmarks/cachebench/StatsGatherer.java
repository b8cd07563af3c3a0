/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Visits all entries of a cache again and again, as a collector of statistics would. */
final class StatsGatherer implements AutoCloseable {
  private final BenchCache<?> cache;
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final Histogram latency = new Histogram(3);

  StatsGatherer(BenchCache<?> cache) {
    this.cache = cache;
  }

  /** Starts, with a pause before each visit. */
  void start(int pauseMillis) {
    thread.scheduleWithFixedDelay(this::visit, pauseMillis, pauseMillis, TimeUnit.MILLISECONDS);
  }

  private void visit() {
    long start = System.nanoTime();
    cache.scan();
    latency.recordValue((System.nanoTime() - start) / 1000);
  }

  /** Ends the visits; returns the microseconds each took. */
  Histogram latency() throws InterruptedException {
    thread.shutdownNow();
    thread.awaitTermination(1, TimeUnit.HOURS);
    return latency;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
