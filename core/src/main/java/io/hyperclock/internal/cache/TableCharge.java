/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.sizing.TableMaker;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The next table of a shard before it is there: it is charged in parts, then made. Changed by one
 * thread at a time.
 */
final class TableCharge {
  /** Slots of a table for each part of the charge of a larger one; no write pays for more. */
  private static final int SLOTS_PER_PART = 32;

  private final CapacityLedger ledger;

  /** Makes the shard with the table once that is charged. */
  final TableMaker<Shard> maker;

  /** What is charged so far; exact while no thread writes. */
  long charged;

  /** Slots of the table, or 0 if nothing is being charged. */
  int slots;

  /** Smaller capacities so far. */
  private final AtomicInteger era = new AtomicInteger();

  private int eraOfCharge;

  /** Nothing yet. */
  TableCharge(CapacityLedger ledger, Executor executor) {
    this.ledger = ledger;
    this.maker = new TableMaker<>(executor);
  }

  /** Smaller capacities so far: what was chosen in one era is not to be charged in another. */
  int era() {
    return era.get();
  }

  /**
   * Charges another part, all that is free or else the least, for which it evicts.
   *
   * @param wanted slots of the table
   * @param chargeBytes that of the value that is about to be written, or 0
   * @return whether there was room for it
   */
  boolean add(Shard shard, int wanted, long chargeBytes) {
    slots = wanted;
    if (isRelief(shard, wanted)) {
      return true;
    }
    long all = missing(shard, wanted);
    long part = 1 + SLOTS_PER_PART * (charged + all) / shard.store.slots();
    long missing = Math.min(Math.max(part, chargeBytes), all);
    if (missing > 0) {
      long free = takeFree(missing, all, chargeBytes);
      if (free == 0 && !shard.enforcer.reserveUsage(missing)) {
        return false;
      }
      long added = free == 0 ? missing : free;
      ledger.slotsCame(added);
      charged += added;
    }
    return true;
  }

  private long missing(Shard from, int wanted) {
    return from.sizing.withSlots(wanted).metadataBytes() - charged;
  }

  /** Whether all is charged that is to be before the table is made. */
  boolean isComplete(Shard from, int wanted) {
    return missing(from, wanted) <= 0 || isRelief(from, wanted);
  }

  /** Adds to the usage what is free, if that is more than the least; how much it was. */
  private long takeFree(long least, long most, long chargeBytes) {
    long capacity = ledger.capacity();
    long usage = ledger.usage();
    long free = Math.min(capacity - usage - chargeBytes, most);
    // Exactly what was free: a reservation that no longer fits evicts as much as it asks for.
    if (free <= least || !ledger.compareAndSetUsage(usage, usage + free)) {
      return 0;
    }
    if (ledger.capacity() < capacity) {
      ledger.addUsage(-free);
      return 0;
    }
    return free;
  }

  /** Whether a table could be charged without an eviction; reads the ledger only. */
  boolean isFree(Shard from, int wanted) {
    return ledger.capacity() - ledger.usage() >= missing(from, wanted);
  }

  /** Whether a smaller table is charged at once, in any case: slots alone exceed the capacity. */
  boolean isRelief(Shard from, int wanted) {
    return wanted < from.store.slots() && ledger.metadataBytes() > ledger.capacity();
  }

  /** Charges what is missing for a new table, or gives back what is too much. */
  boolean isPaid(Shard from, int wanted) {
    long missing = missing(from, wanted);
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
    charged += missing;
    return true;
  }

  /** What is being made, though another size would be better by now; but no smaller one to grow. */
  int goal(Shard shard, int wanted) {
    int present = shard.store.slots();
    int made = maker.slotsFor(shard);
    return made == 0 || made < present && wanted > present ? wanted : made;
  }

  /** To be called by any thread: what is charged so far was wanted for a larger capacity. */
  void outdate() {
    era.getAndIncrement();
  }

  /** Gives up what is outdated; whether it was. */
  boolean giveBackOutdated() {
    int present = era.get();
    boolean was = eraOfCharge != present;
    if (was) {
      eraOfCharge = present;
      giveBack();
    }
    return was;
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
    maker.forget();
  }
}
