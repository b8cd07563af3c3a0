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
 * value reference in a parallel array; see {@link MetaWord}, {@link GenerationWord} and {@link
 * ChargeWord}. Eight slots are a bucket, and each bucket has one word of {@link Tags}: a line of
 * them tells what 64 slots may hold. The words lie in one block: the hot words of all slots, their
 * cold words, the tags.
 *
 * <p>Subclasses keep the block on the heap and off it. They say how a word is reached, and write
 * the search of two buckets out for their kind of memory. What a word means, and why an access
 * needs its mode, is said here; the protocol is in {@link SlotProtocol}.
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
  private final int cold;
  private final int tags;

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
    this.cold = slots * HOT_WORDS;
    this.tags = cold + slots;
  }

  /** Words of a store with so many slots. */
  static int words(int slots) {
    return slots * (HOT_WORDS + 1) + slots / BUCKET_SLOTS;
  }

  /** Number of slots. */
  public final int slots() {
    return values.length;
  }

  /** Index of a hot word. */
  final int hot(int slot, int word) {
    assert slot >= 0 && slot < slots() : slot;
    return slot * HOT_WORDS + word;
  }

  private int cold(int slot) {
    assert slot >= 0 && slot < slots() : slot;
    return cold + slot;
  }

  /** Index of a bucket's tags. */
  final int tags(int bucket) {
    assert bucket >= 0 && bucket < slots() / BUCKET_SLOTS : bucket;
    return tags + bucket;
  }

  // How the subclass reaches a word, in the mode that the method is called by.

  abstract long getAcquire(int word);

  abstract long getVolatile(int word);

  abstract long getOpaque(int word);

  abstract void setOpaque(int word, long content);

  abstract void setRelease(int word, long content);

  abstract boolean compareAndSet(int word, long expected, long content);

  abstract long getAndAdd(int word, long step);

  abstract long getAndSet(int word, long content);

  /**
   * [validate] Validated read of a slot: generation, state, key, value, fence, generation.
   *
   * @param wanted {@link MetaWord#READABLE} or {@link MetaWord#VISIBLE}
   * @return the value, or null if the slot does not show the key in the wanted state
   */
  public abstract @Nullable Object read(int slot, long hi, long lo, long wanted);

  /**
   * [validate] [tag] Validated read of the slots of two buckets whose tags are those of a key.
   *
   * @param tags the key's, see {@link Tags#pattern}
   * @param looked bits of meta that must be as in {@code wanted}
   * @param hotFrom uses from which on a hit writes nothing, or 0 not to count a use
   * @return the value; {@link #NOT_FOUND}, behind an acquire fence if a tag matched in vain
   *     [one-entry]; or null if a slot shows the key in another state
   */
  public abstract @Nullable Object find(
      int first, int second, long tags, long hi, long lo, long looked, long wanted, long hotFrom);

  /** The tags of a bucket for a search: what was published before is found. */
  public final long tagsAcquire(int bucket) {
    // [tag] pairs with getAndAddTags.
    return getAcquire(tags(bucket));
  }

  /** The tags behind an announcement or a mark, with which the load must not change places. */
  final long tagsVolatile(int bucket) {
    // [one-entry] behind the read-modify-write of an announcement, or the fence of a mark.
    return getVolatile(tags(bucket));
  }

  /** Sets or clears the tag of a slot that is the caller's own. */
  final long getAndAddTags(int bucket, long step) {
    // [tag] set before the entry is published, cleared after it was taken; [one-entry] a full
    // fence.
    return getAndAdd(tags(bucket), step);
  }

  /**
   * [tag] The slots of two buckets that may hold a key.
   *
   * @return a mask for {@link #slot}, of which {@code mask & mask - 1} is the rest
   */
  public final long candidates(int first, int second, long tags) {
    return Tags.matching(tagsAcquire(first), tagsAcquire(second), tags);
  }

  /** [one-entry] The same behind an announcement or a mark. */
  final long candidatesVolatile(int first, int second, long tags) {
    return Tags.matching(tagsVolatile(first), tagsVolatile(second), tags);
  }

  /** [reuse] The slots of two buckets without a tag, as {@link #candidates}. */
  public final long untagged(int first, int second) {
    return Tags.absent(tagsAcquire(first), tagsAcquire(second));
  }

  /** [reuse] The slots of one bucket without a tag, as {@link #candidates}. */
  public final long untagged(int bucket) {
    return Tags.absent(tagsAcquire(bucket), Tags.FULL);
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

  /** Loads the tags of two buckets, for {@link Prefetch}. */
  public final long touchTags(int first, int second) {
    return tagsAcquire(first) + tagsAcquire(second);
  }

  /** [tag] Sets the tag of a slot that is the caller's own and has none; a full fence. */
  final void setTag(int slot, long hash) {
    getAndAddTags(slot / BUCKET_SLOTS, Tags.at(slot, hash));
  }

  /** [tag] Clears the tag of a slot that is the caller's own. */
  final void clearTag(int slot, long hash) {
    getAndAddTags(slot / BUCKET_SLOTS, -Tags.at(slot, hash));
  }

  /** Observes publishing, last uses and the return of a slot. */
  public final long metaAcquire(int slot) {
    // [publish] [last-use] [reuse] [validate] pairs with setMetaRelease, compareAndSetMeta and
    // getAndAddMeta.
    return getAcquire(hot(slot, META));
  }

  /** A meta word behind an announcement or a mark, with which the load must not change places. */
  final long metaVolatile(int slot) {
    // [one-entry] behind the read-modify-write of an announcement, or the fence of a mark.
    return getVolatile(hot(slot, META));
  }

  /** A word that may be stale. */
  public final long metaOpaque(int slot) {
    // Opaque: a stale word costs one failed or skipped step; every change is a compare-and-set.
    return getOpaque(hot(slot, META));
  }

  /** Publishes a filled slot, or gives an emptied one back. */
  public final void setMetaRelease(int slot, long meta) {
    // [publish] [reuse] pairs with metaAcquire, compareAndSetMeta and getAndAddMeta.
    setRelease(hot(slot, META), meta);
  }

  /** A change of state or counters that must fail if anything happened meanwhile. */
  public final boolean compareAndSetMeta(int slot, long expected, long meta) {
    // [last-use] [reuse] [hide] acquires what the last release published, releases the hiding or
    // the claim.
    return compareAndSet(hot(slot, META), expected, meta);
  }

  /** Counts a pin or the end of one; volatile, so it both acquires and releases. */
  public final long getAndAddMeta(int slot, long step) {
    // [last-use] a release step publishes the last use to the thread that takes the slot; pairs
    // with both above.
    return getAndAdd(hot(slot, META), step);
  }

  /** High word of the key; another tenant's if the caller has no pin. */
  public final long keyHiOpaque(int slot) {
    // Opaque: between metaAcquire and the fence of [validate], or under a pin.
    return getOpaque(hot(slot, KEY_HI));
  }

  /** Low word of the key; as {@link #keyHiOpaque}. */
  public final long keyLoOpaque(int slot) {
    // Opaque: between metaAcquire and the fence of [validate], or under a pin.
    return getOpaque(hot(slot, KEY_LO));
  }

  /** Fills a slot that is the caller's own. */
  final void setKeyOpaque(int slot, long hi, long lo) {
    // Opaque: kept behind the claim by the fence of [validate], published by setMetaRelease
    // [publish].
    setOpaque(hot(slot, KEY_HI), hi);
    setOpaque(hot(slot, KEY_LO), lo);
  }

  /** First look at the generation, before anything else of the slot. */
  public final long tailAcquire(int slot) {
    // [validate] pairs with setTailRelease.
    return getAcquire(hot(slot, TAIL));
  }

  /** A tail word behind an announcement, with which the load must not change places. */
  final long tailVolatile(int slot) {
    // [one-entry] behind the read-modify-write of an announcement.
    return getVolatile(hot(slot, TAIL));
  }

  /** Second look at the generation. */
  public final long tailOpaque(int slot) {
    // Opaque: ordered by the acquire fence before it, see [validate].
    return getOpaque(hot(slot, TAIL));
  }

  /** A new generation, behind the step that made the slot the caller's own. */
  final void setTailRelease(int slot, long tail) {
    // [validate] pairs with tailAcquire; behind the compare-and-set that took the slot.
    setRelease(hot(slot, TAIL), tail);
  }

  /** Marks an entry that the caller holds. */
  final boolean compareAndSetTail(int slot, long expected, long tail) {
    // [one-entry] a mark; leaves the generation as it is.
    return compareAndSet(hot(slot, TAIL), expected, tail);
  }

  /**
   * Charge and type. In an unpinned scan they may be another tenant's, but the type is one that is
   * registered.
   */
  public final long coldAcquire(int slot) {
    // [publish] pairs with the release fence of publish: the type is registered before it is seen.
    return getAcquire(cold(slot));
  }

  /** Fills a slot that is the caller's own. */
  final void setColdOpaque(int slot, long word) {
    // Opaque: published by setMetaRelease [publish].
    setOpaque(cold(slot), word);
  }

  /** Changes the charge of a pinned entry, or the class of any. */
  public final boolean compareAndSetCold(int slot, long expected, long word) {
    // [sum] of two changes to one word, neither may be lost or counted twice.
    return compareAndSet(cold(slot), expected, word);
  }

  /** Takes the word of an entry that is torn down, so that no thread can change it any more. */
  public final long getAndSetCold(int slot, long word) {
    // [sum] a promotion counts for this entry, or fails; pairs with compareAndSetCold.
    return getAndSet(cold(slot), word);
  }

  /** Loads all lines of a slot, for {@link Prefetch}. */
  public final long touch(int slot) {
    return metaOpaque(slot) + coldAcquire(slot) + (valueOpaque(slot) == null ? 1 : 0);
  }

  /** As {@link #touch}, and the tags of its bucket. */
  public final long touchWithTags(int slot) {
    return touch(slot) + tagsAcquire(slot / BUCKET_SLOTS);
  }

  /** The value reference; null in an empty slot. */
  public final @Nullable Object valueOpaque(int slot) {
    // Opaque: ordered by the acquiring loads before it, validated by the generation after it.
    return VALUE.getOpaque(values, slot);
  }

  /** The value of a slot that the caller holds, with all that its writer wrote before. */
  public final @Nullable Object valueAcquire(int slot) {
    // [exchange] pairs with setValueRelease, where an exchange is under way.
    return VALUE.getAcquire(values, slot);
  }

  /** Exchanges the value of a visible entry whose other writers the caller keeps out. */
  final void setValueRelease(int slot, Object value) {
    // [two-versions] [exchange] pairs with the acquire fence behind valueOpaque in a read, and with
    // valueAcquire.
    VALUE.setRelease(values, slot, value);
  }

  /** Sets or clears the value reference of a slot that is the caller's own. */
  final void setValueOpaque(int slot, @Nullable Object value) {
    // Opaque: kept behind the claim by the fence of [validate], published by setMetaRelease.
    VALUE.setOpaque(values, slot, value);
  }
}
