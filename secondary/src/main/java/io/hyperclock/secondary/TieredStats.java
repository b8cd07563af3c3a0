/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.stats.CacheStats;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Snapshot of a tiered cache: the primary, what moved between the tiers, and every tier. Taken
 * without locks; exact if nothing is under way.
 *
 * @param primary the primary; its occupancy includes the marks of values found below once
 * @param total what moved, of all roles
 * @param roles the same per role; roles of which nothing moved are absent
 * @param tiers the tiers, nearest first
 * @param pendingOffers values on their way down
 * @param pendingOfferBytes their charge
 * @param budget how a total is split, {@link Budget#NONE} if the cache was built without one
 */
public record TieredStats(
    CacheStats primary,
    TieredRoleStats total,
    Map<EntryRole, TieredRoleStats> roles,
    List<Tier> tiers,
    int pendingOffers,
    long pendingOfferBytes,
    Budget budget) {

  /**
   * One tier.
   *
   * @param name its name
   * @param state whether it serves; also what it keeps the cache waiting for
   * @param stats what it says of itself
   * @param hits reads of this cache that it answered with a value
   * @param failures calls that it failed with an exception, against its contract
   * @param timeouts waits of lookups that ended because it did not answer, or did not return from
   *     an insert of that key, within {@link TieredBlockCacheBuilder#tierTimeout}
   * @param metrics metrics that only this kind of tier has
   */
  public record Tier(
      String name,
      TierState state,
      TierStats stats,
      long hits,
      long failures,
      long timeouts,
      List<TierMetric> metrics) {
    /** Copies {@code metrics}. */
    public Tier {
      metrics = List.copyOf(metrics);
    }
  }

  /**
   * The memory that the primary and the nearest tier share with others. The parts add up: {@code
   * totalBytes = primaryBytes + belowBytes + chargedBytes}.
   *
   * @param totalBytes the whole
   * @param primaryBytes capacity of the primary
   * @param belowBytes capacity of the nearest tier
   * @param chargedBytes what reservations take: what is reserved, rounded up to a MiB, as far as
   *     the budget reaches
   * @param overdraftBytes by how much reservations exceed that, 0 if all is well
   * @param reserved bytes reserved, by role; roles without any are absent
   */
  public record Budget(
      long totalBytes,
      long primaryBytes,
      long belowBytes,
      long chargedBytes,
      long overdraftBytes,
      Map<EntryRole, Long> reserved) {
    /** There is none. */
    public static final Budget NONE = new Budget(0, 0, 0, 0, 0, Map.of());

    /** Copies {@code reserved}. */
    public Budget {
      reserved = Map.copyOf(reserved);
    }

    /**
     * What is reserved, to the byte.
     *
     * @return bytes, of all roles
     */
    public long reservedBytes() {
      return reserved.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** Copies {@code roles} and {@code tiers}. */
  public TieredStats {
    EnumMap<EntryRole, TieredRoleStats> copy = new EnumMap<>(EntryRole.class);
    copy.putAll(roles);
    roles = Collections.unmodifiableMap(copy);
    tiers = List.copyOf(tiers);
  }

  /**
   * What moved of one role.
   *
   * @param role any role
   * @return its statistics, {@link TieredRoleStats#NONE} if nothing moved
   */
  public TieredRoleStats role(EntryRole role) {
    return roles.getOrDefault(role, TieredRoleStats.NONE);
  }
}
