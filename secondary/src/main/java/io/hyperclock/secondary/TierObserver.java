/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import io.hyperclock.entry.EntryRole;
import java.time.Duration;

/**
 * Is notified of failures on the way between a cache and its tiers, as they happen.
 *
 * <p>Called on the thread that evicts or that reads, so it must be short, must not block and must
 * not use the cache. What it throws is ignored. Without an observer nothing is measured.
 */
public interface TierObserver {
  /**
   * An evicted value was dropped, because too many were on their way down.
   *
   * @param role role of the value
   * @param chargeBytes its charge
   */
  default void onDemotionDropped(long keyHi, long keyLo, EntryRole role, long chargeBytes) {}

  /**
   * A tier took long for an answer.
   *
   * @param tier its name
   * @param outcome the answer, {@link TierOutcome#TIMED_OUT} if it was not waited for any longer
   * @param took time from the question until the answer was seen
   */
  default void onSlowRead(String tier, TierOutcome outcome, Duration took) {}

  /**
   * The cache was closed, and a tier of it did not end in time. Its {@code close} goes on, on a
   * daemon thread; until it returns {@link TieredBlockCache#states()} says so. Not told of a tier
   * whose {@code close} has returned and which goes on by itself, as one on disk may: its state
   * says so.
   *
   * @param tier its name
   * @param waited how long the cache has waited
   */
  default void onCloseTimeout(String tier, Duration waited) {}
}
