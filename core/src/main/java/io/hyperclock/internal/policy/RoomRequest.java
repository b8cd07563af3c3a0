/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

/** One request to make room, and what came of it. Not shared. */
public final class RoomRequest {
  /** No effort cap: whatever is not pinned may be taken. */
  public static final int NO_EFFORT_CAP = Integer.MAX_VALUE;

  private final long wantedBytes;
  private final long neededBytes;
  private final int neededEntries;
  private final long chargeBytes;
  private final int effortCap;
  private long freedBytes;
  private long freedEntries;
  private long pinnedSeen;
  private boolean effortExceeded;

  /**
   * A request.
   *
   * @param wantedBytes charge to free if it is easy, at least {@code neededBytes}
   * @param neededBytes charge to free if it can be done
   * @param neededEntries entries to free, whatever their charge
   * @param chargeBytes charge of the entry that needs the room
   * @param effortCap pinned entries to pass per freed one
   */
  public RoomRequest(
      long wantedBytes, long neededBytes, int neededEntries, long chargeBytes, int effortCap) {
    this.wantedBytes = wantedBytes;
    this.neededBytes = neededBytes;
    this.neededEntries = neededEntries;
    this.chargeBytes = chargeBytes;
    this.effortCap = effortCap;
  }

  long wantedBytes() {
    return wantedBytes;
  }

  long chargeBytes() {
    return chargeBytes;
  }

  boolean needsSlot() {
    return neededEntries > 0;
  }

  boolean mustFree() {
    return effortCap == NO_EFFORT_CAP;
  }

  boolean isFulfilled() {
    return freedBytes >= wantedBytes && freedEntries >= neededEntries;
  }

  /** Whether the rest may be left to the next request. */
  boolean isSufficient() {
    return freedBytes >= neededBytes && freedEntries >= neededEntries;
  }

  void freed(long bytes) {
    freedBytes += bytes;
    freedEntries++;
  }

  void sawPinned() {
    pinnedSeen++;
  }

  /** Whether too many pinned entries were seen for what was freed. */
  boolean exceedsEffort() {
    if (!mustFree() && (freedEntries + 1) * effortCap <= pinnedSeen) {
      effortExceeded = true;
    }
    return effortExceeded;
  }

  /** Entries freed so far. */
  public long freedEntries() {
    return freedEntries;
  }

  /** Whether it was given up because of too many pinned entries. */
  public boolean isEffortExceeded() {
    return effortExceeded;
  }
}
