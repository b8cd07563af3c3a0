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

  private final CapacityLedger ledger;
  private final WriteShare share;

  // Plain: these steer when to look, and a lost step does no harm.
  private final RecentCharge recentCharge = new RecentCharge();
  private long events;
  private int patience = 1;
  private boolean hasShrunk;

  /** For one shard of a cache. */
  WantedSize(CapacityLedger ledger, WriteShare share) {
    this.ledger = ledger;
    this.share = share;
  }

  /** Notes a write that looks whether another size is of use. */
  void note(Shard shard, long chargeBytes) {
    int usual = WriteShare.writesPerLook(shard);
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
    TableSizing sizing = shard.sizing;
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
    int slots = from.store.slots();
    int most = Math.min(from.sizing.most(ledger.capacity()), TableMaker.SLOTS_AT_ONCE);
    return SizingRule.wholeBuckets(WriteShare.SLOTS_PER_ENTRY * (double) slots, slots, most);
  }
}
