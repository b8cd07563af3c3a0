/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import io.hyperclock.entry.EntryRole;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Snapshot of a tier: what it holds now and what it has done since it was made. Every insert is
 * either accepted or declined, every lookup has one outcome, and the sums over {@link #roles} equal
 * the totals of the same name.
 *
 * @param capacityBytes capacity as set, less what {@link SecondaryCache#deflate} took, at least 0
 * @param usageBytes bytes in use
 * @param entries entries held
 * @param accepted inserts accepted
 * @param declined inserts declined
 * @param dropped entries given up for room, or after their insert was accepted
 * @param lookups finished lookups by outcome; outcomes that never occurred are absent
 * @param roles inserts and lookups by the role of their type; roles that never occurred are absent
 */
public record TierStats(
    long capacityBytes,
    long usageBytes,
    long entries,
    long accepted,
    long declined,
    long dropped,
    Map<TierOutcome, Long> lookups,
    Map<EntryRole, Role> roles) {

  /**
   * What was asked of a tier for values of one role.
   *
   * @param accepted inserts accepted
   * @param declined inserts declined
   * @param hits lookups that gave a value
   * @param misses lookups that gave none, for any reason
   */
  public record Role(long accepted, long declined, long hits, long misses) {
    /** Nothing asked. */
    public static final Role NONE = new Role(0, 0, 0, 0);

    /**
     * Adds what was asked of another tier.
     *
     * @param other of another tier
     * @return the sums
     */
    public Role plus(Role other) {
      return new Role(
          accepted + other.accepted,
          declined + other.declined,
          hits + other.hits,
          misses + other.misses);
    }
  }

  /** Copies the maps. */
  public TierStats {
    EnumMap<TierOutcome, Long> copy = new EnumMap<>(TierOutcome.class);
    copy.putAll(lookups);
    lookups = Collections.unmodifiableMap(copy);
    EnumMap<EntryRole, Role> roleCopy = new EnumMap<>(EntryRole.class);
    roleCopy.putAll(roles);
    roles = Collections.unmodifiableMap(roleCopy);
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

  /**
   * What was asked for values of one role.
   *
   * @param role any role
   * @return its counts, {@link Role#NONE} if it never occurred
   */
  public Role role(EntryRole role) {
    return roles.getOrDefault(role, Role.NONE);
  }
}
