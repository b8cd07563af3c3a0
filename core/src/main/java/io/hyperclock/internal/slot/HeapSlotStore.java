/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Slot words in a {@code long[]}.
 *
 * <p>The first slot begins 64 bytes into the array (16 bytes of header and six unused longs), so
 * that in a large array, which the collectors place on a page or region boundary, two slots share a
 * cache line and none lies across two.
 */
public final class HeapSlotStore extends SlotStore {
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int FIRST = 6;

  /** Largest number of slots whose words fit into one array. */
  public static final int MAX_SLOTS = 1 << 28;

  private final long[] words;

  /** All slots empty. */
  public HeapSlotStore(int slots) {
    super(slots);
    this.words = new long[FIRST + words(slots)];
  }

  private int index(int slot, int word) {
    return FIRST + hot(slot, word);
  }

  @Override
  public @Nullable Object read(int slot, long hi, long lo, long wanted) {
    Object value = validated(words, slot, hi, lo, wanted, wanted, 0);
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
    long[] block = words;
    // [tag] pairs with getAndAddTags; both words are on the way at once.
    long tagsOfFirst = (long) WORD.getAcquire(block, FIRST + tags(first));
    long tagsOfSecond = (long) WORD.getAcquire(block, FIRST + tags(second));
    long left = Tags.matching(tagsOfFirst, tagsOfSecond, pattern);
    if (left == 0) {
      return NOT_FOUND;
    }
    for (; left != 0; left &= left - 1) {
      int slot = Tags.slot(first, second, left);
      Object value = validated(block, slot, hi, lo, looked, wanted, hotFrom);
      if (value != NOT_FOUND) {
        return value;
      }
    }
    // [one-entry] what follows a slot that matched in vain waits for the look at it.
    VarHandle.acquireFence();
    return NOT_FOUND;
  }

  /** The value, {@link #NOT_FOUND}, or null if the slot shows the key in another state. */
  private @Nullable Object validated(
      long[] block, int slot, long hi, long lo, long looked, long wanted, long hotFrom) {
    // [validate] pairs with setTailRelease.
    long tail = (long) WORD.getAcquire(block, index(slot, TAIL));
    // [publish] [validate] pairs with setMetaRelease, compareAndSetMeta and getAndAddMeta.
    long meta = (long) WORD.getAcquire(block, index(slot, META));
    // Opaque: both words of the key, between metaAcquire and the fence of [validate].
    if ((long) WORD.getOpaque(block, index(slot, KEY_LO)) != lo
        || (long) WORD.getOpaque(block, index(slot, KEY_HI)) != hi) {
      return NOT_FOUND;
    }
    if ((meta & looked) != wanted) {
      return MetaWord.isVisible(meta) ? null : NOT_FOUND;
    }
    Object value = valueOpaque(slot);
    // [validate] the data were read before the second look at the generation.
    VarHandle.acquireFence();
    // Opaque: ordered by the fence before it, see [validate].
    long again = (long) WORD.getOpaque(block, index(slot, TAIL));
    if (!GenerationWord.sameTenancy(tail, again) || value == null) {
      return NOT_FOUND;
    }
    if (MetaWord.wantsTick(meta, hotFrom)) {
      // Opaque: would do; a lost race costs one use that another step has just stood for.
      WORD.compareAndSet(block, index(slot, META), meta, MetaWord.ticked(meta, hotFrom));
    }
    return value;
  }

  @Override
  long getAcquire(int word) {
    return (long) WORD.getAcquire(words, FIRST + word);
  }

  @Override
  long getVolatile(int word) {
    return (long) WORD.getVolatile(words, FIRST + word);
  }

  @Override
  long getOpaque(int word) {
    return (long) WORD.getOpaque(words, FIRST + word);
  }

  @Override
  void setOpaque(int word, long content) {
    WORD.setOpaque(words, FIRST + word, content);
  }

  @Override
  void setRelease(int word, long content) {
    WORD.setRelease(words, FIRST + word, content);
  }

  @Override
  boolean compareAndSet(int word, long expected, long content) {
    return WORD.compareAndSet(words, FIRST + word, expected, content);
  }

  @Override
  long getAndAdd(int word, long step) {
    return (long) WORD.getAndAdd(words, FIRST + word, step);
  }

  @Override
  long getAndSet(int word, long content) {
    return (long) WORD.getAndSet(words, FIRST + word, content);
  }
}
