/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.capacity.ValueRelease;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.observe.EntryCallbacks;
import io.hyperclock.internal.observe.ReadRecorder;
import io.hyperclock.internal.observe.RemovalCause;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Tags;
import io.hyperclock.internal.slot.TentativeInserts;
import io.hyperclock.internal.slot.ValueSwap;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The slots of one shard as a hash table: each key has two buckets of eight slots and lies nowhere
 * else, so a search looks at two tag words and at the slots whose tag is that of the key.
 *
 * <p><b>Searching.</b> A look at a slot loads the tail first, then meta, then the key. Where the
 * key matches, a pin-free read takes the value and looks at the generation again; a pinned read
 * counts an acquire and compares again. Where the generation changed, the entry was torn down
 * during the read: there was a moment without it, and the search goes on as if the key had not
 * matched. A read that found nothing searches again only if its key, or one like it, was
 * overwritten meanwhile.
 *
 * <p><b>Inserting.</b> See {@link Insertion}.
 *
 * <p>Source: RocksDB {@code FixedHyperClockTable}; changed: two buckets with tags instead of double
 * hashing, any number of them, and an insert that finds both full evicts one of their entries.
 */
public final class ClockTable extends EntryTable {
  /** Result of {@link Insertion#put}: nothing to overwrite. */
  public static final int NOT_PRESENT = -3;

  /** Result of {@link Insertion#put}: another value than expected. */
  public static final int NOT_EXPECTED = -4;

  /** Result of {@link Insertion#put}: an older entry was overwritten. */
  public static final int REPLACED = -5;

  /** Result of {@link InPlaceUpdate#put}: not done, and nothing is known. */
  public static final int NOT_IN_PLACE = -6;

  /** Result of {@link Insertion}: the table was left, so the {@link #next} one must be asked. */
  public static final int LEFT = -7;

  final TentativeInserts tentativeInserts;
  final ValueSwap exchanges;
  private final Insertion insertion;
  private final InPlaceUpdate inPlace;
  final PendingWrites pendingWrites;
  private final OptimisticReads unpinnedReads;
  private final @Nullable OptimisticReads movingReads;
  private final PinnedReads pinnedReads;
  private final OverwriteSequence overwrites;
  private final ValueRelease valueRelease;
  private final EntryCallbacks callbacks;
  private volatile @Nullable ClockTable next;

  /**
   * Its reference is final, so that a thread that learns of this table by a race sees the content.
   */
  private final AtomicReference<@Nullable ClockTable> before;

  private @Nullable Object owner;

  /**
   * An empty table of a fixed size.
   *
   * @param valueRelease takes the value of each entry freed
   * @param replacement notified of each entry published or freed
   * @param recorder counts reads, or null
   */
  public ClockTable(
      Buckets buckets,
      SlotProtocol slots,
      ValueRelease valueRelease,
      Replacement replacement,
      EntryCallbacks callbacks,
      @Nullable ReadRecorder recorder) {
    this(buckets, slots, valueRelease, replacement, callbacks, recorder, TableView.FIXED, null);
  }

  /**
   * An empty table.
   *
   * @param kind {@link TableView#FIXED}, or {@link TableView#SETTLED} if it may be left for another
   * @param before the table that it takes the place of, or null; that is then to be {@linkplain
   *     #leaveFor left}
   */
  public ClockTable(
      Buckets buckets,
      SlotProtocol slots,
      ValueRelease valueRelease,
      Replacement replacement,
      EntryCallbacks callbacks,
      @Nullable ReadRecorder recorder,
      TableView kind,
      @Nullable ClockTable before) {
    super(buckets, slots, replacement);
    this.overwrites = before == null ? new OverwriteSequence() : before.overwrites;
    this.before = new AtomicReference<>(before);
    this.valueRelease = valueRelease;
    this.callbacks = callbacks;
    this.tentativeInserts = new TentativeInserts(slots);
    this.pendingWrites = new PendingWrites(this, overwrites);
    this.exchanges = new ValueSwap(slots);
    this.inPlace = new InPlaceUpdate(this, exchanges);
    this.insertion = new Insertion(this, tentativeInserts, pendingWrites, overwrites);
    this.pinnedReads = new PinnedReads(this, overwrites, exchanges, recorder, kind, null);
    this.unpinnedReads = reads(recorder, kind);
    this.movingReads = before == null ? null : reads(recorder, TableView.MOVING);
  }

  private OptimisticReads reads(@Nullable ReadRecorder recorder, TableView kind) {
    return recorder == null
        ? FastReads.create(this, overwrites, callbacks, kind)
        : CountedReads.create(this, overwrites, callbacks, recorder, kind);
  }

  /**
   * The table that this one was left for; null for the newest one. A thread that has announced or
   * marked something here must look behind that.
   */
  public @Nullable ClockTable next() {
    // [start] pairs with the fence of leaveFor.
    return next;
  }

  /** The table whose entries are moved to this one, or null if none is left there. */
  public @Nullable ClockTable before() {
    return before.get();
  }

  /** What the table is a part of. */
  public @Nullable Object owner() {
    return owner;
  }

  /** Sets what the table is a part of, before other threads know it. */
  public void belongTo(Object whole) {
    owner = whole;
  }

  /** The table that this one was left for in the end. */
  ClockTable newest() {
    ClockTable newest = this;
    for (ClockTable next = newest.next(); next != null; next = newest.next()) {
      newest = next;
    }
    return newest;
  }

  /**
   * Leaves this table: from here on no thread makes another entry visible in it that will not look
   * at the next one.
   */
  public void leaveFor(ClockTable fresh) {
    next = fresh;
    // [start] who announces or marks here looks at next behind its own fence: it sees the next
    // table, or all who know that table see what was announced or marked.
    VarHandle.fullFence();
  }

  /** Nothing is visible in the table before this one, and nothing will be. */
  public void settled() {
    // [view] all moves come before this; who still knows the old table finds nothing there.
    before.set(null);
  }

  /**
   * Reads that do not pin, as long as this is the newest table.
   *
   * @param isMoving whether entries of the table before are still to be moved
   */
  public OptimisticReads readsOf(boolean isMoving) {
    return isMoving && movingReads != null ? movingReads : unpinnedReads;
  }

  /**
   * Reads that pin, for handles.
   *
   * @param owner passed on to those who make handles
   */
  public PinnedReads pinnedReadsOf(Object owner, TableView kind) {
    return pinnedReads.of(owner, kind);
  }

  public SlotProtocol slots() {
    return slots;
  }

  /** Reads of this table that do not pin. */
  public OptimisticReads unpinnedReads() {
    return unpinnedReads;
  }

  public Buckets buckets() {
    return buckets;
  }

  /** Reads of this table that pin. */
  public PinnedReads pinnedReads() {
    return pinnedReads;
  }

  /** Inserts into this table, and overwrites. */
  public Insertion insertion() {
    return insertion;
  }

  /** Overwrites in place. */
  public InPlaceUpdate inPlace() {
    return inPlace;
  }

  /** Whether an entry of a key is visible in this very table. */
  public boolean shows(long hi, long lo, long hash) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    return slots.another(first, second, Tags.pattern(hash), PendingWrites.ABSENT, hi, lo) != 0;
  }

  /** Whether a key is visible; does not count as a use. */
  public boolean isPresent(long hi, long lo, long hash) {
    return pendingWrites.isPresent(hi, lo, hash);
  }

  /**
   * Loads what an insert of a key is about to touch, for {@link
   * io.hyperclock.internal.slot.Prefetch}: both tag words and the slot that it will claim.
   */
  public long touch(long hash) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    long free = store.untagged(first, second);
    int slot =
        free == 0
            ? first * SlotStore.BUCKET_SLOTS
            : SlotStore.slot(first, second, SlotStore.ofEmptier(free));
    return store.touch(slot);
  }

  /**
   * Makes a key invisible and frees its entry unless somebody holds it.
   *
   * @return whether there was one
   */
  public boolean erase(long hi, long lo, long hash) {
    return erase(hi, lo, hash, null);
  }

  /**
   * Erases a key if its entry has a value that the caller has seen.
   *
   * @param expected the only value to erase, or null for any
   * @return whether there was one
   */
  public boolean erase(long hi, long lo, long hash, @Nullable Object expected) {
    StackReserve.requireLittle();
    return pendingWrites.erase(hi, lo, hash, expected);
  }

  /**
   * Charge, type and class of an entry that the caller holds, wherever it is by now. Waits for a
   * thread that is just delivering them.
   */
  public long coldOf(int slot) {
    ClockTable table = this;
    for (; ; ) {
      long cold = table.store.coldAcquire(slot);
      if (!ChargeWord.isElsewhere(cold)) {
        return cold;
      }
      if (ChargeWord.isForwarded(cold)) {
        // [forward] the slot that the entry has left holds its new slot.
        slot = ChargeWord.slot(cold);
        table = Objects.requireNonNull(table.next());
      } else {
        Thread.yield();
      }
    }
  }

  /** Delivers the charge of an entry that has moved to a slot; it may have moved on from there. */
  void deliver(int slot, long cold) {
    ClockTable table = this;
    for (; ; ) {
      long present = table.store.coldAcquire(slot);
      if (ChargeWord.isForwarded(present)) {
        slot = ChargeWord.slot(present);
        table = Objects.requireNonNull(table.next());
        // [sum] the mover delivers, to the slot that has come last.
      } else if (table.store.compareAndSetCold(slot, present, cold)) {
        return;
      }
    }
  }

  /** Changes the word of an entry that the caller holds, wherever it is by now. */
  public boolean compareAndSetColdOf(int slot, long expected, long word) {
    ClockTable table = this;
    for (; ; ) {
      long cold = table.store.coldAcquire(slot);
      if (!ChargeWord.isForwarded(cold)) {
        // [sum] fails if it is forwarded meanwhile.
        return cold == expected && table.store.compareAndSetCold(slot, expected, word);
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

  /**
   * Hides a pinned entry and ends the pin; frees the entry if it was the last.
   *
   * @return whether this call hid it
   */
  public boolean hide(int slot) {
    return (freeIfOwned(slots.hideAndRelease(slot), slot) & SlotProtocol.HIDDEN) != 0;
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
    ClockTable table = this;
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

  /** All that a tear-down needs of stack and memory. */
  private @Nullable Object reserve(int slot) {
    long cold = store.coldAcquire(slot);
    StackReserve.requireLittle();
    return callbacks.isHeard(cold) ? valueRelease.reserve(cold) : null;
  }

  @Override
  public boolean mayEvict() {
    return !callbacks.isEvicting();
  }

  @Override
  public long touch(int slot, long hash) {
    return store.touch(slot);
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

  private Object ownedValue(int slot) {
    Object value = store.valueOpaque(slot);
    if (value == null) {
      throw new AssertionError("a filled slot must have a value: slot=" + slot);
    }
    return value;
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
    Object value = ownedValue(slot);
    long cold = vacate(slot, buckets.hash(hi, lo));
    slots.finishTearDown(slot);
    if (request == null) {
      replacement.left(cold);
    } else {
      replacement.left(cold, request);
    }
    valueRelease.leaveTable(hi, lo, value, cold, ending, request, reserve);
    return cold;
  }
}
