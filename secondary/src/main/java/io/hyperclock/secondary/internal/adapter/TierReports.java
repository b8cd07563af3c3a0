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
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What one tier says of itself. One that throws instead, or says nothing, is counted, and what it
 * said last stands in: it must not keep the others from being seen, and no count may fall.
 */
final class TierReports {
  private static final TierState BANNED = banned("an exception without a message");

  private final SecondaryCache tier;
  private final BiConsumer<String, Throwable> onFailure;
  private volatile TierStats lastStats = new TierStats(0, 0, 0, 0, 0, 0, Map.of(), Map.of());
  private volatile List<TierMetric> lastMetrics = List.of();

  /** What is said of a tier that is not used any more; null of one that is used. */
  private final AtomicReference<@Nullable TierState> banned = new AtomicReference<>();

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
      lastStats = Objects.requireNonNull(tier.stats(), "stats must not be null");
    } catch (Throwable e) {
      onFailure.accept("stats", e);
    }
    return lastStats;
  }

  List<TierMetric> metrics() {
    try {
      lastMetrics = List.copyOf(tier.metrics());
    } catch (Throwable e) {
      onFailure.accept("metrics", e);
    }
    return lastMetrics;
  }

  /**
   * What is reported of a tier that has failed to erase a key; it is not used any more.
   *
   * @return whether this is the first time
   */
  boolean ban(Throwable failure) {
    if (!banned.compareAndSet(null, BANNED)) {
      return false;
    }
    try {
      banned.set(banned(failure.toString()));
    } catch (Throwable noWordsOrNoMemory) {
      // It is banned without them.
    }
    return true;
  }

  private static TierState banned(String message) {
    return new TierState(
        TierState.Mode.CLOSED,
        "not used any more, because an erase has failed",
        new TierState.Cause("ERASE_FAILED", message));
  }

  boolean isBanned() {
    return banned.get() != null;
  }

  TierState state() {
    TierState gone = banned.get();
    if (gone != null) {
      return gone;
    }
    try {
      return Objects.requireNonNull(tier.state(), "state must not be null");
    } catch (Throwable e) {
      onFailure.accept("state", e);
      return new TierState(
          TierState.Mode.BYPASS, "state must not throw: error=" + e.getClass().getName());
    }
  }
}
