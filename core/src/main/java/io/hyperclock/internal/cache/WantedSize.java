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
import io.hyperclock.internal.table.Migration;

/**
 * How many slots the next table of a shard should have, as {@link SizingRule} says, and the part of
 * the work for it that one write does: whether it looks for a better size, and how many blocks it
 * moves.
 */
final class WantedSize {
  /** One write in so many looks whether another size is of use; all do in small tables. */
  private static final int WRITES_PER_LOOK = 16;

  private static final int SMALL = 1024;

  /** Parts of the capacity from which on a charge is worth a look. */
  private static final int LARGE_SHARE = 256;

  /** Slots for each entry from which on a write moves more than one block. */
  private static final int SLOTS_PER_ENTRY = 2;

  /** Tables that are moved at least while the capacity is written once. */
  private static final int MOVES_PER_CAPACITY = 16;

  /** Blocks that one write moves at most, besides one. */
  private static final int MOST_BLOCKS = 512;

  /**
   * Slots for each event that must pass from one change of the size to a smaller one; no more
   * events than there are entries.
   */
  private static final int SLOTS_PER_EVENT = 4;

  /** Times as many events for the next smaller one, after one that was too small, and at most. */
  private static final int PATIENCE_STEP = 4;

  private static final int MOST_PATIENCE = 1 << 10;

  /** Slots that are looked at for pins before a table becomes smaller. */
  private static final int LOOKS_FOR_PINS = 1 << 12;

  /** Slots of a table for each pinned entry that comes to it: with fewer some may find no place. */
  private static final int SLOTS_PER_PIN = 2;

  private final CapacityLedger ledger;

  // Plain: these steer when to look, and a lost step does no harm.
  private final RecentCharge recentCharge = new RecentCharge();
  private long events;
  private int patience = 1;
  private boolean hasShrunk;

  /** For one shard of a cache. */
  WantedSize(CapacityLedger ledger) {
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

  private boolean isLarge(long chargeBytes) {
    return chargeBytes > ledger.capacity() / LARGE_SHARE;
  }

  /** Notes a write that looks whether another size is of use. */
  void note(Shard shard, long chargeBytes) {
    int usual = writesPerLook(shard);
    int writesSince = isLarge(chargeBytes) ? 1 : usual;
    recentCharge.add(chargeBytes, writesSince, usual, ledger.occupancy());
    events += writesSince * (1 + chargeBytes / averageCharge());
  }

  private long averageCharge() {
    return 1 + Math.max(0, ledger.usageOfEntries()) / Math.max(1, ledger.occupancy());
  }

  /**
   * Blocks that one write moves: one, but more if it evicts many entries or takes much of the
   * capacity, or if there are so few entries that the others are empty.
   */
  int blocksToMove(Shard before, long chargeBytes) {
    long slots = before.store.slots();
    double share = (double) chargeBytes / Math.max(1, ledger.capacity());
    long byCharge = (long) (share * MOVES_PER_CAPACITY * slots / Migration.BLOCK);
    long byEvictions = chargeBytes / averageCharge() / Migration.BLOCK;
    long byEmptiness = slots / SLOTS_PER_ENTRY / (1 + ledger.occupancy());
    long most = Math.max(byCharge, Math.max(byEvictions, byEmptiness));
    return 1 + (int) Math.min(MOST_BLOCKS, most);
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

  /** Whether enough has happened since the last change for a table of fewer slots than these. */
  boolean isSmallerInTime(int slots) {
    return events >= eventsBeforeSmaller(slots);
  }

  private long eventsBeforeSmaller(int slots) {
    return patience * Math.min(slots / SLOTS_PER_EVENT, ledger.occupancy());
  }

  /**
   * Whether a smaller table has places for what is pinned, as far as some of the slots tell. If it
   * had none, entries would stay where they are until pins end, and until then no other table could
   * come, not even a larger one. Nor would it be of use: the present table could not go. The next
   * look comes after as many events as this has looked at slots.
   */
  boolean hasPlacesForPinned(Shard shard, int smaller) {
    int slots = shard.store.slots();
    int looks = Math.min(slots, LOOKS_FOR_PINS);
    double pinned = (double) shard.scan.pinnedIn(looks) * slots / looks;
    if (pinned <= (double) smaller / SLOTS_PER_PIN) {
      return true;
    }
    events = Math.min(events, eventsBeforeSmaller(slots) - looks);
    return false;
  }

  /** What the next table of a shard should be, by what is known now. */
  SizingRule rule(Shard shard) {
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
    return SizingRule.wholeBuckets(SLOTS_PER_ENTRY * (double) slots, slots, most);
  }
}
