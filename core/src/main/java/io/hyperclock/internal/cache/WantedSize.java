/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.sizing.RecentCharge;
import io.hyperclock.internal.sizing.SizingRule;
import io.hyperclock.internal.sizing.TableMaker;
import io.hyperclock.internal.sizing.TableSizing;
import java.util.concurrent.atomic.AtomicInteger;

/** How many slots the next table of a shard should have, as {@link SizingRule} says. */
final class WantedSize {
  /**
   * Slots for each event that must pass from one change of the size to a smaller one; no more
   * events than there are entries.
   */
  private static final int SLOTS_PER_EVENT = 4;

  /** Times as many events for the next smaller one, after one that was too small, and at most. */
  private static final int PATIENCE_STEP = 4;

  private static final int MOST_PATIENCE = 1 << 10;

  /** Where hardly a key has two full buckets. */
  private static final double FORCED_LOAD = 0.4;

  private final CapacityLedger ledger;
  private final WriteShare share;
  private final int forcedEvery;
  private final int firstSlots;
  private final AtomicInteger writes = new AtomicInteger();

  // Plain: these steer when to look, and a lost step does no harm.
  private final RecentCharge recentCharge = new RecentCharge();
  private long events;
  private int patience = 1;
  private boolean hasShrunk;

  /**
   * For one shard of a cache.
   *
   * @param forcedEvery writes from one change of the size without need to the next; 0 for none
   * @param firstSlots slots of the first table
   */
  WantedSize(CapacityLedger ledger, WriteShare share, int forcedEvery, int firstSlots) {
    this.ledger = ledger;
    this.share = share;
    this.forcedEvery = forcedEvery;
    this.firstSlots = firstSlots;
  }

  /** Notes a write that looks whether another size is of use. */
  void note(Shard shard, long chargeBytes) {
    int usual = shard.store().slots() <= WriteShare.SMALL ? 1 : WriteShare.WRITES_PER_LOOK;
    int writesSince = share.isLarge(chargeBytes) ? 1 : usual;
    recentCharge.add(chargeBytes, writesSince, usual, ledger.occupancy());
    events += writesSince * (1 + chargeBytes / share.averageCharge());
  }

  /**
   * The size has changed. If a table that became smaller was too small for what is held, the next
   * one that is smaller has to wait longer.
   *
   * @param byRule whether the rule wanted it, and not an insert that found its buckets held
   */
  void changed(int before, int slots, boolean byRule) {
    if (slots > before) {
      int longer = hasShrunk ? Math.min(MOST_PATIENCE, PATIENCE_STEP * patience) : patience;
      patience = byRule ? 1 : longer;
    }
    hasShrunk = slots < before;
    events = 0;
  }

  /** Slots of a better table, or 0 if there is none. */
  int of(Shard shard) {
    return rule(shard).wanted();
  }

  /** Slots of a better table after the capacity has become smaller, or 0 if there is none. */
  int afterShrinking(Shard shard) {
    return rule(shard).wantedAfterShrinking();
  }

  /** Whether enough has happened since the last change for a table of fewer slots than these. */
  boolean isSmallerInTime(int slots) {
    return events >= patience * Math.min(slots / SLOTS_PER_EVENT, ledger.occupancy());
  }

  private SizingRule rule(Shard shard) {
    TableSizing sizing = shard.sizing();
    return new SizingRule(
        ledger.occupancy(),
        Math.max(0, ledger.usageOfEntries()),
        Math.max(0, ledger.capacityOfEntries()),
        recentCharge.bytes(),
        sizing.slots(),
        sizing.slotCharge(),
        sizing.least(),
        sizing.most(ledger.capacity()));
  }

  /** Slots of the table that an insert needs which found both of its buckets held. */
  int atOnce(Shard from) {
    int slots = from.store().slots();
    int most = Math.min(from.sizing().most(ledger.capacity()), TableMaker.SLOTS_AT_ONCE);
    return SizingRule.wholeBuckets(WriteShare.SLOTS_PER_ENTRY * (double) slots, slots, most);
  }

  /** Whether the size is to change without need, for tests. */
  boolean isForced() {
    return forcedEvery > 0;
  }

  /** At one write: another size without need, in turn larger, the same, and the first; or 0. */
  int forced(Shard shard) {
    if (writes.incrementAndGet() % forcedEvery != 0) {
      return 0;
    }
    int slots = shard.store().slots();
    TableSizing sizing = shard.sizing();
    double wanted =
        switch (writes.get() / forcedEvery % 3) {
          case 0 -> slots * 1.5;
          case 1 -> slots;
          default -> Math.max(ledger.occupancy() / FORCED_LOAD, firstSlots);
        };
    int most = Math.max(2 * firstSlots, sizing.most(ledger.capacity()));
    return SizingRule.wholeBuckets(wanted, sizing.least(), most);
  }
}
