/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.secondary.TierState;
import org.jspecify.annotations.Nullable;

/**
 * Counts failures in a row, and opens at a number of them. Closed again only by {@link #close}, so
 * that an answer to an old command changes nothing. Thread-safe.
 */
final class Breaker {
  private final String rule;
  private final int threshold;
  private int inARow;
  private volatile @Nullable Opened opened;

  private record Opened(String reason, TierState.Cause cause) {}

  /** {@code rule} says what must be, for people to read. */
  Breaker(String rule, int threshold) {
    this.rule = rule;
    this.threshold = threshold;
  }

  boolean isOpen() {
    return opened != null;
  }

  /** Why it is open; null if it is not. */
  @Nullable TierState state(TierState.Mode mode) {
    Opened now = opened;
    return now == null ? null : new TierState(mode, now.reason, now.cause);
  }

  synchronized void succeeded() {
    inARow = 0;
  }

  /** Whether this failure opened it. */
  synchronized boolean failed(TierState.Cause why) {
    inARow++;
    boolean opens = !isOpen() && inARow >= threshold;
    if (opens || isOpen()) {
      open(why);
    }
    return opens;
  }

  synchronized void open(TierState.Cause why) {
    opened = new Opened(rule + ": failures=" + inARow + ", last=" + why, why);
  }

  synchronized void close() {
    inARow = 0;
    opened = null;
  }
}
