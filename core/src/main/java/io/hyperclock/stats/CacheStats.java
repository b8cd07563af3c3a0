/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stats;

import io.hyperclock.entry.EntryRole;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Snapshot of a cache: what it holds now and what it has done since it was built. Sums over {@link
 * #roles} equal the totals of the same name. Taken without locks: a snapshot of a busy cache may
 * mix neighbouring moments, a snapshot of a quiet one is exact. It adds up then:
 *
 * <ul>
 *   <li>usage = metadata + standalone usage + charge of all roles + erased bytes + what read scopes
 *       hold back,
 *   <li>pinned usage = standalone usage + pinned bytes of all roles,
 *   <li>occupancy = entries of all roles + erased entries.
 * </ul>
 *
 * @param capacityBytes configured capacity
 * @param usageBytes charge of all entries, standalone ones and charged metadata included
 * @param pinnedUsageBytes charge of all referenced entries, standalone ones included
 * @param standaloneUsageBytes charge of standalone entries
 * @param metadataBytes charge of the slots themselves, 0 where metadata is not charged
 * @param occupancy slots in use
 * @param slots slots in all
 * @param hits reads that found an entry; 0 unless hits are recorded
 * @param misses reads that found none; 0 unless hits are recorded
 * @param inserts entries added to the table where there was none of the key
 * @param keptExisting inserts that found the key present
 * @param replaced entries added in place of an older one of the key
 * @param dropped inserts given up because no slot or room could be had
 * @param refused inserts refused by strict capacity
 * @param evictions entries removed by the clock hand
 * @param localEvictions entries removed because both buckets of a new key were full
 * @param withoutSlot inserts that found every slot of both buckets of their key held; they are
 *     dropped, refused or standalone
 * @param evictionEffortExceeded sweeps given up because nearly everything was pinned
 * @param callbackFailures exceptions thrown by disposers and listeners
 * @param doubleCloses handles closed more than once
 * @param leakedHandles tracked handles that became unreachable without having been closed
 * @param longPins tracked handles found open for longer than the cache was told to expect
 * @param erasedEntries entries erased but still held
 * @param erasedBytes their charge
 * @param slotAccess how this JVM reaches the slots; for slots off the heap it tells the fast way
 *     from the slow one
 * @param roles the same per role; roles without entries and events are absent
 */
public record CacheStats(
    long capacityBytes,
    long usageBytes,
    long pinnedUsageBytes,
    long standaloneUsageBytes,
    long metadataBytes,
    long occupancy,
    long slots,
    long hits,
    long misses,
    long inserts,
    long keptExisting,
    long replaced,
    long dropped,
    long refused,
    long evictions,
    long localEvictions,
    long withoutSlot,
    long evictionEffortExceeded,
    long callbackFailures,
    long doubleCloses,
    long leakedHandles,
    long longPins,
    long erasedEntries,
    long erasedBytes,
    SlotAccess slotAccess,
    Map<EntryRole, RoleStats> roles) {

  /** Copies {@code roles}. */
  public CacheStats {
    EnumMap<EntryRole, RoleStats> copy = new EnumMap<>(EntryRole.class);
    copy.putAll(roles);
    roles = Collections.unmodifiableMap(copy);
  }

  /**
   * Share of reads that found an entry.
   *
   * @return hits / (hits + misses), or 0 if there were no reads
   */
  public double hitRatio() {
    long reads = hits + misses;
    return reads == 0 ? 0.0 : (double) hits / reads;
  }

  /**
   * Statistics of one role.
   *
   * @param role any role
   * @return its statistics, {@link RoleStats#NONE} if it never occurred
   */
  public RoleStats role(EntryRole role) {
    return roles.getOrDefault(role, RoleStats.NONE);
  }
}
