/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.CapacityMode;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;

/**
 * One variant of the model test.
 *
 * @param changing whether capacity and mode change during the run
 */
record ModelSettings(
    Size size,
    SlotStorage storage,
    CapacityMode mode,
    boolean changing,
    ReplacementPolicy replacement,
    int shards,
    int threads) {

  /** How much there is of everything. */
  enum Size {
    /** A handful of keys: threads meet on the same entry all the time. */
    HOT(14, 4, 2, 2),
    /** A handful of slots: every slot is reused all the time and most probe paths cross. */
    TINY(14, 10, 3, 2),
    /** A few dozen slots: nearly as crowded. */
    DOZENS(44, 34, 8, 3),
    /** Some hundred slots a shard. */
    SMALL(250, 200, 40, 8),
    /** Thousands of slots: several threads rarely meet. */
    LARGE(4000, 3000, 600, 100);

    final int entries;
    final int sharedKeys;
    final int privateKeys;
    final int pins;

    Size(int entries, int sharedKeys, int privateKeys, int pins) {
      this.entries = entries;
      this.sharedKeys = sharedKeys;
      this.privateKeys = privateKeys;
      this.pins = pins;
    }
  }

  static final long ENTRY_BYTES = 1000;

  /** On purpose no multiple of the number of shards. */
  long capacityBytes() {
    return shards * size.entries * ENTRY_BYTES + 7;
  }

  long shardBytes() {
    return capacityBytes() / shards;
  }

  MetadataCharge metadataCharge() {
    return shards == 1 ? MetadataCharge.FULL : MetadataCharge.NONE;
  }

  int sharedKeys() {
    return shards * size.sharedKeys;
  }

  /** Keys that only one thread inserts and erases. */
  int privateKeys() {
    return size.privateKeys;
  }

  int pinsPerThread() {
    return size.pins;
  }

  @Override
  public String toString() {
    return String.join(
        " ",
        size.toString(),
        storage.toString(),
        changing ? "CHANGING" : mode.toString(),
        replacement.toString(),
        shards + " shards",
        threads + " threads");
  }
}
