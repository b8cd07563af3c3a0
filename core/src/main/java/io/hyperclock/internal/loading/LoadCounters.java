/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.internal.errors.Figure;
import io.hyperclock.stats.LoadStats;

/** Counts loads; hits do not come here. */
final class LoadCounters {
  private final Figure loads = new Figure();
  private final Figure failures = new Figure();
  private final Figure waiters = new Figure();
  private final Figure nanos = new Figure();

  void loaded(int blocks, boolean failed, long startNanos) {
    (failed ? failures : loads).add(blocks);
    nanos.add(System.nanoTime() - startNanos);
  }

  void served(int guests) {
    if (guests > 0) {
      waiters.add(guests);
    }
  }

  LoadStats snapshot(int underWay) {
    return new LoadStats(loads.sum(), failures.sum(), waiters.sum(), nanos.sum(), underWay);
  }
}
