/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

/** One request to make room, and what came of it. Not shared. */
public final class RoomRequest {
  /** No effort cap: whatever is not pinned may be taken. */
  public static final int NO_EFFORT_CAP = Integer.MAX_VALUE;

  private final long bytes;
  private final int entries;
  private final long chargeBytes;
  private final int effortCap;
  private long freedBytes;
  private long freedEntries;
  private long pinnedSeen;
  private long looks;
  private boolean effortExceeded;

  /**
   * A request.
   *
   * @param bytes charge to free
   * @param entries entries to free, whatever their charge
   * @param chargeBytes charge of the entry that needs the room
   * @param effortCap pinned entries to pass per freed one
   */
  public RoomRequest(long bytes, int entries, long chargeBytes, int effortCap) {
    this.bytes = bytes;
    this.entries = entries;
    this.chargeBytes = chargeBytes;
    this.effortCap = effortCap;
  }

  long bytes() {
    return bytes;
  }

  long chargeBytes() {
    return chargeBytes;
  }

  boolean needsSlot() {
    return entries > 0;
  }

  boolean mustFree() {
    return effortCap == NO_EFFORT_CAP;
  }

  boolean isFulfilled() {
    return freedBytes >= bytes && freedEntries >= entries;
  }

  void freed(long bytes) {
    freedBytes += bytes;
    freedEntries++;
  }

  void looked(long slots) {
    looks += slots;
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

  /** Slots looked at, counted with repetition. */
  public long looks() {
    return looks;
  }

  /** Slots looked at that held a pinned entry. */
  public long pinnedSeen() {
    return pinnedSeen;
  }

  /** Charge of the entries freed so far. */
  public long freedBytes() {
    return freedBytes;
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
