/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.internal.capacity.CapacityLedger;

/**
 * What is charged for a table of a shard before it is there, in parts. Changed by one thread at a
 * time.
 */
final class TableCharge {
  /** Slots of a table for each part of the charge of a larger one; no write pays for more. */
  private static final int SLOTS_PER_PART = 32;

  /** What {@link #add} has done. */
  enum Part {
    /** There is no room for it. */
    NONE,

    /** More is to come. */
    ANOTHER,

    /** The table may be made. */
    LAST
  }

  private final CapacityLedger ledger;

  /** What is charged so far; exact while no thread writes. */
  long charged;

  private int slots;

  /** Nothing yet. */
  TableCharge(CapacityLedger ledger) {
    this.ledger = ledger;
  }

  /** Slots of the table, or 0 if nothing is being charged. */
  int slots() {
    return slots;
  }

  /**
   * Charges another part, as much as there is room for; evicts for the least.
   *
   * @param wanted slots of the table
   * @param chargeBytes that of the value that is about to be written, or 0
   */
  Part add(Shard shard, int wanted, long chargeBytes) {
    long bytes = shard.sizing.withSlots(wanted).metadataBytes();
    long part = Math.max(1 + SLOTS_PER_PART * bytes / shard.store.slots(), chargeBytes);
    long free = ledger.capacity() - ledger.usage() - chargeBytes;
    long missing = Math.min(Math.max(part, free), bytes - charged);
    slots = wanted;
    if (missing > 0) {
      if (!shard.enforcer.reserveUsage(missing)) {
        return isRelief(shard, wanted) ? Part.LAST : Part.NONE;
      }
      ledger.slotsCame(missing);
      charged += missing;
    }
    return charged >= bytes ? Part.LAST : Part.ANOTHER;
  }

  /** Whether a table could be charged without an eviction; reads the ledger only. */
  boolean isFree(Shard from, int wanted) {
    long missing = from.sizing.withSlots(wanted).metadataBytes() - charged;
    return ledger.capacity() - ledger.usage() >= missing;
  }

  /** Whether a smaller table is charged in any case: slots alone exceed the capacity. */
  boolean isRelief(Shard from, int wanted) {
    return wanted < from.store.slots() && ledger.metadataBytes() > ledger.capacity();
  }

  /** Charges what is missing for a new table, or gives back what is too much. */
  boolean isPaid(Shard from, int wanted, long bytes) {
    long missing = bytes - charged;
    if (missing <= 0) {
      ledger.slotsLeft(-missing);
    } else if (from.enforcer.reserveUsage(missing)) {
      ledger.slotsCame(missing);
    } else if (isRelief(from, wanted)) {
      ledger.addUsage(missing);
      ledger.slotsCame(missing);
    } else {
      return false;
    }
    charged = bytes;
    return true;
  }

  /** There will be no such table. */
  void giveBack() {
    ledger.slotsLeft(charged);
    spent();
  }

  /** The table is there, and has its charge. */
  void spent() {
    charged = 0;
    slots = 0;
  }
}
