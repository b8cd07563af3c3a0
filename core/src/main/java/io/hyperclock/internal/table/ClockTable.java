/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.TentativeInserts;
import io.hyperclock.internal.slot.ValueSwap;
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

  /** Counts reads, where the cache was asked to. */
  public interface ReadRecorder {
    /** A read found an entry with this cold word. */
    void hit(long cold);

    /** A read found nothing. */
    void miss();
  }

  private final ValueSwap exchanges;
  private final Insertion insertion;
  private final InPlaceUpdate inPlace;
  private final PendingWrites pendingWrites;
  private final OptimisticReads unpinnedReads;
  private final PinnedReads pinnedReads;
  private final OverwriteSequence overwrites = new OverwriteSequence();
  private final ValueRelease valueRelease;
  private final EntryCallbacks callbacks;

  /**
   * An empty table.
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
    super(buckets, slots, replacement);
    TentativeInserts tentativeInserts = new TentativeInserts(slots);
    this.pendingWrites = new PendingWrites(this, tentativeInserts, overwrites);
    this.exchanges = new ValueSwap(slots);
    this.inPlace = new InPlaceUpdate(this, exchanges);
    this.insertion = new Insertion(this, tentativeInserts, pendingWrites, overwrites);
    this.pinnedReads = new PinnedReads(this, overwrites, exchanges, recorder);
    this.unpinnedReads =
        recorder == null
            ? FastReads.create(buckets, slots, overwrites, callbacks)
            : CountedReads.create(buckets, slots, overwrites, callbacks, recorder);
    this.valueRelease = valueRelease;
    this.callbacks = callbacks;
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
   * The same if the entry has a value that the caller has seen.
   *
   * @param expected the only value to erase, or null for any
   * @return whether there was one
   */
  public boolean erase(long hi, long lo, long hash, @Nullable Object expected) {
    StackReserve.requireLittle();
    return pendingWrites.erase(hi, lo, hash, expected);
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
