/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.capacity.ValueRelease;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.observe.EntryCallbacks;
import io.hyperclock.internal.observe.RemovalCause;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.Tags;
import io.hyperclock.internal.slot.TentativeInserts;
import io.hyperclock.internal.slot.ValueSwap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How entries of a {@link ClockTable} end, and where they are while they move to the next one: what
 * its reads and writers build on.
 *
 * <p>A read or a writer of one table asks other tables only by the abstract methods at the end,
 * which the table passes on to its own reads and writers.
 *
 * <p>Public, or each call of its public methods by way of the table would be two calls: where the
 * stack ends the tear-down of a slot must not be a call deeper than what took the slot.
 */
public abstract class EntryLifecycle extends EntryTable {
  private static final int NOT_FOUND = -1;

  /** So often a charge is looked for that is just being delivered. */
  private static final int PATIENCE = 32;

  final OverwriteSequence overwrites;
  final TentativeInserts tentativeInserts;
  final ValueSwap exchanges;
  final EntryCallbacks callbacks;
  private final ValueRelease valueRelease;

  /**
   * A table of empty slots.
   *
   * @param overwrites those of the keys, in all tables
   * @param valueRelease takes the value of each entry freed
   * @param replacement notified of each entry published or freed
   */
  EntryLifecycle(
      OverwriteSequence overwrites,
      Buckets buckets,
      SlotProtocol slots,
      ValueRelease valueRelease,
      Replacement replacement,
      EntryCallbacks callbacks) {
    super(buckets, slots, replacement);
    this.overwrites = overwrites;
    this.valueRelease = valueRelease;
    this.callbacks = callbacks;
    this.tentativeInserts = new TentativeInserts(slots);
    this.exchanges = new ValueSwap(slots);
  }

  /** Whether an entry of a key is visible in this very table. */
  public boolean shows(long hi, long lo, long hash) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    return slots.another(first, second, Tags.pattern(hash), NOT_FOUND, hi, lo) != 0;
  }

  /**
   * Charge, type and class of an entry that the caller holds, wherever it is by now. Waits for a
   * thread that is just delivering them.
   */
  public long coldOf(int slot) {
    for (; ; ) {
      long cold = coldSoon(slot);
      if (!ChargeWord.isElsewhere(cold)) {
        return cold;
      }
      Thread.yield();
    }
  }

  /**
   * As {@link #coldOf}, but waits a moment only: the charge is 0 if it is not delivered by then.
   */
  public long coldSoon(int slot) {
    EntryLifecycle table = this;
    for (int looks = 0; ; ) {
      long cold = table.store.coldAcquire(slot);
      if (ChargeWord.isForwarded(cold)) {
        // [forward] the slot that the entry has left holds its new slot.
        slot = ChargeWord.slot(cold);
        table = Objects.requireNonNull(table.next());
      } else if (!ChargeWord.isElsewhere(cold) || ++looks == PATIENCE) {
        return cold;
      } else {
        Thread.onSpinWait();
      }
    }
  }

  /** Delivers the charge of an unsettled entry to its slot; it may have moved on from there. */
  void deliver(int slot, long cold) {
    // [sum] only the mover delivers, and fails only if the entry moves on meanwhile.
    while (!compareAndSetColdOf(slot, ChargeWord.unsettled(cold), cold)) {
      Thread.onSpinWait();
    }
  }

  /** Changes the word of an entry that the caller holds, wherever it is by now. */
  public boolean compareAndSetColdOf(int slot, long expected, long word) {
    EntryLifecycle table = this;
    for (; ; ) {
      long cold = table.store.coldAcquire(slot);
      if (!ChargeWord.isForwarded(cold)) {
        // [sum] fails if it is forwarded meanwhile.
        return table.store.compareAndSetCold(slot, expected, word);
      }
      slot = ChargeWord.slot(cold);
      table = Objects.requireNonNull(table.next());
    }
  }

  /** Whether a pinned entry has a value, and keeps it until the pin ends. */
  boolean holds(int slot, Object expected) {
    exchanges.await(slot);
    return store.valueOpaque(slot) == expected;
  }

  /** Frees an entry if the outcome of hiding it says that the caller owns it now. */
  int freeIfOwned(int outcome, int slot) {
    if ((outcome & SlotProtocol.OWNED) != 0) {
      free(slot);
    }
    return outcome;
  }

  /**
   * Frees an entry whose slot the caller owns. If stack or memory do not suffice the entry is left,
   * invisible and unreferenced, to the next sweep.
   */
  @Override
  public void free(int slot) {
    free(slot, false, false);
  }

  /**
   * Frees an entry whose slot the caller owns by its last release. What has moved to another table
   * is held there on behalf of this slot: that pin ends.
   *
   * @param useful as of that release
   * @param eraseIfLast as of that release
   * @return whether the entry was freed
   */
  public boolean free(int slot, boolean useful, boolean eraseIfLast) {
    EntryLifecycle table = this;
    while (ChargeWord.isForwarded(table.store.coldAcquire(slot))) {
      int moved = table.vacateMoved(slot);
      if (moved < 0) {
        return false;
      }
      table = Objects.requireNonNull(table.next());
      // [forward] what holders of the slot that was left have done comes before this release.
      if (!table.slots.release(moved, useful, eraseIfLast)) {
        return false;
      }
      slot = moved;
    }
    table.freeHere(slot);
    return true;
  }

  /**
   * Empties a slot whose entry has moved.
   *
   * @return the slot of the next table, or -1 without stack for it
   */
  private int vacateMoved(int slot) {
    try {
      StackReserve.requireLittle();
    } catch (StackOverflowError e) {
      // [last-use] as in freeHere.
      store.setMetaRelease(slot, MetaWord.ABANDONED);
      return -1;
    }
    // [move] another look: the slot is the caller's own.
    int moved = ChargeWord.slot(store.coldAcquire(slot));
    vacate(slot, hash(slot));
    slots.finishTearDown(slot);
    return moved;
  }

  private void freeHere(int slot) {
    @Nullable Object reserve;
    try {
      reserve = reserve(slot);
    } catch (StackOverflowError | OutOfMemoryError e) {
      // [last-use] as the release of a last reference; not one call deeper than what took the slot.
      store.setMetaRelease(slot, MetaWord.ABANDONED);
      return;
    }
    tearDown(slot, RemovalCause.FREED, null, reserve);
  }

  /** All that a tear-down needs of stack and memory; whether the value retires is decided here. */
  private @Nullable Object reserve(int slot) {
    long cold = store.coldAcquire(slot);
    StackReserve.requireLittle();
    return valueRelease.reserve(cold);
  }

  @Override
  public boolean mayEvict() {
    return !callbacks.isEvicting();
  }

  @Override
  public boolean isDead(int slot) {
    return callbacks.isDead(store.keyHiOpaque(slot));
  }

  @Override
  public long deaths() {
    return callbacks.drops();
  }

  @Override
  public long evict(int slot, long meta, EvictionRequest request) {
    if (ChargeWord.isForwarded(store.coldAcquire(slot))) {
      free(slot);
      return 0;
    }
    RemovalCause ending = RemovalCause.byHand(MetaWord.isVisible(meta), MetaWord.wasHit(meta));
    @Nullable Object reserve;
    try {
      reserve = reserve(slot);
    } catch (Throwable e) {
      // [last-use] as above.
      store.setMetaRelease(slot, MetaWord.ABANDONED);
      throw e;
    }
    return ChargeWord.chargeBytes(tearDown(slot, ending, request, reserve));
  }

  /**
   * Makes a slot empty and lets its value go.
   *
   * @param request for whom, or null
   * @param reserve made by {@link #reserve}
   * @return the last cold word
   */
  private long tearDown(
      int slot, RemovalCause ending, @Nullable EvictionRequest request, @Nullable Object reserve) {
    long hi = store.keyHiOpaque(slot);
    long lo = store.keyLoOpaque(slot);
    Object value = Objects.requireNonNull(store.valueOpaque(slot));
    long cold = vacate(slot, buckets.hash(hi, lo));
    slots.finishTearDown(slot);
    replacement.left(cold, request);
    valueRelease.leaveTable(hi, lo, value, cold, ending, request, reserve);
    return cold;
  }

  /** The table that this one was left for, or null. */
  abstract @Nullable EntryLifecycle next();

  /** The table whose entries are moved to this one, or null if none is left there. */
  abstract @Nullable EntryLifecycle before();

  /** The table that this one was left for in the end. */
  abstract EntryLifecycle newest();

  /** See {@link PinnedReads#find}. */
  abstract int find(long hi, long lo, long hash);

  /** See {@link OptimisticReads#searchHere}. */
  abstract @Nullable Object searchHere(
      long hi, long lo, long hash, long wanted, boolean use, @Nullable EntryLifecycle preceding);

  /** See {@link OptimisticReads#searchOnce}. */
  abstract @Nullable Object searchOnce(long hi, long lo, long hash, long wanted, boolean use);
}
