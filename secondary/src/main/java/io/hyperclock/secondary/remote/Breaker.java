/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

/**
 * Counts failures in a row, and opens at a number of them. Closed again only by {@link #close}, so
 * that an answer to an old command changes nothing. Thread-safe.
 */
final class Breaker {
  private final String rule;
  private final int threshold;
  private int inARow;
  private volatile String reason = "";

  /** {@code rule} says what must be, for people to read. */
  Breaker(String rule, int threshold) {
    this.rule = rule;
    this.threshold = threshold;
  }

  boolean isOpen() {
    return !reason.isEmpty();
  }

  /** Why it is open; empty if it is not. */
  String reason() {
    return reason;
  }

  synchronized void succeeded() {
    inARow = 0;
  }

  /** Whether this failure opened it. */
  synchronized boolean failed(String why) {
    inARow++;
    boolean opens = !isOpen() && inARow >= threshold;
    if (opens || isOpen()) {
      open(why);
    }
    return opens;
  }

  synchronized void open(String why) {
    reason = rule + ": failures=" + inARow + ", last=" + why;
  }

  synchronized void close() {
    inARow = 0;
    reason = "";
  }
}
