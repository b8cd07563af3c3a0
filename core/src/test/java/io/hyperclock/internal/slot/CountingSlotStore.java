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

  private int read(int slot) {
    before.run();
    touched.set(slot);
    return slot;
  }

  private int write(int slot) {
    stores++;
    return read(slot);
  }

  private int update(int slot) {
    atomics++;
    return write(slot);
  }

  @Override
  public long metaAcquire(int slot) {
    return words.metaAcquire(read(slot));
  }

  @Override
  public long metaOpaque(int slot) {
    return words.metaOpaque(read(slot));
  }

  @Override
  long metaVolatile(int slot) {
    return words.metaVolatile(read(slot));
  }

  @Override
  long tagsAcquire(int bucket) {
    before.run();
    return words.tagsAcquire(bucket);
  }

  @Override
  long tagsVolatile(int bucket) {
    before.run();
    return words.tagsVolatile(bucket);
  }

  @Override
  long getAndAddTags(int bucket, long step) {
    before.run();
    stores++;
    atomics++;
    return words.getAndAddTags(bucket, step);
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
      return Meta.isVisible(meta) ? null : NOT_FOUND;
    }
    Object value = valueOpaque(slot);
    VarHandle.acquireFence();
    if (!Tail.sameTenancy(tail, tailOpaque(slot)) || value == null) {
      return NOT_FOUND;
    }
    if (Meta.wantsTick(meta, hotFrom)) {
      compareAndSetMeta(slot, meta, Meta.ticked(meta, hotFrom));
    }
    return value;
  }

  @Override
  public void setMetaRelease(int slot, long meta) {
    words.setMetaRelease(write(slot), meta);
  }

  @Override
  public boolean compareAndSetMeta(int slot, long expected, long meta) {
    return words.compareAndSetMeta(update(slot), expected, meta);
  }

  @Override
  public long getAndAddMeta(int slot, long step) {
    return words.getAndAddMeta(update(slot), step);
  }

  @Override
  public long keyHiOpaque(int slot) {
    return words.keyHiOpaque(read(slot));
  }

  @Override
  public long keyLoOpaque(int slot) {
    return words.keyLoOpaque(read(slot));
  }

  @Override
  void setKeyOpaque(int slot, long hi, long lo) {
    words.setKeyOpaque(write(slot), hi, lo);
  }

  @Override
  public long tailAcquire(int slot) {
    return words.tailAcquire(read(slot));
  }

  @Override
  public long tailOpaque(int slot) {
    return words.tailOpaque(read(slot));
  }

  @Override
  long tailVolatile(int slot) {
    return words.tailVolatile(read(slot));
  }

  @Override
  void setTailRelease(int slot, long tail) {
    words.setTailRelease(write(slot), tail);
  }

  @Override
  boolean compareAndSetTail(int slot, long expected, long tail) {
    return words.compareAndSetTail(update(slot), expected, tail);
  }

  @Override
  public long coldAcquire(int slot) {
    return words.coldAcquire(read(slot));
  }

  @Override
  void setColdOpaque(int slot, long word) {
    words.setColdOpaque(write(slot), word);
  }

  @Override
  public boolean compareAndSetCold(int slot, long expected, long word) {
    return words.compareAndSetCold(update(slot), expected, word);
  }

  @Override
  public long getAndSetCold(int slot, long word) {
    return words.getAndSetCold(update(slot), word);
  }
}
