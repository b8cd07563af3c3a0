/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The words of all slots of a table, and the only door to them. Each method has its access mode in
 * its name. A slot has four hot words (meta, two of key, tail) in half a cache line, a cold word,
 * and a value reference in a parallel array; see {@link Meta}, {@link Tail} and {@link Cold}.
 *
 * <p>Two subclasses keep the words on the heap and off it; there is one protocol for both, in
 * {@link Slots}.
 */
public abstract class SlotStore {
  /** Bytes of one slot: four hot words, one cold word, one compressed reference. */
  public static final int SLOT_BYTES = 5 * Long.BYTES + Integer.BYTES;

  /** Answer of {@link #readNear}. */
  public static final Object NOT_HERE = new Object();

  static final int HOT_WORDS = 4;
  static final int META = 0;
  static final int KEY_HI = 1;
  static final int KEY_LO = 2;
  static final int TAIL = 3;

  private static final VarHandle VALUE = MethodHandles.arrayElementVarHandle(Object[].class);

  private final @Nullable Object[] values;

  SlotStore(int slots) {
    this.values = new @Nullable Object[slots];
  }

  /** Number of slots. */
  public final int slots() {
    return values.length;
  }

  /** [S1] [S2] [S3] [S4] Observes publishing, last uses and the return of a slot. */
  public abstract long metaAcquire(int slot);

  /** Opaque: a stale word costs one failed or skipped step; every change is a compare-and-set. */
  public abstract long metaOpaque(int slot);

  /**
   * [S4] Validated read of a slot: generation, state, key, value, fence, generation.
   *
   * @param wanted {@link Meta#READABLE} or {@link Meta#VISIBLE}
   * @return the value, or null if the slot does not show the key in the wanted state
   */
  public abstract @Nullable Object read(int slot, long hi, long lo, long wanted);

  /**
   * [S4] [S10] Reads the slot of a pair that the low key word of its first one, a hint, chooses,
   * without a branch that the processor would guess wrongly every third time. That choice waits for
   * the line of the slot, so one value of the pair is looked at before: both lie in one line, which
   * is then on the way meanwhile.
   *
   * @param first slot of the pair to go by
   * @param pair 1, or 0 if a slot is alone: then {@code first} is read
   * @param looked bits of meta that must be as in {@code wanted}
   * @param hotFrom uses from which on a hit writes nothing, or 0 not to count a use
   * @return the value; {@link #NOT_HERE} if neither slot shows the key; or null if that is not
   *     known, because only {@code first} was looked at, or a slot has an entry that supersedes
   *     another one
   */
  public abstract @Nullable Object readNear(
      int first, int pair, long hi, long lo, long looked, long wanted, long hotFrom);

  /** 0 if both words are the same, else {@code pair}; without a branch. */
  public static int unlessSame(long word, long other, int pair) {
    long difference = word ^ other;
    return (int) ((difference | -difference) >>> 63) & pair;
  }

  /** [S1] [S3] Publishes a filled slot, or gives an emptied one back. */
  public abstract void setMetaRelease(int slot, long meta);

  /** [S2] [S3] [S5] A change of state or counters that must fail if anything happened meanwhile. */
  public abstract boolean compareAndSetMeta(int slot, long expected, long meta);

  /** [S2] Counts a pin or the end of one; volatile, so it both acquires and releases. */
  public abstract long getAndAddMeta(int slot, long step);

  /** Opaque: ordered by the acquiring loads before it and validated by the generation after it. */
  public abstract long keyHiOpaque(int slot);

  /** Opaque: as {@link #keyHiOpaque}. */
  public abstract long keyLoOpaque(int slot);

  /** Opaque: the slot is the caller's own; published by {@link #setMetaRelease}. */
  abstract void setKeyOpaque(int slot, long hi, long lo);

  /** [S4] First look at the generation, before anything else of the slot; [S6] displacements. */
  public abstract long tailAcquire(int slot);

  /** Opaque: second look at the generation, ordered by the fence before it ([S4]). */
  public abstract long tailOpaque(int slot);

  /** [S4] Bumps the generation. */
  public abstract long getAndAddTail(int slot, long step);

  /** [S6] Steps a count of displacements. */
  abstract boolean compareAndSetTail(int slot, long expected, long tail);

  /**
   * [S1] Charge and type. In an unpinned scan they may be another tenant's, but the type is one
   * that is registered.
   */
  public abstract long coldAcquire(int slot);

  /** Opaque: the slot is the caller's own; published by {@link #setMetaRelease}. */
  abstract void setColdOpaque(int slot, long cold);

  /** [S7] Changes the charge of a pinned entry, or the class of any. */
  public abstract boolean compareAndSetCold(int slot, long expected, long cold);

  /** [S7] Takes the word of an entry that is torn down, so that nobody can change it any more. */
  public abstract long getAndSetCold(int slot, long cold);

  /** Loads all lines of a slot, for {@link LoadAhead}. */
  public final long touch(int slot) {
    return tailOpaque(slot) + coldAcquire(slot) + (valueOpaque(slot) == null ? 1 : 0);
  }

  /** The value reference; null in an empty slot. */
  public final @Nullable Object valueOpaque(int slot) {
    // Opaque: ordered by the acquiring loads before it, validated by the generation after it.
    return VALUE.getOpaque(values, slot);
  }

  /** The value of a slot that the caller holds, with all that its writer wrote before. */
  public final @Nullable Object valueAcquire(int slot) {
    // [S12] pairs with setValueRelease, where an exchange is under way.
    return VALUE.getAcquire(values, slot);
  }

  /** Exchanges the value of a visible entry whose other writers the caller keeps out. */
  final void setValueRelease(int slot, Object value) {
    // [S9] [S12] pairs with the acquire fence behind valueOpaque in a read, and with valueAcquire.
    VALUE.setRelease(values, slot, value);
  }

  /** Sets or clears the value reference of a slot that is the caller's own. */
  final void setValueOpaque(int slot, @Nullable Object value) {
    // Opaque: kept behind the claim by the fence of [S4], published by setMetaRelease.
    VALUE.setOpaque(values, slot, value);
  }
}
