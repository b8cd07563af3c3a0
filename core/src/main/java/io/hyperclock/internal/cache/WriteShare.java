/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.table.Migration;

/**
 * The part of the work on the tables of a shard that one write does: whether it looks for a better
 * size, and how many blocks it moves.
 */
final class WriteShare {
  /** One write in so many looks whether another size is of use; all do in small tables. */
  static final int WRITES_PER_LOOK = 16;

  static final int SMALL = 1024;

  /** Parts of the capacity from which on a charge is worth a look. */
  private static final int LARGE_SHARE = 256;

  /** Slots for each entry from which on a write moves more than one block. */
  static final int SLOTS_PER_ENTRY = 2;

  /** Tables that are moved at least while the capacity is written once. */
  private static final int MOVES_PER_CAPACITY = 16;

  /** Blocks that one write moves at most, besides one. */
  private static final int MOST_BLOCKS = 512;

  private final CapacityLedger ledger;

  /** Of writes to one shard. */
  WriteShare(CapacityLedger ledger) {
    this.ledger = ledger;
  }

  /** Writes of which one looks if another size is of use. */
  static int writesPerLook(Shard shard) {
    return shard.store.slots() <= SMALL ? 1 : WRITES_PER_LOOK;
  }

  /** Whether a write looks if another size is of use. */
  boolean isTimeToLook(Shard shard, long hash, long chargeBytes) {
    return (hash >>> Integer.SIZE & writesPerLook(shard) - 1) == 0 || isLarge(chargeBytes);
  }

  boolean isLarge(long chargeBytes) {
    return chargeBytes > ledger.capacity() / LARGE_SHARE;
  }

  /**
   * Blocks that one write moves: one, but more if it evicts many entries or takes much of the
   * capacity, or if there are so few entries that the others are empty.
   */
  int blocks(Shard before, long chargeBytes) {
    long slots = before.store.slots();
    double share = (double) chargeBytes / Math.max(1, ledger.capacity());
    long byCharge = (long) (share * MOVES_PER_CAPACITY * slots / Migration.BLOCK);
    long byEvictions = chargeBytes / averageCharge() / Migration.BLOCK;
    long byEmptiness = slots / SLOTS_PER_ENTRY / (1 + ledger.occupancy());
    long most = Math.max(byCharge, Math.max(byEvictions, byEmptiness));
    return 1 + (int) Math.min(MOST_BLOCKS, most);
  }

  long averageCharge() {
    return 1 + Math.max(0, ledger.usageOfEntries()) / Math.max(1, ledger.occupancy());
  }
}
