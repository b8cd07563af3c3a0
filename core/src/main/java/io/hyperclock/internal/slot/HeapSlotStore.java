/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Slot words in {@code long[]} arrays.
 *
 * <p>The first slot begins 64 bytes into the hot array (16 bytes of header and six unused longs),
 * so that in a large array, which the collectors place on a page or region boundary, two slots
 * share a cache line and none lies across two.
 */
public final class HeapSlotStore extends SlotStore {
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int FIRST = 6;

  /** Largest number of slots whose words fit into one array. */
  public static final int MAX_SLOTS = 1 << 28;

  private final long[] hot;
  private final long[] cold;
  private final long[] tags;

  /** A store whose class is loaded only if it is wanted. */
  public static SlotStore create(int slots) {
    return new HeapSlotStore(slots);
  }

  /** All slots empty. */
  public HeapSlotStore(int slots) {
    super(slots);
    this.hot = new long[FIRST + slots * HOT_WORDS];
    this.cold = new long[slots];
    this.tags = new long[slots / BUCKET_SLOTS];
  }

  private static int index(int slot, int word) {
    return FIRST + slot * HOT_WORDS + word;
  }

  @Override
  long tagsAcquire(int bucket) {
    // [S6] pairs with getAndAddTags.
    return (long) WORD.getAcquire(tags, bucket);
  }

  @Override
  long tagsVolatile(int bucket) {
    // [S10] behind the read-modify-write of an announcement, or the fence of a mark.
    return (long) WORD.getVolatile(tags, bucket);
  }

  @Override
  long getAndAddTags(int bucket, long step) {
    // [S6] set before the entry is published, cleared after it was taken; [S10] a full fence.
    return (long) WORD.getAndAdd(tags, bucket, step);
  }

  @Override
  public long metaAcquire(int slot) {
    // [S1] [S2] [S3] [S4] pairs with setMetaRelease, compareAndSetMeta and getAndAddMeta.
    return (long) WORD.getAcquire(hot, index(slot, META));
  }

  @Override
  public long metaOpaque(int slot) {
    // Opaque: a stale word costs one failed or skipped compare-and-set.
    return (long) WORD.getOpaque(hot, index(slot, META));
  }

  @Override
  long metaVolatile(int slot) {
    // [S10] behind the read-modify-write of an announcement, or the fence of a mark.
    return (long) WORD.getVolatile(hot, index(slot, META));
  }

  @Override
  public @Nullable Object read(int slot, long hi, long lo, long wanted) {
    Object value = validated(hot, slot, hi, lo, wanted, wanted, 0);
    return value == NOT_FOUND ? null : value;
  }

  @Override
  public @Nullable Object find(
      int first,
      int second,
      long pattern,
      long hi,
      long lo,
      long looked,
      long wanted,
      long hotFrom) {
    long[] words = hot;
    // [S6] pairs with getAndAddTags; both words are on the way at once.
    long tagsOfFirst = (long) WORD.getAcquire(tags, first);
    long tagsOfSecond = (long) WORD.getAcquire(tags, second);
    long left = Tags.matching(tagsOfFirst, tagsOfSecond, pattern);
    if (left == 0) {
      return NOT_FOUND;
    }
    for (; left != 0; left &= left - 1) {
      int slot = Tags.slot(first, second, left);
      Object value = validated(words, slot, hi, lo, looked, wanted, hotFrom);
      if (value != NOT_FOUND) {
        return value;
      }
    }
    // [S10] what follows a slot that matched in vain waits for the look at it.
    VarHandle.acquireFence();
    return NOT_FOUND;
  }

  /** The value, {@link #NOT_FOUND}, or null if the slot shows the key in another state. */
  private @Nullable Object validated(
      long[] words, int slot, long hi, long lo, long looked, long wanted, long hotFrom) {
    // [S4] pairs with setTailRelease.
    long tail = (long) WORD.getAcquire(words, index(slot, TAIL));
    // [S1] [S4] pairs with setMetaRelease, compareAndSetMeta and getAndAddMeta.
    long meta = (long) WORD.getAcquire(words, index(slot, META));
    // Opaque: both words of the key, between metaAcquire and the fence of [S4].
    if ((long) WORD.getOpaque(words, index(slot, KEY_LO)) != lo
        || (long) WORD.getOpaque(words, index(slot, KEY_HI)) != hi) {
      return NOT_FOUND;
    }
    if ((meta & looked) != wanted) {
      return Meta.isVisible(meta) ? null : NOT_FOUND;
    }
    Object value = valueOpaque(slot);
    // [S4] the data were read before the second look at the generation.
    VarHandle.acquireFence();
    // Opaque: ordered by the fence before it, see [S4].
    long again = (long) WORD.getOpaque(words, index(slot, TAIL));
    if (!Tail.sameTenancy(tail, again) || value == null) {
      return NOT_FOUND;
    }
    if (Meta.wantsTick(meta, hotFrom)) {
      // Opaque: would do; a lost race costs one use that another step has just stood for.
      WORD.compareAndSet(words, index(slot, META), meta, Meta.ticked(meta, hotFrom));
    }
    return value;
  }

  @Override
  public void setMetaRelease(int slot, long meta) {
    // [S1] [S3] pairs with metaAcquire, compareAndSetMeta and getAndAddMeta.
    WORD.setRelease(hot, index(slot, META), meta);
  }

  @Override
  public boolean compareAndSetMeta(int slot, long expected, long meta) {
    // [S2] [S3] [S5] acquires what the last release published, releases the hiding or the claim.
    return WORD.compareAndSet(hot, index(slot, META), expected, meta);
  }

  @Override
  public long getAndAddMeta(int slot, long step) {
    // [S2] a release step publishes the last use to whoever takes the slot; pairs with both above.
    return (long) WORD.getAndAdd(hot, index(slot, META), step);
  }

  @Override
  public long keyHiOpaque(int slot) {
    // Opaque: between metaAcquire and the fence of [S4], or under a pin.
    return (long) WORD.getOpaque(hot, index(slot, KEY_HI));
  }

  @Override
  public long keyLoOpaque(int slot) {
    // Opaque: between metaAcquire and the fence of [S4], or under a pin.
    return (long) WORD.getOpaque(hot, index(slot, KEY_LO));
  }

  @Override
  void setKeyOpaque(int slot, long hi, long lo) {
    // Opaque: kept behind the claim by the fence of [S4], published by setMetaRelease [S1].
    WORD.setOpaque(hot, index(slot, KEY_HI), hi);
    WORD.setOpaque(hot, index(slot, KEY_LO), lo);
  }

  @Override
  public long tailAcquire(int slot) {
    // [S4] pairs with setTailRelease.
    return (long) WORD.getAcquire(hot, index(slot, TAIL));
  }

  @Override
  public long tailOpaque(int slot) {
    // Opaque: ordered by the acquire fence before it, see [S4].
    return (long) WORD.getOpaque(hot, index(slot, TAIL));
  }

  @Override
  long tailVolatile(int slot) {
    // [S10] behind the read-modify-write of an announcement.
    return (long) WORD.getVolatile(hot, index(slot, TAIL));
  }

  @Override
  void setTailRelease(int slot, long tail) {
    // [S4] pairs with tailAcquire; behind the compare-and-set that took the slot.
    WORD.setRelease(hot, index(slot, TAIL), tail);
  }

  @Override
  boolean compareAndSetTail(int slot, long expected, long tail) {
    // [S10] a mark; leaves the generation as it is.
    return WORD.compareAndSet(hot, index(slot, TAIL), expected, tail);
  }

  @Override
  public long coldAcquire(int slot) {
    // [S1] pairs with the release fence of publish: the type is registered before it is seen.
    return (long) WORD.getAcquire(cold, slot);
  }

  @Override
  void setColdOpaque(int slot, long word) {
    // Opaque: published by setMetaRelease [S1].
    WORD.setOpaque(cold, slot, word);
  }

  @Override
  public boolean compareAndSetCold(int slot, long expected, long word) {
    // [S7] of two changes to one word, neither may be lost or counted twice.
    return WORD.compareAndSet(cold, slot, expected, word);
  }

  @Override
  public long getAndSetCold(int slot, long word) {
    // [S7] a promotion counts for this entry, or fails; pairs with compareAndSetCold.
    return (long) WORD.getAndSet(cold, slot, word);
  }
}
