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
 * <pre>{@code
 * CacheStats stats = cache.monitor().stats();
 * log(stats.hitRatio() + " hits, " + stats.usageBytes() + " bytes");
 * }</pre>
 *
 * <ul>
 *   <li>usage = metadata + standalone usage + charge of all roles + erased bytes,
 *   <li>standalone usage includes the bytes that read scopes hold back,
 *   <li>pinned usage = standalone usage + pinned bytes of all roles,
 *   <li>occupancy = entries of all roles + erased entries.
 * </ul>
 *
 * @param values one for each {@link CacheStat}; accessors give them one by one
 * @param slotAccess how this JVM reaches the slots; for slots off the heap it tells the fast way
 *     from the slow one
 * @param roles the same per role; roles without entries and events are absent
 */
public record CacheStats(
    Map<CacheStat, Long> values, SlotAccess slotAccess, Map<EntryRole, RoleStats> roles) {

  /** Copies both maps; a value that is not given is 0. */
  public CacheStats {
    EnumMap<CacheStat, Long> all = new EnumMap<>(CacheStat.class);
    for (CacheStat stat : CacheStat.values()) {
      all.put(stat, values.getOrDefault(stat, 0L));
    }
    values = Collections.unmodifiableMap(all);
    EnumMap<EntryRole, RoleStats> copy = new EnumMap<>(EntryRole.class);
    copy.putAll(roles);
    roles = Collections.unmodifiableMap(copy);
  }

  /**
   * One of the values.
   *
   * @param stat which
   * @return its value
   */
  public long get(CacheStat stat) {
    return values.getOrDefault(stat, 0L);
  }

  /** Configured capacity. */
  public long capacityBytes() {
    return get(CacheStat.CAPACITY_BYTES);
  }

  /** Charge of all entries, standalone ones and charged metadata included. */
  public long usageBytes() {
    return get(CacheStat.USAGE_BYTES);
  }

  /** Charge of all referenced entries, standalone ones included. */
  public long pinnedUsageBytes() {
    return get(CacheStat.PINNED_USAGE_BYTES);
  }

  /** Charge of standalone entries. */
  public long standaloneUsageBytes() {
    return get(CacheStat.STANDALONE_USAGE_BYTES);
  }

  /** Charge of the slots themselves, 0 where metadata is not charged. */
  public long metadataBytes() {
    return get(CacheStat.METADATA_BYTES);
  }

  /** Slots in use. */
  public long occupancy() {
    return get(CacheStat.OCCUPANCY);
  }

  /** Slots in all. */
  public long slots() {
    return get(CacheStat.SLOTS);
  }

  /**
   * Reads that found an entry; 0 unless hits are recorded. Each read of a key counts as one hit or
   * one miss.
   */
  public long hits() {
    return get(CacheStat.HITS);
  }

  /**
   * Reads that found none; 0 unless hits are recorded. One that then loads the block, waits for
   * another's load, or finds that the key has come meanwhile, is one miss.
   */
  public long misses() {
    return get(CacheStat.MISSES);
  }

  /** Entries added to the table where there was none of the key. */
  public long inserts() {
    return get(CacheStat.INSERTS);
  }

  /** Inserts that found the key present. */
  public long keptExisting() {
    return get(CacheStat.KEPT_EXISTING);
  }

  /** Entries added in place of an older one of the key. */
  public long replaced() {
    return get(CacheStat.REPLACED);
  }

  /** Inserts given up because no slot or room could be had. */
  public long dropped() {
    return get(CacheStat.DROPPED);
  }

  /** Inserts that were refused: see {@link io.hyperclock.InsertResult#REFUSED}. */
  public long refused() {
    return get(CacheStat.REFUSED);
  }

  /** Entries evicted, {@link #localEvictions} among them. */
  public long evictions() {
    return get(CacheStat.EVICTIONS);
  }

  /** Tables of a cache that sizes itself which took the place of another. */
  public long resizes() {
    return get(CacheStat.RESIZES);
  }

  /** Entries that were moved to another table. */
  public long movedEntries() {
    return get(CacheStat.MOVED_ENTRIES);
  }

  /** Charge of tables that were left but hold entries with pins from before; part of metadata. */
  public long heldTableBytes() {
    return get(CacheStat.HELD_TABLE_BYTES);
  }

  /** Entries evicted because both buckets of a new key were full. */
  public long localEvictions() {
    return get(CacheStat.LOCAL_EVICTIONS);
  }

  /**
   * Inserts that found every slot of both buckets of their key held; they are dropped, refused or
   * standalone.
   */
  public long withoutSlot() {
    return get(CacheStat.WITHOUT_SLOT);
  }

  /** Sweeps given up because nearly everything was pinned. */
  public long evictionEffortExceeded() {
    return get(CacheStat.EVICTION_EFFORT_EXCEEDED);
  }

  /** Exceptions thrown by disposers, listeners and observers. */
  public long callbackFailures() {
    return get(CacheStat.CALLBACK_FAILURES);
  }

  /** Handles closed more than once. */
  public long doubleCloses() {
    return get(CacheStat.DOUBLE_CLOSES);
  }

  /** Tracked handles that became unreachable without having been closed. */
  public long leakedHandles() {
    return get(CacheStat.LEAKED_HANDLES);
  }

  /** Tracked handles found open for longer than {@code longPinAfter}. */
  public long longPins() {
    return get(CacheStat.LONG_PINS);
  }

  /** Entries erased but still held. */
  public long erasedEntries() {
    return get(CacheStat.ERASED_ENTRIES);
  }

  /** Charge of entries erased but still held. */
  public long erasedBytes() {
    return get(CacheStat.ERASED_BYTES);
  }

  /**
   * Share of reads that found an entry.
   *
   * @return hits / (hits + misses), or 0 if there were no reads
   */
  public double hitRatio() {
    long reads = hits() + misses();
    return reads == 0 ? 0.0 : (double) hits() / reads;
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
