/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import io.hyperclock.internal.policy.CapacityView;
import io.hyperclock.internal.slot.PaddedCounters;

/**
 * The counters of one shard: usage and occupancy, capacity and mode.
 *
 * <p>Usage is only a number: it does not publish entries, so plain volatile steps are enough
 * ([sum]).
 */
public final class CapacityLedger implements CapacityView {
  private static final int USAGE = 0;
  private static final int OCCUPANCY = 1;
  private static final int STANDALONE = 2;
  private static final int RETIRED = 3;
  private static final int METADATA = 4;
  private static final int COUNTERS = 5;

  private final PaddedCounters counters = new PaddedCounters(COUNTERS);
  private volatile long capacity;
  private volatile boolean strict;

  /**
   * A ledger that starts with the charge of the slots.
   *
   * @param capacity bytes
   * @param metadataBytes bytes charged for slots, possibly 0
   */
  public CapacityLedger(long capacity, boolean strict, long metadataBytes) {
    this.capacity = capacity;
    this.strict = strict;
    addUsage(metadataBytes);
    slotsCame(metadataBytes);
  }

  public long capacity() {
    return capacity;
  }

  public void setCapacity(long capacity) {
    this.capacity = capacity;
  }

  public boolean isStrict() {
    return strict;
  }

  public void setStrict(boolean strict) {
    this.strict = strict;
  }

  public long metadataBytes() {
    return counters.get(METADATA);
  }

  /** Slots have come whose charge is in the usage already. */
  public void slotsCame(long bytes) {
    counters.getAndAdd(METADATA, bytes);
  }

  /** Slots are gone. */
  public void slotsLeft(long bytes) {
    counters.getAndAdd(METADATA, -bytes);
    addUsage(-bytes);
  }

  public long usage() {
    return counters.get(USAGE);
  }

  @Override
  public long occupancy() {
    return counters.get(OCCUPANCY);
  }

  @Override
  public long capacityOfEntries() {
    return capacity - metadataBytes() - standaloneUsage();
  }

  @Override
  public long usageOfEntries() {
    return usage() - metadataBytes() - standaloneUsage();
  }

  @Override
  public boolean hasRoomFor(long chargeBytes) {
    return usage() <= capacity - chargeBytes;
  }

  public long standaloneUsage() {
    return counters.get(STANDALONE);
  }

  /** Adds to usage, possibly a negative amount; writes nothing if it is 0. */
  public void addUsage(long bytes) {
    if (bytes != 0) {
      counters.getAndAdd(USAGE, bytes);
    }
  }

  /** Adds to occupancy; nothing is written where nothing changes. */
  public void addOccupancyUnlessZero(long entries) {
    if (entries != 0) {
      getAndAddOccupancy(entries);
    }
  }

  /** Replaces usage if it is still what the decision was made on. */
  public boolean compareAndSetUsage(long expected, long usage) {
    return counters.compareAndSet(USAGE, expected, usage);
  }

  /** Adds to occupancy and returns what it was. */
  public long getAndAddOccupancy(long entries) {
    return counters.getAndAdd(OCCUPANCY, entries);
  }

  /** Adds to the charge of the entries outside the table; a count, which orders nothing. */
  public void addStandaloneUsage(long bytes) {
    counters.getAndAdd(STANDALONE, bytes);
  }

  /** Charge of the values that wait for read scopes; part of the standalone usage. */
  public long retiredUsage() {
    return counters.get(RETIRED);
  }

  /** An entry of the table is gone. */
  public void removeEntry(long chargeBytes) {
    getAndAddOccupancy(-1);
    addUsage(-chargeBytes);
  }

  /** An entry of the table is gone, but its value stays charged. */
  void retireEntry(long chargeBytes) {
    getAndAddOccupancy(-1);
    addStandaloneUsage(chargeBytes);
    // [sum] as above: exact sums, no order.
    counters.getAndAdd(RETIRED, chargeBytes);
  }

  /** A standalone entry is gone. */
  public void removeStandalone(long chargeBytes) {
    addStandaloneUsage(-chargeBytes);
    addUsage(-chargeBytes);
  }

  /** A value that had waited is gone. */
  void removeRetired(long chargeBytes) {
    // [sum] as above.
    counters.getAndAdd(RETIRED, -chargeBytes);
    removeStandalone(chargeBytes);
  }
}
