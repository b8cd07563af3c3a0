/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.internal.errors.Figure;
import io.hyperclock.internal.table.Ending;
import io.hyperclock.internal.table.EntryCallbacks;

/** What a cache of two versions counts. Its values have no callbacks. */
final class VersionedCounts implements EntryCallbacks {
  final Figure commits = new Figure();
  final Figure aborts = new Figure();
  final Figure expirations = new Figure();
  final Figure refusedInProgress = new Figure();
  final Figure refusedNoRoom = new Figure();
  final Figure evictions = new Figure();
  final Figure effortExceeded = new Figure();

  @Override
  public boolean isHeard(long cold) {
    return false;
  }

  @Override
  public void countEviction(long cold) {
    evictions.increment();
  }

  @Override
  public boolean isFreedByHand(long cold) {
    return false;
  }

  @Override
  public void end(long hi, long lo, Object value, long cold, Ending ending) {}

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
