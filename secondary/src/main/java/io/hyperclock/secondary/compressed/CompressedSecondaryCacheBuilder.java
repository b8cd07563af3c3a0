/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.compression.Compressor;
import io.hyperclock.secondary.internal.record.Encoding;
import io.hyperclock.secondary.internal.tier.Arguments;
import java.util.Set;

/**
 * Settings of a {@link CompressedSecondaryCache}. {@link #capacityBytes} has no default. Each
 * setter checks its argument and returns this. Not thread-safe; may be used to build several tiers.
 */
public final class CompressedSecondaryCacheBuilder {
  private static final long UNSET = -1;

  /** Above this, the least capacity for an estimated charge would not be any further on. */
  private static final long LARGEST_LEAST = 1 << 14;

  String name = "compressed";
  long capacityBytes = UNSET;
  private long maxCapacityBytes = UNSET;
  long estimatedEntryCharge = 4 << 10;
  final Encoding encoding = new Encoding();

  CompressedSecondaryCacheBuilder() {}

  /**
   * Sets the name for statistics and messages; default "compressed".
   *
   * @param name the name, not blank
   * @return this
   */
  public CompressedSecondaryCacheBuilder name(String name) {
    this.name = Arguments.notBlank("name", name);
    return this;
  }

  /**
   * Sets the memory that the tier may take.
   *
   * @param capacityBytes bytes, at least {@link #leastCapacityBytes} for the tier to serve; 0
   *     disables it until its capacity is set
   * @return this
   */
  public CompressedSecondaryCacheBuilder capacityBytes(long capacityBytes) {
    this.capacityBytes = Arguments.notNegative("capacityBytes", capacityBytes);
    return this;
  }

  /**
   * Sets the largest capacity that the tier is to have in its life, for which its tables are made;
   * default its first capacity. In a shared budget, what the largest ratio gives it.
   *
   * @param maxCapacityBytes bytes, greater than 0
   * @return this
   */
  public CompressedSecondaryCacheBuilder maxCapacityBytes(long maxCapacityBytes) {
    this.maxCapacityBytes = Arguments.positive("maxCapacityBytes", maxCapacityBytes);
    return this;
  }

  /**
   * Sets the average charge to expect of an entry: the compressed value and 25 bytes, rounded up to
   * a multiple of 8. The number of slots follows from it. Too high wastes capacity, because slots
   * run out first; too low wastes memory for slots, 61 bytes each with their dummies. Default 4
   * KiB; {@link CompressedSecondaryCache#problems()} recommends a better one once the tier is full.
   *
   * @param estimatedEntryCharge bytes, greater than 0
   * @return this
   */
  public CompressedSecondaryCacheBuilder estimatedEntryCharge(long estimatedEntryCharge) {
    this.estimatedEntryCharge = Arguments.positive("estimatedEntryCharge", estimatedEntryCharge);
    return this;
  }

  /**
   * Sets how to compress: the first of these that can be used here, or {@link Compression#DEFLATE}
   * if none can. It is tried when the tier is built, never later. Default LZ4, then Zstandard.
   *
   * @param first first choice
   * @param next what to use instead, in this order
   * @return this
   */
  public CompressedSecondaryCacheBuilder compression(Compression first, Compression... next) {
    encoding.prefer(first, next);
    return this;
  }

  /**
   * Sets a compressor of the caller's.
   *
   * @param compressor used by this tier as long as it lives
   * @return this
   */
  public CompressedSecondaryCacheBuilder compressor(Compressor compressor) {
    encoding.use(compressor);
    return this;
  }

  /**
   * Sets whose values are stored as they are encoded, because they do not compress or are read too
   * often; default filters.
   *
   * @param roles any roles
   * @return this
   */
  public CompressedSecondaryCacheBuilder uncompressedRoles(Set<EntryRole> roles) {
    encoding.leaveRaw(roles);
    return this;
  }

  /**
   * Says what capacity a tier must have to serve, with what is set so far: its tables, and one
   * byte. What it has beyond is for records, so it should be much more. Tables are made for {@link
   * #maxCapacityBytes} if that is set; else the tier has no larger tables than its capacity asks
   * for, and this is the least that {@link #build} accepts. With less, a tier that may grow is
   * disabled until it has grown.
   *
   * @return bytes
   * @throws IllegalArgumentException if the tables of the largest capacity cannot be made, or the
   *     estimated charge is so low that tables take all of any capacity
   */
  public long leastCapacityBytes() {
    return maxCapacityBytes == UNSET ? least() : tableBytes() + 1;
  }

  /** The least capacity that has room for the tables made for it. */
  private long least() {
    for (long capacity = 1; capacity <= LARGEST_LEAST; capacity++) {
      if (leavesRoom(capacity)) {
        return capacity;
      }
    }
    throw new IllegalArgumentException(
        "estimatedEntryCharge must leave room beside the tables: estimatedEntryCharge="
            + estimatedEntryCharge);
  }

  private boolean leavesRoom(long capacity) {
    if (capacity <= OfferDummies.bytes(capacity / estimatedEntryCharge)) {
      return false;
    }
    try {
      return CompressedStore.tableBytes(capacity, estimatedEntryCharge) < capacity;
    } catch (IllegalArgumentException noRoomForSlots) {
      return false;
    }
  }

  /** Bytes of the tables, if they can be made at all. */
  private long tableBytes() {
    long maxMemory = Runtime.getRuntime().maxMemory();
    long bytes = Long.MAX_VALUE;
    IllegalArgumentException cause = null;
    try {
      bytes = CompressedStore.tableBytes(maxCapacity(), estimatedEntryCharge);
    } catch (IllegalArgumentException e) {
      cause = e;
    }
    if (bytes > maxMemory) {
      throw new IllegalArgumentException(
          "tables must fit into the heap and leave room for records, so use a lower capacity or a"
              + " higher estimatedEntryCharge: capacityBytes="
              + capacityBytes
              + ", maxCapacityBytes="
              + maxCapacity()
              + ", estimatedEntryCharge="
              + estimatedEntryCharge
              + ", maxMemory="
              + maxMemory,
          cause);
    }
    return bytes;
  }

  /**
   * Makes a tier; its tables are allocated at once.
   *
   * @return a new, empty tier, to be closed by the caller
   * @throws IllegalStateException if the capacity is missing, or is 0 and the largest is missing
   * @throws IllegalArgumentException if the settings do not fit together, the largest capacity is
   *     less than {@link #leastCapacityBytes}, or its tables are larger than the heap
   */
  public CompressedSecondaryCache build() {
    if (capacityBytes == UNSET || capacityBytes == 0 && maxCapacityBytes == UNSET) {
      throw new IllegalStateException(
          "capacityBytes must be set, and maxCapacityBytes if that is 0: capacityBytes="
              + (capacityBytes == UNSET ? "unset" : "0"));
    }
    if (maxCapacityBytes != UNSET && maxCapacityBytes < capacityBytes) {
      throw new IllegalArgumentException(
          "maxCapacityBytes must be >= capacityBytes: maxCapacityBytes="
              + maxCapacityBytes
              + ", capacityBytes="
              + capacityBytes);
    }
    long least = least();
    if (maxCapacity() < least) {
      String name = maxCapacityBytes == UNSET ? "capacityBytes" : "maxCapacityBytes";
      throw new IllegalArgumentException(
          name
              + " must be >= leastCapacityBytes: "
              + name
              + "="
              + maxCapacity()
              + ", leastCapacityBytes="
              + least);
    }
    tableBytes();
    return new CompressedSecondaryCache(this);
  }

  long maxCapacity() {
    return maxCapacityBytes == UNSET ? capacityBytes : maxCapacityBytes;
  }
}
