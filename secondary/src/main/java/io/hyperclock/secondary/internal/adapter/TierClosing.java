/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.secondary.SecondaryCache;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The end of one tier, which may take longer than its cache waits for it: then it goes on, on a
 * daemon thread of its own. Where there is no limit, or no thread to be had, the caller closes the
 * tier.
 */
final class TierClosing {
  private final SecondaryCache tier;
  private final String name;
  private final Runnable onFailure;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private boolean begun;
  private volatile boolean late;

  /**
   * Not begun.
   *
   * @param onFailure called if the tier throws
   */
  TierClosing(SecondaryCache tier, String name, Runnable onFailure) {
    this.tier = tier;
    this.name = name;
    this.onFailure = onFailure;
  }

  /** Whether a close has been waited for in vain and has not returned since. */
  boolean isLate() {
    return late && !ended.isDone();
  }

  /**
   * Closes the tier, or waits for another call that does; not again once that was in vain.
   *
   * @return true if this call is the first to wait in vain
   */
  boolean close(Duration limit) {
    if (begin()) {
      run(limit);
    }
    if (!late) {
      boolean interrupted = await(Expiry.nanos(limit));
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return !ended.isDone() && becomeLate();
  }

  private synchronized boolean begin() {
    boolean first = !begun;
    begun = true;
    return first;
  }

  private synchronized boolean becomeLate() {
    boolean first = !late;
    late = true;
    return first;
  }

  private void run(Duration limit) {
    if (Expiry.nanos(limit) == Long.MAX_VALUE) {
      close();
      return;
    }
    try {
      Thread thread = new Thread(this::close, "hyperclock-close-" + name);
      thread.setDaemon(true);
      thread.start();
    } catch (Throwable noThread) {
      close();
    }
  }

  private void close() {
    try {
      tier.close();
    } catch (Throwable e) {
      onFailure.run();
    } finally {
      ended.complete(null);
    }
  }

  /** Waits whatever happens; says whether the thread was interrupted meanwhile. */
  private boolean await(long nanos) {
    long begin = System.nanoTime();
    boolean interrupted = false;
    while (!ended.isDone()) {
      long left = nanos == Long.MAX_VALUE ? nanos : nanos - (System.nanoTime() - begin);
      if (left <= 0) {
        break;
      }
      try {
        Waiter.waitFor(ended, left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }
}
