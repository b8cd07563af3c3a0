/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Slot words in a direct buffer, aligned to cache lines: they add nothing to the Java heap and are
 * freed with the cache object. {@link AddressSlotStore} is the faster of the two.
 */
public final class OffHeapSlotStore extends SlotStore {
  private static final VarHandle WORD =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** Largest number of slots whose words fit into one buffer. */
  public static final int MAX_SLOTS =
      AlignedMemory.MAX_BYTES / (words(BUCKET_SLOTS) * Long.BYTES) * BUCKET_SLOTS;

  private final ByteBuffer words;

  /** All slots empty. */
  public OffHeapSlotStore(int slots) {
    super(slots);
    this.words = AlignedMemory.allocate(words(slots) * Long.BYTES);
  }

  private int index(int slot, int word) {
    return hot(slot, word) * Long.BYTES;
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
    ByteBuffer block = words;
    // [tag] pairs with getAndAddTags; both words are on the way at once.
    long tagsOfFirst = (long) WORD.getAcquire(block, tags(first) * Long.BYTES);
    long tagsOfSecond = (long) WORD.getAcquire(block, tags(second) * Long.BYTES);
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
      ByteBuffer block, int slot, long hi, long lo, long looked, long wanted, long hotFrom) {
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
    return (long) WORD.getAcquire(words, word * Long.BYTES);
  }

  @Override
  long getVolatile(int word) {
    return (long) WORD.getVolatile(words, word * Long.BYTES);
  }

  @Override
  long getOpaque(int word) {
    return (long) WORD.getOpaque(words, word * Long.BYTES);
  }

  @Override
  void setOpaque(int word, long content) {
    WORD.setOpaque(words, word * Long.BYTES, content);
  }

  @Override
  void setRelease(int word, long content) {
    WORD.setRelease(words, word * Long.BYTES, content);
  }

  @Override
  boolean compareAndSet(int word, long expected, long content) {
    return WORD.compareAndSet(words, word * Long.BYTES, expected, content);
  }

  @Override
  long getAndAdd(int word, long step) {
    return (long) WORD.getAndAdd(words, word * Long.BYTES, step);
  }

  @Override
  long getAndSet(int word, long content) {
    return (long) WORD.getAndSet(words, word * Long.BYTES, content);
  }
}
