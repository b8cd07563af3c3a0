/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.tier;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for futures of which it matters only that they end. */
public final class FutureWaits {
  private FutureWaits() {}

  /** Waits for a future, however it ends. */
  public static void waitFor(CompletableFuture<?> future, long nanos) throws InterruptedException {
    try {
      future.get(nanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException | CancellationException e) {
      return;
    }
  }

  /**
   * As {@link #waitFor}, whatever happens to the thread; whether the future has ended. {@code
   * Long.MAX_VALUE} is without a limit.
   */
  public static boolean waitThrough(CompletableFuture<?> future, long nanos) {
    long begin = System.nanoTime();
    boolean interrupted = false;
    while (!future.isDone()) {
      long left = nanos == Long.MAX_VALUE ? nanos : nanos - (System.nanoTime() - begin);
      if (left <= 0) {
        break;
      }
      try {
        waitFor(future, left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return future.isDone();
  }
}
