/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import java.lang.invoke.VarHandle;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Counts what one thread at a time does to the words of slots. */
public final class CountingSlotStore extends SlotStore {
  private final HeapSlotStore words;
  private final Runnable before;
  private final BitSet touched = new BitSet();
  private long stores;
  private long atomics;

  /** Only counts. */
  public CountingSlotStore(int slots) {
    this(slots, () -> {});
  }

  /**
   * Counts.
   *
   * @param before called before each access of a word
   */
  public CountingSlotStore(int slots, Runnable before) {
    super(slots);
    this.before = before;
    this.words = new HeapSlotStore(slots);
  }

  /** Starts to count anew. */
  public void reset() {
    touched.clear();
    stores = 0;
    atomics = 0;
  }

  /** The words themselves, for looks that are neither counted nor seen; without values. */
  public SlotStore words() {
    return words;
  }

  /** Slots of which a word was read or written. */
  public int slotsTouched() {
    return touched.cardinality();
  }

  /** Writes of words, atomic or not. */
  public long stores() {
    return stores;
  }

  /** Those of {@link #stores} that read, modify and write at once. */
  public long atomics() {
    return atomics;
  }

  /** The slot that a word belongs to, or -1 if it has the tags of a bucket. */
  private int slotOf(int word) {
    int hot = slots() * HOT_WORDS;
    return word < hot ? word / HOT_WORDS : word < hot + slots() ? word - hot : -1;
  }

  private int read(int word) {
    before.run();
    if (slotOf(word) >= 0) {
      touched.set(slotOf(word));
    }
    return word;
  }

  private int write(int word) {
    stores++;
    return read(word);
  }

  private int update(int word) {
    atomics++;
    return write(word);
  }

  @Override
  long getAcquire(int word) {
    return words.getAcquire(read(word));
  }

  @Override
  long getVolatile(int word) {
    return words.getVolatile(read(word));
  }

  @Override
  long getOpaque(int word) {
    return words.getOpaque(read(word));
  }

  /** The two words of a key are one step: nobody reads one without the other. */
  @Override
  void setOpaque(int word, long content) {
    boolean secondOfKey = word < slots() * HOT_WORDS && word % HOT_WORDS == KEY_LO;
    words.setOpaque(secondOfKey ? word : write(word), content);
  }

  @Override
  void setRelease(int word, long content) {
    words.setRelease(write(word), content);
  }

  @Override
  boolean compareAndSet(int word, long expected, long content) {
    return words.compareAndSet(update(word), expected, content);
  }

  @Override
  long getAndAdd(int word, long step) {
    return words.getAndAdd(update(word), step);
  }

  @Override
  long getAndSet(int word, long content) {
    return words.getAndSet(update(word), content);
  }

  @Override
  public @Nullable Object read(int slot, long hi, long lo, long wanted) {
    Object value = validated(slot, hi, lo, wanted, wanted, 0);
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
    long left = candidates(first, second, pattern);
    for (; left != 0; left &= left - 1) {
      Object value = validated(slot(first, second, left), hi, lo, looked, wanted, hotFrom);
      if (value != NOT_FOUND) {
        return value;
      }
    }
    return NOT_FOUND;
  }

  private @Nullable Object validated(
      int slot, long hi, long lo, long looked, long wanted, long hotFrom) {
    long tail = tailAcquire(slot);
    long meta = metaAcquire(slot);
    if (keyLoOpaque(slot) != lo || keyHiOpaque(slot) != hi) {
      return NOT_FOUND;
    }
    if ((meta & looked) != wanted) {
      return MetaWord.isVisible(meta) ? null : NOT_FOUND;
    }
    Object value = valueOpaque(slot);
    VarHandle.acquireFence();
    if (!GenerationWord.sameTenancy(tail, tailOpaque(slot)) || value == null) {
      return NOT_FOUND;
    }
    if (MetaWord.wantsTick(meta, hotFrom)) {
      compareAndSetMeta(slot, meta, MetaWord.ticked(meta, hotFrom));
    }
    return value;
  }
}
