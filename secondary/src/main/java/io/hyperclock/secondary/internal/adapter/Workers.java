/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.secondary.internal.pool.Threads;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * The user's executor, or daemon threads of our own that go away when there is nothing to do. Those
 * are one more than there are tiers, because each tier may keep one in an insert that hangs.
 */
final class Workers implements Executor {
  private static final int MIN_THREADS = 2;
  private static final ThreadFactory FACTORY = Threads.daemons("hyperclock-tiers");

  private final Executor executor;
  private final @Nullable ThreadPoolExecutor own;

  Workers(@Nullable Executor users, int tiers) {
    if (users != null) {
      own = null;
      executor = users;
    } else {
      own = Threads.pool(Math.max(MIN_THREADS, tiers + 1), FACTORY);
      executor = own;
    }
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
