/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import io.hyperclock.internal.errors.Figure;
import io.hyperclock.internal.observe.ObserverNotifier;
import io.hyperclock.internal.policy.EvictableEntries;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.EvictionRequests;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.slot.SlotProtocol;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one owner of a shard's room: decides how much to evict for a charge or a slot, and keeps the
 * usage exact even if the policy frees too much or too little.
 *
 * <ul>
 *   <li>What read scopes hold back is usage too, but evicting more would not set it free: a strict
 *       charge then tries a bounded number of times whether the scopes have ended, and is refused;
 *       a non-strict one makes room for a sixteenth of the capacity of it, and exceeds the capacity
 *       by the rest.
 *   <li><b>Strict</b>: usage is raised by one compare-and-set, and only if it then fits, so it
 *       never goes above the capacity; else what is missing is evicted and it is tried again, as
 *       long as a sweep frees something. Room that another insert takes meanwhile is evicted anew.
 *   <li><b>Non-strict</b>: room is made as far as it can be had, then usage is raised.
 *   <li><b>Slots</b>: far from the limit of the occupancy it is raised at the end only, by the
 *       difference of what came and what left, which is mostly nothing. Near it the place is
 *       reserved first, so that inserts at once do not fill the last slots.
 *   <li>Where {@link Prospects} are that the charge will not fit anyway, no insert pays for a whole
 *       sweep: a {@link ShortSweep} looks whether pins have ended. What cannot fit into an empty
 *       table is refused at once (strict), or evicts what a short sweep meets (non-strict).
 *   <li>What a callback of an eviction charges evicts nothing, so that a callback that inserts
 *       cannot go on for ever.
 * </ul>
 *
 * <p>Source: RocksDB {@code ChargeUsageMaybeEvict…}; changed: what is freed is off the ledger at
 * once, before the user's callbacks run; an entry larger than the usage makes room too; strict
 * tries again; a shrinking capacity is swept by the thread that shrinks it.
 */
public final class CapacityEnforcer {
  /** Inserts at once that may pass the limit together; the table has slots to spare for more. */
  private static final int AT_ONCE = 256;

  private static final int SHRINK_STEPS = 64;

  /** Sweeps in a row that do not bring the usage lower: others may take what one was to find. */
  private static final int FRUITLESS_SWEEPS = 2;

  /** Times that a strict charge looks again for room which read scopes hold back. */
  private static final int PATIENCE = 128;

  /** Share of the entries that leave at a time where they leave early. */
  private static final int EARLY_SHARE = 128;

  /** Share of the capacity that entries give up for what read scopes hold back, non-strict. */
  private static final int RETIRED_SHARE = 16;

  private final CapacityLedger ledger;
  private final @Nullable ValueRelease valueRelease;
  private final Replacement replacement;
  private final EvictableEntries residents;
  private final long occupancyLimit;
  private final int effortCap;
  private final EvictionRequests requests;
  private final Prospects prospects;
  private final Sweeps sweeps;
  private BooleanSupplier search = () -> false;

  /**
   * The room of one shard.
   *
   * @param valueRelease what has left through them, or null if no value ever retires and there are
   *     no callbacks
   * @param slots those of the residents
   * @param occupancyLimit entries from which on each new one must evict another
   * @param effortCap pinned entries to pass per freed one, at least 1
   * @param effortExceeded counts sweeps given up
   * @param watch notified of each sweep, or null
   */
  public CapacityEnforcer(
      CapacityLedger ledger,
      @Nullable ValueRelease valueRelease,
      Replacement replacement,
      EvictableEntries residents,
      SlotProtocol slots,
      long occupancyLimit,
      int effortCap,
      Figure effortExceeded,
      @Nullable ObserverNotifier watch) {
    this.ledger = ledger;
    this.valueRelease = valueRelease;
    this.replacement = replacement;
    this.residents = residents;
    this.occupancyLimit = occupancyLimit;
    this.effortCap = effortCap;
    this.requests = new EvictionRequests(slots.store().slots());
    this.prospects = new Prospects(ledger, slots.store().slots());
    this.sweeps = new Sweeps(replacement, residents, slots, effortExceeded, watch);
  }

  /** Whether no eviction could make room for an entry, so that it is dropped at once. */
  public boolean isOversize(long charge) {
    return !ledger.isStrict() && charge > ledger.capacity() - ledger.metadataBytes();
  }

  /**
   * Raises usage by a charge, in the current mode.
   *
   * @param charge bytes, at least 0
   * @return false if there is no room; usage is then unchanged
   */
  public boolean reserveUsage(long charge) {
    EvictionRequest request = request(charge);
    try {
      return charge(charge, false, request);
    } finally {
      end(request);
    }
  }

  /** A request for one insert, to be {@linkplain #end ended}. */
  public EvictionRequest request(long charge) {
    EvictionRequest request = requests.begin(charge);
    try {
      replacement.prepare(request);
    } catch (Throwable e) {
      request.end();
      throw e;
    }
    return request;
  }

  /**
   * Raises occupancy and usage for a new entry, or neither.
   *
   * @param request the entry's charge; takes what was evicted. If true is returned, the caller
   *     flushes it to the policy and the statistics; else it is ended
   */
  public boolean reserveSlotAndUsage(EvictionRequest request) {
    boolean reserves = ledger.occupancy() + AT_ONCE > occupancyLimit;
    boolean needSlot = reserves && ledger.getAndAddOccupancy(1) >= occupancyLimit;
    if (!reserves) {
      request.arrives();
    }
    boolean charged = false;
    try {
      long charge = request.chargeBytes();
      charged =
          charge(charge, needSlot, request)
              // Others may have evicted what this sweep was to find.
              || needSlot && ledger.occupancy() <= occupancyLimit && charge(charge, false, request);
    } finally {
      int arrived = charged ? 1 : 0;
      int reserved = reserves ? 1 : 0;
      ledger.addOccupancyUnlessZero(arrived - reserved - request.takeDeferredEntries());
      if (!charged) {
        end(request);
      }
    }
    return charged;
  }

  /** Flushes the deferred sums. */
  public void flush(EvictionRequest request) {
    if (valueRelease != null) {
      valueRelease.flush(request);
    }
    replacement.flush(request);
  }

  /** Flushes the deferred sums and ends the request. */
  public void end(EvictionRequest request) {
    flush(request);
    request.end();
  }

  private boolean charge(long charge, boolean needSlot, EvictionRequest request) {
    prospects.look();
    if (!ledger.isStrict()) {
      return chargeNonStrict(charge, needSlot, request);
    }
    return chargeStrict(charge, needSlot, request)
        || search.getAsBoolean() && chargeStrict(charge, needSlot, request);
  }

  private boolean chargeStrict(long charge, boolean needSlot, EvictionRequest request) {
    int patience = PATIENCE;
    for (; ; ) {
      long capacity = ledger.capacity();
      long deferred = request.deferredBytes();
      long before = ledger.usage() - deferred;
      long toFree = before + charge - capacity;
      if (toFree <= 0 && !needSlot) {
        if (charge != deferred && !ledger.compareAndSetUsage(before + deferred, before + charge)) {
          continue;
        }
        request.takeDeferredBytes();
        if (ledger.capacity() >= capacity) {
          return true;
        }
        ledger.addUsage(-charge);
        continue;
      }
      if (!residents.mayEvict()) {
        return false;
      }
      long missing = Math.max(0, toFree - ledger.retiredUsage());
      if (missing == 0 && !needSlot && valueRelease != null) {
        if (patience-- == 0) {
          return false;
        }
        valueRelease.reclaimer.reclaim();
        Thread.onSpinWait();
        continue;
      }
      if (prospects.isBeyondReach(charge)) {
        return false;
      }
      if (prospects.isFull(charge, needSlot, request)) {
        if (!makeRoomShortly(request, missing, needSlot, EvictionRequest.NO_EFFORT_CAP)) {
          return false;
        }
        needSlot = false;
        continue;
      }
      sweeps.run(request, missing, needSlot, EvictionRequest.NO_EFFORT_CAP);
      if (!request.isFulfilled()) {
        prospects.foundTooLittle(request);
      }
      if (request.freedEntries() > 0) {
        needSlot = false;
      } else if (needSlot || ledger.usage() - request.deferredBytes() + charge > capacity) {
        return false;
      }
    }
  }

  private boolean chargeNonStrict(long charge, boolean needSlot, EvictionRequest request) {
    long capacity = ledger.capacity();
    long waiting = ledger.retiredUsage() == 0 ? 0 : beyondShareOfRetired(capacity);
    long usage = ledger.usage() - request.deferredBytes() - waiting;
    long toFree = 0;
    if (usage + charge > capacity) {
      if (charge <= usage) {
        toFree = charge;
        if (usage > capacity) {
          toFree += Math.min(capacity / 1024, charge) + 1;
        }
      } else {
        toFree = Math.min(usage, usage + charge - capacity);
      }
    }
    if (toFree == 0 && !needSlot) {
      ledger.addUsage(charge - request.takeDeferredBytes());
      return true;
    }
    if (!residents.mayEvict()) {
      ledger.addUsage(needSlot ? 0 : charge);
      return !needSlot;
    }
    makeRoomNonStrict(request, toFree, needSlot);
    boolean slotFreed = !needSlot || request.freedEntries() > 0;
    if (slotFreed) {
      ledger.addUsage(charge - request.takeDeferredBytes());
    }
    return slotFreed;
  }

  private long beyondShareOfRetired(long capacity) {
    if (valueRelease != null) {
      valueRelease.reclaimer.freeTaken();
    }
    return Math.max(0, ledger.retiredUsage() - capacity / RETIRED_SHARE);
  }

  private void makeRoomNonStrict(EvictionRequest request, long bytes, boolean needSlot) {
    long charge = request.chargeBytes();
    if (prospects.areFewLeft()
        && (prospects.isBeyondReach(charge) || prospects.isFull(charge, needSlot, request))) {
      if (!prospects.isEmpty(request)) {
        makeRoomShortly(request, bytes, needSlot, effortCap);
      }
      return;
    }
    sweeps.run(request, bytes, needSlot, effortCap);
    if (!request.isFulfilled() && request.looks() > ShortSweep.LOOKS) {
      prospects.foundTooLittle(request);
    }
  }

  /** Looks at a few slots for room; whether it was found. */
  private boolean makeRoomShortly(EvictionRequest request, long bytes, boolean needSlot, int cap) {
    sweeps.runShortly(request, bytes, needSlot, cap);
    boolean isFulfilled = request.isFulfilled();
    prospects.swept(request, isFulfilled);
    return isFulfilled;
  }

  /** Frees what a request misses, among entries that have yet to move to the other's table. */
  private void assist(EvictionRequest request) {
    EvictionRequest own = request(request.chargeBytes());
    try {
      own.ask(request.missingBytes(), request.missingEntries(), request.effortCap());
      replacement.makeRoom(residents, own);
      request.credit(own);
    } finally {
      end(own);
    }
  }

  /**
   * Room is made in the table before this one too, as long as entries are there.
   *
   * @param enforcer the room of that table
   * @param left share of it that is still to be moved, in 64ths
   */
  public void comesAfter(CapacityEnforcer enforcer, IntSupplier left) {
    sweeps.before = new Sweeps.Predecessor(enforcer::assist, left);
  }

  /**
   * Before a strict charge is refused there is a search for what is charged but of no use.
   *
   * @param unused gives up what it finds of that; whether it was something
   */
  public void searchesBeforeRefusals(BooleanSupplier unused) {
    search = unused;
  }

  /** The table before this one is drained. */
  public void comesFirst() {
    sweeps.before = null;
  }

  /**
   * Changes the capacity and evicts until usage fits or the rest is pinned. The capacity goes down
   * in steps, each swept before the next, so that a concurrent insert is never left with more than
   * one step to make up for.
   */
  public void setCapacity(long target) {
    long step = Math.max(1, ledger.capacity() / SHRINK_STEPS);
    int fruitless = residents.mayEvict() ? 0 : FRUITLESS_SWEEPS;
    long lowest = evictable();
    do {
      while (target < evictable() && fruitless < FRUITLESS_SWEEPS) {
        long usage = evictable();
        ledger.setCapacity(Math.max(target, Math.min(ledger.capacity(), usage) - step));
        sweep(usage - ledger.capacity());
        // What a sweep frees may be what others have just added, and so for ever.
        long left = evictable();
        fruitless = left < lowest ? 0 : fruitless + 1;
        lowest = Math.min(lowest, left);
      }
      ledger.setCapacity(target);
    } while (target < evictable() && fruitless < FRUITLESS_SWEEPS);
  }

  /**
   * Evicts a little although there may be room, as far as the effort cap allows.
   *
   * @param leastBytes charge to free at least
   * @return whether an entry has left
   */
  public boolean evictSome(long leastBytes) {
    if (ledger.occupancy() == 0 || !residents.mayEvict()) {
      return false;
    }
    EvictionRequest request = request(0);
    try {
      long share = ledger.usageOfEntries() / EARLY_SHARE;
      return sweeps.runEarly(request, leastBytes, share, effortCap);
    } finally {
      end(request);
    }
  }

  private void sweep(long bytes) {
    EvictionRequest request = request(0);
    try {
      request.takeTime();
      sweeps.run(request, bytes, false, EvictionRequest.NO_EFFORT_CAP);
    } finally {
      end(request);
    }
  }

  /** Usage that does not wait for read scopes anyway. */
  private long evictable() {
    return ledger.usage() - ledger.retiredUsage();
  }
}
