/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts incidents of one kind that must not stop the cache, and logs the first, second, fourth,
 * eighth … of them.
 */
public final class IncidentLog {
  private static final Logger LOGGER = System.getLogger("io.hyperclock");

  private final String what;
  private final AtomicLong count = new AtomicLong();
  private @Nullable BiConsumer<String, Throwable> observer;

  public IncidentLog(String what) {
    this.what = what;
  }

  /** Sets the observer of each incident that has a cause; before the log is shared. */
  void forwardTo(BiConsumer<String, Throwable> observer) {
    this.observer = observer;
  }

  public void report(String detail, Object subject, @Nullable Throwable cause) {
    long n = count.incrementAndGet();
    if (Long.bitCount(n) == 1) {
      try {
        LOGGER.log(Level.WARNING, what + ": " + detail + " " + subject + ", count=" + n, cause);
      } catch (Throwable ignored) {
        // counted all the same
      }
    }
    if (observer != null && cause != null) {
      try {
        observer.accept(detail + " " + subject, cause);
      } catch (Throwable ignored) {
        count.incrementAndGet();
      }
    }
  }

  public long count() {
    return count.get();
  }
}
