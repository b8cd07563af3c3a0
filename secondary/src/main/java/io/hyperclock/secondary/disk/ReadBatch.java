/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lookups that began together. While a thread waits for them, it is given what has been read, and
 * decodes it: that thread has to wake up anyway, and others need not. It is given no more than it
 * keeps up with.
 *
 * <p>Nothing is left behind: a reader that adds work looks afterwards whether the helper is still
 * there, and takes the work back if it has left; a helper that leaves, for whatever reason, does
 * what is there afterwards.
 */
final class ReadBatch {
  /** So much may wait for the helper; the rest is decoded by the tier's own threads. */
  private static final int MOST_WAITING = 4;

  private final Queue<Runnable> ready;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicReference<@Nullable Thread> helper = new AtomicReference<>();

  ReadBatch() {
    this(new ConcurrentLinkedQueue<>());
  }

  /** With an empty queue for any number of threads. */
  ReadBatch(Queue<Runnable> ready) {
    this.ready = ready;
  }

  /** Gives work to the helper; false if there is none, or it has enough. */
  boolean offer(Runnable work) {
    if (helper.get() == null || waiting.get() >= MOST_WAITING) {
      return false;
    }
    ready.add(work);
    waiting.incrementAndGet();
    Thread present = helper.get();
    if (present == null) {
      boolean isBack = ready.remove(work);
      if (isBack) {
        waiting.decrementAndGet();
      }
      return !isBack;
    }
    LockSupport.unpark(present);
    return true;
  }

  /** Lets the helper look whether there is a reason to wait any longer. */
  void wake() {
    Thread present = helper.get();
    if (present != null && present != Thread.currentThread()) {
      LockSupport.unpark(present);
    }
  }

  /**
   * Does what is ready until a lookup has ended or the time is over, unless another thread does.
   *
   * @param afterEach called after each piece of work
   */
  void help(DiskLookup<?> lookup, long nanos, Runnable afterEach) {
    if (!helper.compareAndSet(null, Thread.currentThread())) {
      return;
    }
    boolean interrupted = false;
    long begin = System.nanoTime();
    try {
      while (!lookup.hasEnded()) {
        if (work(afterEach)) {
          continue;
        }
        long left = nanos - (System.nanoTime() - begin);
        if (left <= 0) {
          return;
        }
        LockSupport.parkNanos(this, left);
        interrupted |= Thread.interrupted();
      }
    } finally {
      helper.set(null);
      try {
        workOff(afterEach);
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  /** Does all that is left, even if some of it throws: no other thread looks for it. */
  private void workOff(Runnable afterEach) {
    try {
      while (work(afterEach)) {
        continue;
      }
    } catch (Throwable first) {
      while (isLeft(afterEach)) {
        continue;
      }
      throw first;
    }
  }

  private boolean isLeft(Runnable afterEach) {
    try {
      return work(afterEach);
    } catch (Throwable oneMore) {
      return true;
    }
  }

  private boolean work(Runnable afterEach) {
    Runnable next = ready.poll();
    if (next == null) {
      return false;
    }
    waiting.decrementAndGet();
    next.run();
    afterEach.run();
    return true;
  }
}
