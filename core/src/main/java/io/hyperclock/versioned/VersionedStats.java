/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import io.hyperclock.stats.SlotAccess;

/**
 * Snapshot of a cache. Taken without locks: that of a busy cache may mix neighbouring moments, that
 * of a quiet one is exact, and usage is then metadata + item bytes + prepared bytes.
 *
 * @param capacityBytes configured capacity
 * @param usageBytes charge of everything
 * @param metadataBytes charge of the slots
 * @param occupancy slots in use
 * @param slots slots in all
 * @param items keys with a committed value
 * @param itemBytes their charge
 * @param prepares prepares in flight
 * @param preparedBytes their charge
 * @param maxPrepares prepares that may be in flight
 * @param inDoubt prepares in flight that are in doubt
 * @param commits prepares committed
 * @param aborts prepares aborted
 * @param expirations prepares whose lease ended
 * @param refusedInProgress writes and prepares refused because of a prepare or a stopped writer
 * @param refusedNoRoom prepares refused for want of room, or of the cap
 * @param evictions committed values evicted
 * @param evictionEffortExceeded searches for room given up because nearly everything was pinned, as
 *     prepared keys are; never under strict capacity
 * @param slotAccess how this JVM reaches the slots
 */
public record VersionedStats(
    long capacityBytes,
    long usageBytes,
    long metadataBytes,
    long occupancy,
    long slots,
    long items,
    long itemBytes,
    long prepares,
    long preparedBytes,
    long maxPrepares,
    long inDoubt,
    long commits,
    long aborts,
    long expirations,
    long refusedInProgress,
    long refusedNoRoom,
    long evictions,
    long evictionEffortExceeded,
    SlotAccess slotAccess) {}
