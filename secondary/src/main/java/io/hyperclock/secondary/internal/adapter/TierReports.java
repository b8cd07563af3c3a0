/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * What one tier says of itself. A tier that throws instead is counted, and what it said last stands
 * in: it must not keep the others from being seen, and no count may fall.
 */
final class TierReports {
  private final SecondaryCache tier;
  private final BiConsumer<String, Throwable> onFailure;
  private volatile TierStats lastStats = new TierStats(0, 0, 0, 0, 0, 0, Map.of(), Map.of());
  private volatile List<TierMetric> lastMetrics = List.of();

  /**
   * Reports of one tier.
   *
   * @param onFailure gets the call that failed and what it threw
   */
  TierReports(SecondaryCache tier, BiConsumer<String, Throwable> onFailure) {
    this.tier = tier;
    this.onFailure = onFailure;
  }

  TierStats stats() {
    try {
      lastStats = tier.stats();
    } catch (Throwable e) {
      onFailure.accept("stats", e);
    }
    return lastStats;
  }

  List<TierMetric> metrics() {
    try {
      lastMetrics = tier.metrics();
    } catch (Throwable e) {
      onFailure.accept("metrics", e);
    }
    return lastMetrics;
  }

  TierState state() {
    try {
      return tier.state();
    } catch (Throwable e) {
      onFailure.accept("state", e);
      return new TierState(TierState.Mode.BYPASS, "state must not throw: error=" + e);
    }
  }
}
