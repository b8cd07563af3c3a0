/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.policy.EvictableEntries;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;

/** The slots of one shard: how pins of entries begin and end, and how an entry leaves its slot. */
public abstract class EntryTable implements EvictableEntries {
  /** Result of an insert: the key is present. */
  public static final int KEPT_EXISTING = -1;

  /** Result of an insert: no slot of the key's two buckets could be had. */
  public static final int NO_SLOT = -2;

  /** Result of an overwrite: nothing to overwrite. */
  public static final int NOT_PRESENT = -3;

  /** Result of an overwrite: another value than expected. */
  public static final int NOT_EXPECTED = -4;

  /** Result of an overwrite in place: done. */
  public static final int REPLACED = -5;

  /** Result of an overwrite in place: not done, and nothing is known. */
  public static final int NOT_IN_PLACE = -6;

  /** Result of an insert or overwrite: the table was left, so the next one must be asked. */
  public static final int LEFT = -7;

  protected final Buckets buckets;
  protected final SlotProtocol slots;
  protected final SlotStore store;
  protected final Replacement replacement;

  /**
   * A table of empty slots.
   *
   * @param replacement notified of each entry published or freed
   */
  protected EntryTable(Buckets buckets, SlotProtocol slots, Replacement replacement) {
    this.buckets = buckets;
    this.slots = slots;
    this.store = slots.store();
    this.replacement = replacement;
  }

  /** The error for an entry with too many pins. */
  public static IllegalStateException tooManyPins() {
    return new IllegalStateException(
        "an entry must have at most " + MetaWord.MAX_PINS + " pins: pins=" + MetaWord.MAX_PINS);
  }

  /** Whether an attempt to pin has pinned; does what another outcome asks for. */
  protected final boolean pinned(int outcome, int slot) {
    if (outcome == SlotProtocol.PINNED || outcome == SlotProtocol.MARKED) {
      return true;
    }
    if (outcome == SlotProtocol.TOO_MANY_PINS) {
      throw tooManyPins();
    }
    if (outcome == SlotProtocol.OWNED) {
      free(slot);
    }
    return false;
  }

  /** Pins the visible entry of a slot, of any key; there is stack to let go of it. */
  public final boolean pinAny(int slot) {
    StackReserve.requireLittle();
    return pinned(slots.pinAny(slot), slot);
  }

  /** Ends a pin. */
  public final void release(int slot, boolean useful) {
    if (slots.release(slot, useful, false)) {
      free(slot);
    }
  }

  /** Frees an entry whose slot the caller owns. */
  public abstract void free(int slot);

  @Override
  public final long hash(int slot) {
    return buckets.hash(store.keyHiOpaque(slot), store.keyLoOpaque(slot));
  }

  /**
   * Begins to make a slot empty that the caller owns; {@link SlotProtocol#finishTearDown} must
   * follow.
   *
   * @param hash hash of its key
   * @return the last cold word
   */
  protected final long vacate(int slot, long hash) {
    slots.clearTag(slot, hash);
    slots.beginTearDown(slot);
    return store.getAndSetCold(slot, ChargeWord.GONE);
  }

  /** Gives up a filled slot of the caller's that has its tag and was never visible. */
  protected final void withdraw(int own, long hash, long cold) {
    // A late promotion of an earlier tenant may have moved this one: its weight goes back.
    replacement.recharged(store.getAndSetCold(own, ChargeWord.GONE), cold);
    slots.clearTag(own, hash);
    slots.abandon(own);
  }
}
