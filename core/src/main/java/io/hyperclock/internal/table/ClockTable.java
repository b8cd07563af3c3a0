/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.policy.Residents;
import io.hyperclock.internal.policy.RoomRequest;
import io.hyperclock.internal.slot.Announcements;
import io.hyperclock.internal.slot.Cold;
import io.hyperclock.internal.slot.Exchanges;
import io.hyperclock.internal.slot.Meta;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Slots;
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
public final class ClockTable implements Residents {
  /** Result of {@link #insert}: the key is present. */
  public static final int KEPT_EXISTING = -1;

  /** Result of {@link #insert}: no slot of the key's two buckets could be had. */
  public static final int NO_SLOT = -2;

  /** Result of {@link #put}: nothing to overwrite. */
  public static final int NOT_PRESENT = -3;

  /** Result of {@link #put}: another value than expected. */
  public static final int NOT_EXPECTED = -4;

  /** Result of {@link #put}: an older entry was overwritten. */
  public static final int REPLACED = -5;

  /** Result of {@link #putInPlace}: not done, and nothing is known. */
  public static final int NOT_IN_PLACE = -6;

  private final Buckets buckets;
  private final SlotStore store;
  private final Slots slots;
  private final Exchanges exchanges;
  private final Insertion insertion;
  private final InPlace inPlace;
  private final Survey survey;
  private final UnpinnedReads unpinnedReads;
  private final PinnedReads pinnedReads;
  private final OverwriteCounts overwrites = new OverwriteCounts();
  private final Departures departures;
  private final Replacement replacement;
  private final EntryCallbacks callbacks;

  /**
   * An empty table.
   *
   * @param departures takes the value of each entry freed
   * @param replacement told of each entry published or freed
   * @param recorder counts reads, or null
   */
  public ClockTable(
      Buckets buckets,
      Slots slots,
      Departures departures,
      Replacement replacement,
      EntryCallbacks callbacks,
      @Nullable ReadRecorder recorder) {
    this.buckets = buckets;
    this.slots = slots;
    this.store = slots.store();
    Announcements announcements = new Announcements(slots);
    this.survey = new Survey(buckets, slots, announcements, this, overwrites);
    this.exchanges = new Exchanges(slots);
    this.inPlace = new InPlace(buckets, slots, exchanges, this);
    this.insertion =
        new Insertion(buckets, slots, announcements, survey, this, overwrites, replacement);
    this.pinnedReads = new PinnedReads(buckets, slots, overwrites, exchanges, this, recorder);
    this.unpinnedReads =
        recorder == null
            ? PlainReads.create(buckets, slots, overwrites, callbacks)
            : RecordedReads.create(buckets, slots, overwrites, callbacks, recorder);
    this.departures = departures;
    this.replacement = replacement;
    this.callbacks = callbacks;
  }

  public Slots slots() {
    return slots;
  }

  /** Reads of this table that do not pin. */
  public UnpinnedReads unpinnedReads() {
    return unpinnedReads;
  }

  public Buckets buckets() {
    return buckets;
  }

  /** Reads of this table that pin. */
  public PinnedReads pinnedReads() {
    return pinnedReads;
  }

  /** Whether a key is visible; does not count as a use. */
  public boolean isPresent(long hi, long lo, long hash) {
    return survey.isPresent(hi, lo, hash);
  }

  /** Whether an attempt to pin has pinned; does what another outcome asks for. */
  boolean pinned(int outcome, int slot) {
    if (Slots.isPinned(outcome)) {
      return true;
    }
    if (outcome == Slots.TOO_MANY_PINS) {
      throw tooManyPins();
    }
    if (outcome == Slots.OWNED) {
      free(slot);
    }
    return false;
  }

  /** The error for an entry with too many pins. */
  public static IllegalStateException tooManyPins() {
    return new IllegalStateException(
        "an entry must have at most " + Meta.MAX_PINS + " pins: pins=" + Meta.MAX_PINS);
  }

  /**
   * Loads what an insert of a key is about to touch, for {@link
   * io.hyperclock.internal.slot.LoadAhead}: both tag words and a slot that it may claim.
   */
  public long touch(long hash) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    long free = store.untagged(first, second);
    int slot = free == 0 ? first * SlotStore.BUCKET_SLOTS : SlotStore.slot(first, second, free);
    return store.touch(slot);
  }

  /**
   * Whether a key is visible and no writer is at work on it: then an insert has nothing to do.
   *
   * @param countdown what the entry's countdown is raised by
   */
  public boolean keepExisting(long hi, long lo, long hash, int countdown) {
    return insertion.keepExisting(hi, lo, hash, countdown);
  }

  /**
   * Adds an entry unless its key is visible.
   *
   * @param visibleMeta its meta word once published
   * @param countdown what a present entry's countdown is raised by
   * @param room what made room for it; told to the replacement if it is added
   * @return its slot, {@link #KEPT_EXISTING} or {@link #NO_SLOT}
   */
  public int insert(
      long hi,
      long lo,
      long hash,
      Object value,
      long cold,
      long visibleMeta,
      int countdown,
      RoomRequest room) {
    return insertion.insert(hi, lo, hash, value, cold, visibleMeta, countdown, room);
  }

  /**
   * Adds an entry in place of the visible one of its key, which reads find until they find the new.
   *
   * @param visibleMeta its meta word if there is no older one
   * @param ifAbsentToo whether to add it if there is no older one
   * @param expected the only value to overwrite, or null for any
   * @param room as of {@link #insert}
   * @return its slot if there was no older one, {@link #REPLACED}, {@link #NOT_PRESENT}, {@link
   *     #NOT_EXPECTED} or {@link #NO_SLOT}
   */
  public int put(
      long hi,
      long lo,
      long hash,
      Object value,
      long cold,
      long visibleMeta,
      boolean ifAbsentToo,
      @Nullable Object expected,
      RoomRequest room) {
    return insertion.put(hi, lo, hash, value, cold, visibleMeta, ifAbsentToo, expected, room);
  }

  /**
   * Exchanges the value of the visible entry of a key, if nobody holds it, the collector owns its
   * value, and it has the same type and charge.
   *
   * @param expected the only value to overwrite, or null for any
   * @return {@link #REPLACED}, {@link #NOT_EXPECTED}, or {@link #NOT_IN_PLACE} if {@link #put} must
   *     be asked
   */
  public int putInPlace(
      long hi, long lo, long hash, Object value, long cold, @Nullable Object expected) {
    return inPlace.put(hi, lo, hash, value, cold, expected);
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
    return survey.erase(hi, lo, hash, expected);
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
    return (freeIfOwned(slots.hideAndRelease(slot), slot) & Slots.HIDDEN) != 0;
  }

  /** Frees an entry if the outcome of hiding it says that the caller owns it now. */
  int freeIfOwned(int outcome, int slot) {
    if ((outcome & Slots.OWNED) != 0) {
      free(slot);
    }
    return outcome;
  }

  /**
   * Ends a pin.
   *
   * @return whether the entry was freed by it
   */
  public boolean release(int slot, boolean useful, boolean eraseIfLast) {
    boolean owned = slots.release(slot, useful, eraseIfLast);
    if (owned) {
      free(slot);
    }
    return owned;
  }

  /** Pins whatever visible entry a slot holds. */
  boolean pinAny(int slot) {
    return pinned(slots.pinAny(slot), slot);
  }

  /**
   * Frees an entry whose slot the caller owns. If stack or memory do not suffice the entry is left,
   * invisible and unreferenced, to the next sweep.
   */
  public void free(int slot) {
    @Nullable Object reserve;
    try {
      reserve = reserve(slot);
    } catch (StackOverflowError | OutOfMemoryError e) {
      // [S2] as the release of a last reference; not one call deeper than what took the slot.
      store.setMetaRelease(slot, Meta.ABANDONED);
      return;
    }
    tearDown(slot, Ending.FREED, null, reserve);
  }

  /** All that a tear-down needs of stack and memory. */
  private @Nullable Object reserve(int slot) {
    long cold = store.coldAcquire(slot);
    StackReserve.requireLittle();
    return callbacks.isHeard(cold) ? departures.reserve(cold) : null;
  }

  @Override
  public long hash(int slot) {
    return buckets.hash(store.keyHiOpaque(slot), store.keyLoOpaque(slot));
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
  public long evict(int slot, long meta, RoomRequest room) {
    Ending ending = Ending.byHand(Meta.isVisible(meta), Meta.wasHit(meta));
    @Nullable Object reserve;
    try {
      reserve = reserve(slot);
    } catch (Throwable e) {
      // [S2] as above.
      store.setMetaRelease(slot, Meta.ABANDONED);
      throw e;
    }
    return Cold.chargeBytes(tearDown(slot, ending, room, reserve));
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
   * @param room for whom, or null
   * @param reserve made by {@link #reserve}
   * @return the last cold word
   */
  private long tearDown(
      int slot, Ending ending, @Nullable RoomRequest room, @Nullable Object reserve) {
    long hi = store.keyHiOpaque(slot);
    long lo = store.keyLoOpaque(slot);
    Object value = ownedValue(slot);
    slots.clearTag(slot, buckets.hash(hi, lo));
    slots.beginTearDown(slot);
    long cold = store.getAndSetCold(slot, Cold.GONE);
    slots.finishTearDown(slot);
    if (room == null) {
      replacement.left(cold);
    } else {
      replacement.left(cold, room);
    }
    departures.leaveTable(hi, lo, value, cold, ending, room, reserve);
    return cold;
  }
}
