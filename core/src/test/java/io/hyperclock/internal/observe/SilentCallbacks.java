/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

/** For a table without a cache around it: values that the collector owns, and no user's code. */
public class SilentCallbacks implements EntryCallbacks {
  @Override
  public boolean isHeard(long cold) {
    return false;
  }

  @Override
  public void countEviction(long cold) {}

  @Override
  public boolean hasDisposer(long cold) {
    return false;
  }

  @Override
  public void end(long hi, long lo, Object value, long cold, RemovalCause ending) {}

  @Override
  public boolean isEvicting() {
    return false;
  }

  @Override
  public boolean isDead(long hi) {
    return false;
  }

  @Override
  public long drops() {
    return 0;
  }

  @Override
  public IllegalStateException pinRequired(long hi, long lo) {
    return new IllegalStateException("values must belong to the collector: keyLo=" + lo);
  }
}
