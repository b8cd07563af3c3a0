/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls a check again and again while there is something to check, once in each stall limit, but at
 * least every ten seconds. Has no thread of its own: the JDK's timer hands the check to an
 * executor. Thread-safe.
 *
 * <p>A timer is armed by the one thread that sets {@code armed}; it is set back before the check,
 * so that what comes after the check has begun arms the next one.
 */
final class StallTimer {
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final long nanos;
  private final Executor executor;
  private final BooleanSupplier check;
  private final AtomicBoolean armed = new AtomicBoolean();
  private volatile @Nullable CompletableFuture<Void> timer;
  private volatile boolean closed;

  /**
   * @param check says whether there may be something to check later
   */
  StallTimer(Duration limit, Executor executor, BooleanSupplier check) {
    this.nanos = Math.min(Nanos.of(limit), MOST_NANOS);
    this.executor = executor;
    this.check = check;
  }

  /** Sees to it that the check is called; cheap if that is so already. */
  void arm() {
    if (closed || armed.get() || !armed.compareAndSet(false, true)) {
      return;
    }
    try {
      CompletableFuture<Void> next = new CompletableFuture<>();
      timer = next;
      next.thenRun(this::handOver);
      next.completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS);
      if (closed) {
        next.cancel(false);
      }
    } catch (OutOfMemoryError noTimer) {
      armed.set(false); // The next to wait tries again.
    }
  }

  /** On the thread of the JDK's timer. */
  private void handOver() {
    try {
      executor.execute(this::fire);
    } catch (RuntimeException | OutOfMemoryError noThread) {
      armed.set(false); // The next to wait tries again.
    }
  }

  private void fire() {
    armed.set(false);
    if (check.getAsBoolean()) {
      arm();
    }
  }

  /** Lets the JDK's timer go of this tier. */
  void close() {
    closed = true;
    CompletableFuture<Void> last = timer;
    if (last != null) {
      last.cancel(false);
    }
  }
}
