/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.EvictionListener;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierObserver;
import io.hyperclock.secondary.WarmRestart;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Checked settings of a tiered cache; the total is 0 where there is none, the ratio {@link
 * #FINDS_ITSELF} where it is to be found. The random numbers are for any thread; a close saves
 * values for no longer than {@code mostSaving}.
 */
public record TieredConfig<V>(
    List<SecondaryCache> tiers,
    AdmissionPolicy admission,
    @Nullable EvictionListener<? super V> evictionListener,
    long handOffBytes,
    int handOffEntries,
    long totalBytes,
    double ratio,
    @Nullable Executor executor,
    @Nullable TierObserver observer,
    Duration slowReadAfter,
    Duration tierTimeout,
    @Nullable WarmRestart<V> warmRestart,
    LongSupplier clock,
    RandomGenerator random,
    Duration mostSaving) {
  /** In place of a ratio. */
  public static final double FINDS_ITSELF = -1;

  private static final double FIRST_RATIO = 1.0 / 16;

  boolean findsRatio() {
    return ratio == FINDS_ITSELF;
  }

  /** The ratio to begin with. */
  double firstRatio() {
    return findsRatio() ? FIRST_RATIO : ratio;
  }
}
