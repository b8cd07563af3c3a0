/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Snapshot of a tier: what it holds now and what it has done since it was made. Every insert is
 * either accepted or declined, every lookup has one outcome.
 *
 * @param capacityBytes capacity as set, less what {@link SecondaryCache#deflate} took, at least 0
 * @param usageBytes bytes in use
 * @param entries entries held
 * @param accepted inserts accepted
 * @param declined inserts declined
 * @param dropped entries given up for room, or after their insert was accepted
 * @param lookups finished lookups by outcome; outcomes that never occurred are absent
 */
public record TierStats(
    long capacityBytes,
    long usageBytes,
    long entries,
    long accepted,
    long declined,
    long dropped,
    Map<TierOutcome, Long> lookups) {

  /** Copies {@code lookups}. */
  public TierStats {
    EnumMap<TierOutcome, Long> copy = new EnumMap<>(TierOutcome.class);
    copy.putAll(lookups);
    lookups = Collections.unmodifiableMap(copy);
  }

  /**
   * Number of lookups that ended in one way.
   *
   * @param outcome any outcome
   * @return the number, 0 if it never occurred
   */
  public long count(TierOutcome outcome) {
    return lookups.getOrDefault(outcome, 0L);
  }

  /**
   * Number of lookups that ended without a value.
   *
   * @return all finished lookups less the hits
   */
  public long misses() {
    return lookups.values().stream().mapToLong(Long::longValue).sum() - count(TierOutcome.HIT);
  }
}
