/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.internal.tier.FutureWaits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The end of one tier, which may take longer than its cache waits for it: then it goes on, on a
 * daemon thread of its own. Where there is no limit, or no thread to be had, the caller closes the
 * tier.
 */
final class TierClosing {
  private final SecondaryCache tier;
  private final String name;
  private final Consumer<Throwable> onFailure;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final AtomicBoolean begun = new AtomicBoolean();
  private final AtomicBoolean late = new AtomicBoolean();

  /**
   * Not begun.
   *
   * @param onFailure gets what the tier throws
   */
  TierClosing(SecondaryCache tier, String name, Consumer<Throwable> onFailure) {
    this.tier = tier;
    this.name = name;
    this.onFailure = onFailure;
  }

  /** Whether a close has been waited for in vain and has not returned since. */
  boolean isLate() {
    return late.get() && !ended.isDone();
  }

  /**
   * Closes the tier, or waits for another call that does; not again once that was in vain.
   *
   * @param before what to do with the tier first; throws nothing
   * @return true if this call is the first to wait in vain
   */
  boolean close(Duration limit, Runnable before) {
    if (begun.compareAndSet(false, true)) {
      run(limit, before);
    }
    if (!late.get()) {
      FutureWaits.waitThrough(ended, Expiry.nanos(limit));
    }
    return !ended.isDone() && late.compareAndSet(false, true);
  }

  private void run(Duration limit, Runnable before) {
    if (Expiry.nanos(limit) == Long.MAX_VALUE) {
      close(before);
      return;
    }
    try {
      Thread thread = new Thread(() -> close(before), "hyperclock-close-" + name);
      thread.setDaemon(true);
      thread.start();
    } catch (Throwable noThread) {
      close(before);
    }
  }

  private void close(Runnable before) {
    try {
      before.run();
      tier.close();
    } catch (Throwable e) {
      onFailure.accept(e);
    } finally {
      ended.complete(null);
    }
  }
}
