/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Slot words off the heap at plain addresses, where {@link AllMemory} is usable: what {@link
 * OffHeapSlotStore} does without its checks, and as fast as {@link HeapSlotStore}.
 *
 * <p>No access checks where it goes, so this class alone makes addresses. They come from a slot or
 * a bucket, which callers make from a hash or by counting, always below {@link #slots}; assertions
 * say so. Each access ends with a fence that keeps the memory: it is freed with the store, not
 * before.
 */
public final class AddressSlotStore extends SlotStore {
  private static final VarHandle WORD = AllMemory.words();

  /**
   * The compiler proves from these and from the shift that an address is neither negative nor
   * unaligned, and leaves out both checks of the handle.
   */
  private static final long LINES = (1L << 56) - 1;

  private final ByteBuffer memory;
  private final long line;

  /** All slots empty. */
  public AddressSlotStore(int slots) {
    this(slots, AlignedMemory::allocate);
  }

  /**
   * All slots empty.
   *
   * @param memory gives memory of as many bytes, see {@link AlignedMemory}
   */
  AddressSlotStore(int slots, IntFunction<ByteBuffer> memory) {
    super(slots);
    this.memory = memory.apply(words(slots) * Long.BYTES);
    this.line = line(AllMemory.addressOf(this.memory));
  }

  /** Number of the cache line that begins at an address. */
  static long line(long address) {
    long line = address / AlignedMemory.CACHE_LINE & LINES;
    if (start(line) != address) {
      throw new IllegalArgumentException("memory must begin with a line: address=" + address);
    }
    return line;
  }

  private static long start(long line) {
    return (line & LINES) * AlignedMemory.CACHE_LINE;
  }

  /** Bytes from the start to a hot word. */
  static long offset(int slot, int word) {
    return (Integer.toUnsignedLong(slot) * HOT_WORDS + word) * Long.BYTES;
  }

  private long index(int slot, int word) {
    assert slot >= 0 && slot < slots() : slot;
    return offset(slot, word);
  }

  private long address(int word) {
    return start(line) + Integer.toUnsignedLong(word) * Long.BYTES;
  }

  /** What an access gave, whose memory was there until then. */
  private long reachable(long word) {
    Reference.reachabilityFence(memory);
    return word;
  }

  private boolean reachable(boolean done) {
    Reference.reachabilityFence(memory);
    return done;
  }

  @Override
  public @Nullable Object read(int slot, long hi, long lo, long wanted) {
    Object value = validated(start(line), slot, hi, lo, wanted, wanted, 0);
    Reference.reachabilityFence(memory);
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
    // [tag] pairs with getAndAddTags; both words are on the way at once.
    long tagsOfFirst = (long) WORD.getAcquire(address(tags(first)));
    long tagsOfSecond = (long) WORD.getAcquire(address(tags(second)));
    long left = Tags.matching(tagsOfFirst, tagsOfSecond, pattern);
    if (left == 0) {
      Reference.reachabilityFence(memory);
      return NOT_FOUND;
    }
    long block = start(line);
    Object value = NOT_FOUND;
    for (; left != 0 && value == NOT_FOUND; left &= left - 1) {
      int slot = Tags.slot(first, second, left);
      value = validated(block, slot, hi, lo, looked, wanted, hotFrom);
    }
    // [one-entry] what follows a slot that matched in vain waits for the look at it.
    VarHandle.acquireFence();
    Reference.reachabilityFence(memory);
    return value;
  }

  /** The value, {@link #NOT_FOUND}, or null if the slot shows the key in another state. */
  private @Nullable Object validated(
      long block, int slot, long hi, long lo, long looked, long wanted, long hotFrom) {
    // [validate] pairs with setTailRelease.
    long tail = (long) WORD.getAcquire(block + index(slot, TAIL));
    // [publish] [validate] pairs with setMetaRelease, compareAndSetMeta and getAndAddMeta.
    long meta = (long) WORD.getAcquire(block + index(slot, META));
    // Opaque: both words of the key, between metaAcquire and the fence of [validate].
    if ((long) WORD.getOpaque(block + index(slot, KEY_LO)) != lo
        || (long) WORD.getOpaque(block + index(slot, KEY_HI)) != hi) {
      return NOT_FOUND;
    }
    if ((meta & looked) != wanted) {
      return MetaWord.isVisible(meta) ? null : NOT_FOUND;
    }
    Object value = valueOpaque(slot);
    // [validate] the data were read before the second look at the generation.
    VarHandle.acquireFence();
    // Opaque: ordered by the fence before it, see [validate].
    long again = (long) WORD.getOpaque(block + index(slot, TAIL));
    if (!GenerationWord.sameTenancy(tail, again) || value == null) {
      return NOT_FOUND;
    }
    if (MetaWord.wantsTick(meta, hotFrom)) {
      // Opaque: would do; a lost race costs one use that another step has just stood for.
      WORD.compareAndSet(block + index(slot, META), meta, MetaWord.ticked(meta, hotFrom));
    }
    return value;
  }

  @Override
  long getAcquire(int word) {
    return reachable((long) WORD.getAcquire(address(word)));
  }

  @Override
  long getVolatile(int word) {
    return reachable((long) WORD.getVolatile(address(word)));
  }

  @Override
  long getOpaque(int word) {
    return reachable((long) WORD.getOpaque(address(word)));
  }

  @Override
  void setOpaque(int word, long content) {
    WORD.setOpaque(address(word), content);
    Reference.reachabilityFence(memory);
  }

  @Override
  void setRelease(int word, long content) {
    WORD.setRelease(address(word), content);
    Reference.reachabilityFence(memory);
  }

  @Override
  boolean compareAndSet(int word, long expected, long content) {
    return reachable(WORD.compareAndSet(address(word), expected, content));
  }

  @Override
  long getAndAdd(int word, long step) {
    return reachable((long) WORD.getAndAdd(address(word), step));
  }

  @Override
  long getAndSet(int word, long content) {
    return reachable((long) WORD.getAndSet(address(word), content));
  }
}
