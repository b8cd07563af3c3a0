/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A thread that reads or decodes for one tier, and goes away when there is nothing to do. */
final class PoolThread extends Thread {
  private static final long IDLE_SECONDS = 10;

  private final Object owner;

  private PoolThread(Object owner, Runnable task, String name) {
    super(task, name);
    this.owner = owner;
  }

  /** Whether the calling thread is one of an owner. */
  static boolean isOf(Object owner) {
    return Thread.currentThread() instanceof PoolThread own && own.owner == owner;
  }

  static ThreadPoolExecutor pool(Object owner, int threads, String prefix) {
    AtomicInteger serial = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new PoolThread(owner, task, prefix + serial.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }
}
