/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The user's executor, or daemon threads of our own that go away when there is nothing to do. Those
 * are one more than there are tiers, because each tier may keep one in an insert that hangs.
 */
final class Workers implements Executor {
  private static final int MIN_THREADS = 2;
  private static final long IDLE_SECONDS = 10;
  private static final AtomicInteger SERIAL = new AtomicInteger();

  private final Executor executor;
  private final @Nullable ThreadPoolExecutor own;

  Workers(@Nullable Executor users, int tiers) {
    if (users != null) {
      own = null;
      executor = users;
    } else {
      own = pool(Math.max(MIN_THREADS, tiers + 1));
      executor = own;
    }
  }

  private static ThreadPoolExecutor pool(int threads) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "hyperclock-tiers-" + SERIAL.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  /** Lets the tasks under way end; does not wait for them. */
  void close() {
    if (own != null) {
      own.shutdown();
    }
  }
}
