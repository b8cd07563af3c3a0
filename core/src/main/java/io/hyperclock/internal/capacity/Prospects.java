/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import io.hyperclock.internal.policy.EvictionRequest;

/**
 * Whether an eviction can make space in one shard, as far as is known without examining its slots.
 *
 * <p>What reservations and other standalone entries take can never be evicted, and the ledger knows
 * it. How much of the table is pinned is not counted, because pins are taken and ended by reads. So
 * a sweep that found too little to evict is remembered: all that it left in the table was pinned.
 * Since then entries may have left (the ledger shows it), others may have come (at most what usage
 * has grown by), and pins may have ended, which only a look at the slots can tell: {@link
 * ShortSweep}. Where entries are far apart short sweeps may find as little as comes, and never what
 * is beyond a capacity that is not strict. So there a turn of them that meets fewer pinned entries
 * than there were tells that pins have ended.
 *
 * <p>An estimate. Races make it wrong by a few entries; it then costs a sweep too many, or short
 * sweeps for up to one turn of the table.
 */
final class Prospects {
  /** A table with an entry to evict in fewer than so many slots is not worth a whole sweep. */
  private static final int SPARSE = 64;

  /** Part of a short sweep in which room is found if it is no longer scarce. */
  private static final int EASY = 8;

  /** So many short sweeps in a row must find it there: one may be lucky. */
  private static final int EASY_IN_A_ROW = 8;

  private final CapacityLedger ledger;
  private final int slots;

  private static final long UNKNOWN = -1;

  /** Charge of entries that were found pinned, or {@link #UNKNOWN}. */
  private volatile long pinnedBytes = UNKNOWN;

  private volatile long pinnedEntries;
  private volatile int easyInARow;

  /** Slots that short sweeps have looked at in this turn, and the pinned entries they have met. */
  private volatile long looks;

  private volatile long pinnedMet;

  /** Nothing is known about the shard of this ledger. */
  Prospects(CapacityLedger ledger, int slots) {
    this.ledger = ledger;
    this.slots = slots;
  }

  /** To be called now and then: what has left the table is no longer pinned in it. */
  void look() {
    long pinned = pinnedBytes;
    if (pinned != UNKNOWN) {
      long usage = Math.max(0, ledger.usageOfEntries());
      if (usage < pinned) {
        pinnedBytes = usage;
      }
      long entries = ledger.occupancy();
      if (entries < pinnedEntries) {
        pinnedEntries = entries;
      }
    }
  }

  /** Whether a charge would not fit if the table were empty. */
  boolean isBeyondReach(long charge) {
    return request(0) < charge;
  }

  /** Bytes that entries would have if all but so many of them were evicted. */
  private long request(long pinned) {
    return ledger.capacityOfEntries() + ledger.retiredUsage() - pinned;
  }

  /**
   * Whether, unless pins have ended since the last sweep that found too little, a charge does not
   * fit even if all that is not pinned is evicted.
   */
  boolean isFull(long charge, boolean needSlot, EvictionRequest request) {
    long pinned = pinnedBytes;
    return pinned != UNKNOWN
        && (request(pinned) < charge || needSlot && isAllPinned(pinned, request));
  }

  /** Whether nothing has come since; entries without a charge are told by their number. */
  private boolean isAllPinned(long pinned, EvictionRequest request) {
    return pinned == 0
        ? ledger.occupancy() <= pinnedEntries
        : ledger.usageOfEntries() - request.deferredBytes() <= pinned;
  }

  /** Whether there are so few entries to evict that each would cost a long search. */
  boolean areFewLeft() {
    return ledger.occupancy() - pinnedEntries < Math.max(1, slots / SPARSE);
  }

  /** Whether there is nothing in the table. */
  boolean isEmpty(EvictionRequest request) {
    return ledger.usageOfEntries() - request.deferredBytes() <= 0 && ledger.occupancy() == 0;
  }

  /** A sweep of the whole table has taken all that could be evicted. */
  void foundTooLittle(EvictionRequest request) {
    pinnedEntries = ledger.occupancy();
    pinnedBytes = Math.max(0, ledger.usageOfEntries() - request.deferredBytes());
    easyInARow = 0;
    looks = 0;
    pinnedMet = 0;
  }

  private void forget() {
    pinnedBytes = UNKNOWN;
    pinnedEntries = 0;
  }

  /**
   * A short sweep is over. What it has taken was pinned before, or has come since. Strict inserts
   * must not be refused because of a guess, so there it counts as the former.
   */
  void swept(EvictionRequest request, boolean isFulfilled) {
    if (!isFulfilled || request.looks() > ShortSweep.LOOKS / EASY) {
      easyInARow = 0;
    } else if (++easyInARow >= EASY_IN_A_ROW) {
      forget();
      return;
    }
    long pinned = pinnedBytes;
    if (!ledger.isStrict()) {
      if (havePinsEnded(request)) {
        forget();
      }
    } else if (pinned != UNKNOWN) {
      pinnedBytes = Math.max(0, pinned - request.freedBytes());
      pinnedEntries = Math.max(0, pinnedEntries - request.freedEntries());
    }
  }

  /** Whether a turn of short sweeps ends that has met fewer pinned entries than there were. */
  private boolean havePinsEnded(EvictionRequest request) {
    long looked = looks + request.looks();
    long met = pinnedMet + request.pinnedSeen();
    boolean isTurnOver = looked >= slots;
    looks = isTurnOver ? 0 : looked;
    pinnedMet = isTurnOver ? 0 : met;
    return isTurnOver && (met == 0 || met < pinnedEntries);
  }
}
