/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

/**
 * What moved between the primary and its tiers, of one role or of all, since the cache was built.
 *
 * <p>It adds up when nothing is under way: {@code lookups = hits + misses}; {@code hits = shared +
 * putBack + } the reads that tiers answered with a value and those that found it in the primary at
 * the second look, as far as their lookups were not given up; {@code offered = accepted + declined
 * + overflowed + superseded + putBack + pending}, without offers of copies where the policy makes
 * any.
 *
 * @param lookups lookups of compatible types that the primary had no value for
 * @param hits those that ended with a handle
 * @param shared those of the hits that were served by the read of another lookup
 * @param putBack values on their way down that a lookup took back into the primary
 * @param firstTouches values given as standalone entries, which left a mark
 * @param promotions values given and inserted into the primary
 * @param offered values to be moved down
 * @param accepted those that a tier accepted
 * @param declined those that every tier declined
 * @param overflowed those dropped because too many were on their way
 * @param superseded those dropped because the key was, or may have been, written or erased
 *     meanwhile, or the cache was closed
 * @param keptBelow evicted values that were not offered because a tier held them
 */
public record TieredRoleStats(
    long lookups,
    long hits,
    long shared,
    long putBack,
    long firstTouches,
    long promotions,
    long offered,
    long accepted,
    long declined,
    long overflowed,
    long superseded,
    long keptBelow) {

  /** Nothing moved. */
  public static final TieredRoleStats NONE =
      new TieredRoleStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /**
   * Lookups that ended without a handle.
   *
   * @return lookups less hits
   */
  public long misses() {
    return lookups - hits;
  }

  /**
   * Adds two.
   *
   * @param other another
   * @return the sums
   */
  public TieredRoleStats plus(TieredRoleStats other) {
    return new TieredRoleStats(
        lookups + other.lookups,
        hits + other.hits,
        shared + other.shared,
        putBack + other.putBack,
        firstTouches + other.firstTouches,
        promotions + other.promotions,
        offered + other.offered,
        accepted + other.accepted,
        declined + other.declined,
        overflowed + other.overflowed,
        superseded + other.superseded,
        keptBelow + other.keptBelow);
  }
}
