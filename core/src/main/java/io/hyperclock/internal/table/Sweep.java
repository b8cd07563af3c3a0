/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.slot.Meta;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Slots;

/**
 * The clock hand of one shard. Any number of threads sweep at once: each claims four slots at a
 * time from the shared pointer and visits them alone or, a full round later, together with others;
 * every change is one compare-and-set that is skipped if it fails. Nobody waits.
 *
 * <p>Source: RocksDB {@code FixedHyperClockTable::Evict}; changed: one round more, so that entries
 * of the highest countdown can be evicted in one call; blocks of dropped files leave at first
 * sight.
 */
public final class Sweep {
  private static final int STEP = 4;

  /** No effort cap, and a last round that takes whatever is not pinned. */
  public static final int NO_EFFORT_CAP = Integer.MAX_VALUE;

  private final ClockTable table;
  private final Slots slots;
  private final SlotStore store;
  private final CapacityLedger ledger;
  private final Replacement policy;
  private final EntryCallbacks callbacks;
  private final int rounds;

  /** What one sweep did. Not shared. */
  static final class Tally {
    long freedBytes;
    long freedEntries;
    long pinnedSeen;
    boolean effortExceeded;
  }

  /**
   * A hand over a table.
   *
   * @param rounds full rounds after which one sweep gives up
   */
  public Sweep(
      ClockTable table,
      CapacityLedger ledger,
      Replacement policy,
      EntryCallbacks callbacks,
      int rounds) {
    this.table = table;
    this.slots = table.slots();
    this.store = slots.store();
    this.ledger = ledger;
    this.policy = policy;
    this.callbacks = callbacks;
    this.rounds = rounds;
  }

  /**
   * Evicts until enough was freed, everything was visited often enough, or it does not pay: too
   * many pinned entries for too few freed ones.
   *
   * @param bytes charge to free
   * @param entries entries to free
   * @param effortCap pinned entries to pass per freed one
   */
  Tally run(long bytes, long entries, int effortCap) {
    Tally tally = new Tally();
    int count = store.slots();
    long pointer = ledger.advanceClock(STEP);
    boolean mustFree = effortCap == NO_EFFORT_CAP;
    long ruthless = mustFree ? pointer + (long) policy.maxCountdown() * count : Long.MAX_VALUE;
    long limit = mustFree ? ruthless + count : pointer + (long) rounds * count;
    for (; ; ) {
      int slot = (int) Long.remainderUnsigned(pointer, count);
      for (int i = 0; i < STEP; i++) {
        visit(slot, tally, pointer >= ruthless);
        slot = slot + 1 == count ? 0 : slot + 1;
      }
      if (tally.freedBytes >= bytes && tally.freedEntries >= entries || pointer >= limit) {
        return tally;
      }
      if (!mustFree && (tally.freedEntries + 1) * effortCap <= tally.pinnedSeen) {
        tally.effortExceeded = true;
        return tally;
      }
      pointer = ledger.advanceClock(STEP);
    }
  }

  private void visit(int slot, Tally tally, boolean ruthless) {
    long meta = store.metaOpaque(slot);
    if (!Meta.isShareable(meta)) {
      return;
    }
    if (Meta.refcount(meta) != 0) {
      tally.pinnedSeen++;
      return;
    }
    if (Meta.isVisible(meta) && !ruthless) {
      int countdown = policy.visit(Meta.releases(meta));
      if (countdown >= 0 && !callbacks.isDead(store.keyHiOpaque(slot))) {
        slots.age(slot, meta, countdown);
        return;
      }
    }
    if (slots.take(slot, meta)) {
      tally.freedBytes += table.evict(slot, meta);
      tally.freedEntries++;
    }
  }
}
