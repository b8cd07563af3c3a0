/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The counters of one shard: usage and occupancy, the clock pointer, capacity and mode. Each hot
 * one has cache lines of its own.
 *
 * <p>Usage is only a number: it does not publish entries, so plain volatile steps are enough
 * ([S7]).
 */
public final class CapacityLedger {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int SPACING = 16;
  private static final int USAGE = SPACING;
  private static final int OCCUPANCY = 2 * SPACING;
  private static final int STANDALONE = 3 * SPACING;
  private static final int CLOCK = 4 * SPACING;

  private final long[] cells = new long[5 * SPACING + SPACING];
  private final long metadataBytes;
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
    this.metadataBytes = metadataBytes;
    addUsage(metadataBytes);
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
    return metadataBytes;
  }

  public long usage() {
    return get(USAGE);
  }

  public long occupancy() {
    return get(OCCUPANCY);
  }

  public long standaloneUsage() {
    return get(STANDALONE);
  }

  /** Adds to usage, possibly a negative amount. */
  public void addUsage(long bytes) {
    add(USAGE, bytes);
  }

  /** Replaces usage if it is still what the decision was made on. */
  public boolean compareAndSetUsage(long expected, long usage) {
    // [S7] strict capacity: no two inserts may use the same room.
    return CELL.compareAndSet(cells, USAGE, expected, usage);
  }

  /** Adds to occupancy and returns what it was. */
  public long getAndAddOccupancy(long entries) {
    return add(OCCUPANCY, entries);
  }

  public void addStandaloneUsage(long bytes) {
    add(STANDALONE, bytes);
  }

  /** An entry of the table is gone. */
  public void removeEntry(long chargeBytes) {
    getAndAddOccupancy(-1);
    addUsage(-chargeBytes);
  }

  /** Claims the next slots for a visit. */
  public long advanceClock(int slots) {
    // [S8] distinct ranges for concurrent sweeps.
    return (long) CELL.getAndAdd(cells, CLOCK, (long) slots);
  }

  private long get(int cell) {
    // [S7] a snapshot; decisions on it are compare-and-sets or tolerate staleness.
    return (long) CELL.getVolatile(cells, cell);
  }

  private long add(int cell, long amount) {
    // [S7] a number that orders nothing else.
    return (long) CELL.getAndAdd(cells, cell, amount);
  }
}
