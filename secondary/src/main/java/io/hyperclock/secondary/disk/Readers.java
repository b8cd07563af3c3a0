/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.util.concurrent.ThreadPoolExecutor;

/**
 * The threads that read, and how many reads are worth one: as the device is fast or slow, as far as
 * its last reads tell.
 */
final class Readers {
  /** A read below this is from memory: it takes no longer than to let another thread do it. */
  private static final long FAST_NANOS = 40_000;

  /** Above this, as many threads read as there may be; between the two, as many as did so far. */
  private static final long SLOW_NANOS = 2 * FAST_NANOS;

  /** Threads that read from memory. */
  private static final int FAST_THREADS = 2;

  /** Reads that are worth another thread take so long together. */
  private static final long NANOS_PER_THREAD = 100_000;

  private final ThreadPoolExecutor pool;
  private final CallWatch reads;
  private final int most;

  /**
   * @param pool of any size
   * @param most how many threads there may be
   */
  Readers(ThreadPoolExecutor pool, CallWatch reads, int most) {
    this.pool = pool;
    this.reads = reads;
    this.most = most;
    resize(Math.min(FAST_THREADS, most));
  }

  /** Whether reads are from memory. */
  boolean areFast() {
    return reads.typicalNanos() < FAST_NANOS;
  }

  /** Into how many tasks to divide so many reads. */
  int partsOf(int count) {
    long nanos = reads.typicalNanos();
    long worth = nanos < FAST_NANOS ? 1 : count * nanos / NANOS_PER_THREAD;
    return (int) Math.max(1, Math.min(worth, Math.min(most, count)));
  }

  /** To be called before reads are handed over: threads beyond a few are for a slow device only. */
  void adapt() {
    long nanos = reads.typicalNanos();
    if (nanos > SLOW_NANOS) {
      resize(most);
    } else if (nanos < FAST_NANOS) {
      resize(Math.min(FAST_THREADS, most));
    }
  }

  private void resize(int threads) {
    if (pool.getCorePoolSize() == threads) {
      return;
    }
    synchronized (pool) {
      if (threads > pool.getMaximumPoolSize()) {
        pool.setMaximumPoolSize(threads);
        pool.setCorePoolSize(threads);
      } else {
        pool.setCorePoolSize(threads);
        pool.setMaximumPoolSize(threads);
      }
    }
  }

  void execute(Runnable task) {
    pool.execute(task);
  }

  /** What is queued is not done; what is under way ends by itself. */
  void close() {
    pool.shutdown();
    pool.getQueue().clear();
  }
}
