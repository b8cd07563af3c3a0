/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.secondary.internal.pool.Threads;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;

/** A thread that reads or decodes for one tier, and goes away when there is nothing to do. */
final class PoolThread extends Thread {
  private final Object owner;

  private PoolThread(Object owner, Runnable task, String name) {
    super(task, name);
    this.owner = owner;
    setDaemon(true);
  }

  /** Whether the calling thread is one of an owner. */
  static boolean isOf(Object owner) {
    return Thread.currentThread() instanceof PoolThread own && own.owner == owner;
  }

  static ThreadPoolExecutor pool(Object owner, int threads, String prefix) {
    AtomicInteger serial = new AtomicInteger();
    return Threads.pool(
        threads, task -> new PoolThread(owner, task, prefix + serial.incrementAndGet()));
  }
}
