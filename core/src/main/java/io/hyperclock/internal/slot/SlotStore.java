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
 * its name.
 *
 * <p>A slot has four hot words (meta, two of key, tail) in half a cache line, a cold word, and a
 * value reference in a parallel array; see {@link Meta}, {@link Tail} and {@link Cold}. Eight slots
 * are a bucket, and beside its slots each bucket has one word of {@link Tags}: a line of them tells
 * what 64 slots may hold.
 *
 * <p>Subclasses keep the words on the heap and off it; there is one protocol for all, in {@link
 * Slots}.
 */
public abstract class SlotStore {
  /** Slots of a bucket. */
  public static final int BUCKET_SLOTS = Tags.SLOTS;

  /** Bytes of one slot: four hot words, one cold word, one compressed reference, one tag. */
  public static final int SLOT_BYTES = 5 * Long.BYTES + Integer.BYTES + 1;

  /** Answer of {@link #find}: no slot of the two buckets shows the key. */
  public static final Object NOT_FOUND = new Object();

  static final int HOT_WORDS = 4;
  static final int META = 0;
  static final int KEY_HI = 1;
  static final int KEY_LO = 2;
  static final int TAIL = 3;

  private static final VarHandle VALUE = MethodHandles.arrayElementVarHandle(Object[].class);

  private final @Nullable Object[] values;

  /**
   * All slots empty.
   *
   * @param slots a multiple of {@link #BUCKET_SLOTS}
   */
  SlotStore(int slots) {
    if (slots <= 0 || slots % BUCKET_SLOTS != 0) {
      throw new IllegalArgumentException(
          "slots must be a multiple of " + BUCKET_SLOTS + ": slots=" + slots);
    }
    this.values = new @Nullable Object[slots];
  }

  /** Number of slots. */
  public final int slots() {
    return values.length;
  }

  /** [S6] The tags of a bucket for a search: what was published before is found. */
  abstract long tagsAcquire(int bucket);

  /** [S10] The same behind an announcement or a mark, with which it must not change places. */
  abstract long tagsVolatile(int bucket);

  /** [S6] [S10] Sets or clears the tag of a slot that is the caller's own. */
  abstract long getAndAddTags(int bucket, long step);

  /** [S1] [S2] [S3] [S4] Observes publishing, last uses and the return of a slot. */
  public abstract long metaAcquire(int slot);

  /** [S10] The same behind an announcement or a mark, with which it must not change places. */
  abstract long metaVolatile(int slot);

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
   * [S4] [S6] Validated read of the slots of two buckets whose tags are those of a key.
   *
   * @param tags the key's, see {@link Tags#pattern}
   * @param looked bits of meta that must be as in {@code wanted}
   * @param hotFrom uses from which on a hit writes nothing, or 0 not to count a use
   * @return the value; {@link #NOT_FOUND}, behind an acquire fence if a tag matched in vain [S10];
   *     or null if a slot shows the key in another state
   */
  public abstract @Nullable Object find(
      int first, int second, long tags, long hi, long lo, long looked, long wanted, long hotFrom);

  /**
   * [S6] The slots of two buckets that may hold a key.
   *
   * @return a mask for {@link #slot}, of which {@code mask & mask - 1} is the rest
   */
  public final long candidates(int first, int second, long tags) {
    return Tags.matching(tagsAcquire(first), tagsAcquire(second), tags);
  }

  /** [S10] The same behind an announcement or a mark. */
  final long candidatesVolatile(int first, int second, long tags) {
    return Tags.matching(tagsVolatile(first), tagsVolatile(second), tags);
  }

  /** [S3] The slots of two buckets without a tag, as {@link #candidates}. */
  public final long untagged(int first, int second) {
    return Tags.absent(tagsAcquire(first), tagsAcquire(second));
  }

  /** Of a mask by {@link #untagged}: the slots of the bucket that has more of them. */
  public static long ofEmptier(long untagged) {
    long first = untagged & Tags.FIRST;
    long second = untagged & Tags.SECOND;
    return Long.bitCount(first) >= Long.bitCount(second) ? first : second;
  }

  /** The slot of the lowest bit of a mask. */
  public static int slot(int first, int second, long mask) {
    return Tags.slot(first, second, mask);
  }

  /** Loads the tags of two buckets, for {@link LoadAhead}. */
  public final long touchTags(int first, int second) {
    return tagsAcquire(first) + tagsAcquire(second);
  }

  /** [S6] Sets the tag of a slot that is the caller's own and has none; a full fence. */
  final void setTag(int slot, long hash) {
    getAndAddTags(slot / BUCKET_SLOTS, Tags.at(slot, hash));
  }

  /** [S6] Clears the tag of a slot that is the caller's own. */
  final void clearTag(int slot, long hash) {
    getAndAddTags(slot / BUCKET_SLOTS, -Tags.at(slot, hash));
  }

  /** The tag of a slot, 0 if it has none; for checks of a quiet table. */
  public final int tag(int slot) {
    return Tags.of(tagsAcquire(slot / BUCKET_SLOTS), slot);
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

  /** [S4] First look at the generation, before anything else of the slot. */
  public abstract long tailAcquire(int slot);

  /** [S10] The same behind an announcement, with which it must not change places. */
  abstract long tailVolatile(int slot);

  /** Opaque: second look at the generation, ordered by the fence before it ([S4]). */
  public abstract long tailOpaque(int slot);

  /** [S4] A new generation, behind the step that made the slot the caller's own. */
  abstract void setTailRelease(int slot, long tail);

  /** [S10] Marks an entry that the caller holds. */
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
    return metaOpaque(slot) + coldAcquire(slot) + (valueOpaque(slot) == null ? 1 : 0);
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
