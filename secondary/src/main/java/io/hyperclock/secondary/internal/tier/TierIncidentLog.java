/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.tier;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts incidents of one kind that must not stop anything, and logs the first, second, fourth,
 * eighth … of them as a warning. Throws nothing. Thread-safe.
 */
public final class TierIncidentLog {
  private final System.Logger logger;
  private final String what;
  private final AtomicLong count = new AtomicLong();

  /**
   * Nothing has happened yet.
   *
   * @param what the kind of incident, with which each line begins
   */
  public TierIncidentLog(System.Logger logger, String what) {
    this.logger = logger;
    this.what = what;
  }

  /** One more; the cause is null if there is no exception. */
  public void report(String details, @Nullable Throwable cause) {
    long n = count.incrementAndGet();
    if (Long.bitCount(n) != 1) {
      return;
    }
    try {
      logger.log(System.Logger.Level.WARNING, what + ": " + details + ", count=" + n, cause);
    } catch (Throwable ignored) {
      // Counted all the same; of a logger that fails nothing can be said anywhere.
    }
  }

  /** How many there were. */
  public long count() {
    return count.get();
  }
}
