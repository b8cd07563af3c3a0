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

  private final ByteBuffer[] memory;
  private final long hot;
  private final long cold;
  private final long tags;

  /** A store whose class is loaded only if it is wanted. */
  public static SlotStore create(int slots) {
    return new AddressSlotStore(slots);
  }

  /** All slots empty. */
  public AddressSlotStore(int slots) {
    this(slots, AlignedMemory::allocate);
  }

  /**
   * All slots empty.
   *
   * @param blocks gives memory of as many bytes, see {@link AlignedMemory}
   */
  AddressSlotStore(int slots, IntFunction<ByteBuffer> blocks) {
    super(slots);
    this.memory =
        new ByteBuffer[] {
          blocks.apply(slots * HOT_WORDS * Long.BYTES),
          blocks.apply(slots * Long.BYTES),
          blocks.apply(slots)
        };
    this.hot = line(AllMemory.addressOf(memory[0]));
    this.cold = line(AllMemory.addressOf(memory[1]));
    this.tags = line(AllMemory.addressOf(memory[2]));
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

  /** Bytes from the start of the hot words. */
  static long offset(int slot, int word) {
    return (Integer.toUnsignedLong(slot) * HOT_WORDS + word) * Long.BYTES;
  }

  private long index(int slot, int word) {
    assert slot >= 0 && slot < slots() : slot;
    return offset(slot, word);
  }

  private long hot(int slot, int word) {
    return start(hot) + index(slot, word);
  }

  private long cold(int slot) {
    assert slot >= 0 && slot < slots() : slot;
    return start(cold) + Integer.toUnsignedLong(slot) * Long.BYTES;
  }

  private long tags(int bucket) {
    assert bucket >= 0 && bucket < slots() / BUCKET_SLOTS : bucket;
    return start(tags) + Integer.toUnsignedLong(bucket) * Long.BYTES;
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
  long tagsAcquire(int bucket) {
    // [S6] pairs with getAndAddTags.
    return reachable((long) WORD.getAcquire(tags(bucket)));
  }

  @Override
  long tagsVolatile(int bucket) {
    // [S10] behind the read-modify-write of an announcement, or the fence of a mark.
    return reachable((long) WORD.getVolatile(tags(bucket)));
  }

  @Override
  long getAndAddTags(int bucket, long step) {
    // [S6] set before the entry is published, cleared after it was taken; [S10] a full fence.
    return reachable((long) WORD.getAndAdd(tags(bucket), step));
  }

  @Override
  public long metaAcquire(int slot) {
    // [S1] [S2] [S3] [S4] pairs with setMetaRelease, compareAndSetMeta and getAndAddMeta.
    return reachable((long) WORD.getAcquire(hot(slot, META)));
  }

  @Override
  public long metaOpaque(int slot) {
    // Opaque: a stale word costs one failed or skipped compare-and-set.
    return reachable((long) WORD.getOpaque(hot(slot, META)));
  }

  @Override
  long metaVolatile(int slot) {
    // [S10] behind the read-modify-write of an announcement, or the fence of a mark.
    return reachable((long) WORD.getVolatile(hot(slot, META)));
  }

  @Override
  public @Nullable Object read(int slot, long hi, long lo, long wanted) {
    Object value = validated(start(hot), slot, hi, lo, wanted, wanted, 0);
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
    // [S6] pairs with getAndAddTags; both words are on the way at once.
    long tagsOfFirst = (long) WORD.getAcquire(tags(first));
    long tagsOfSecond = (long) WORD.getAcquire(tags(second));
    long left = Tags.matching(tagsOfFirst, tagsOfSecond, pattern);
    if (left == 0) {
      Reference.reachabilityFence(memory);
      return NOT_FOUND;
    }
    long words = start(hot);
    Object value = NOT_FOUND;
    for (; left != 0 && value == NOT_FOUND; left &= left - 1) {
      int slot = Tags.slot(first, second, left);
      value = validated(words, slot, hi, lo, looked, wanted, hotFrom);
    }
    // [S10] what follows a slot that matched in vain waits for the look at it.
    VarHandle.acquireFence();
    Reference.reachabilityFence(memory);
    return value;
  }

  /** The value, {@link #NOT_FOUND}, or null if the slot shows the key in another state. */
  private @Nullable Object validated(
      long words, int slot, long hi, long lo, long looked, long wanted, long hotFrom) {
    // [S4] pairs with setTailRelease.
    long tail = (long) WORD.getAcquire(words + index(slot, TAIL));
    // [S1] [S4] pairs with setMetaRelease, compareAndSetMeta and getAndAddMeta.
    long meta = (long) WORD.getAcquire(words + index(slot, META));
    // Opaque: both words of the key, between metaAcquire and the fence of [S4].
    if ((long) WORD.getOpaque(words + index(slot, KEY_LO)) != lo
        || (long) WORD.getOpaque(words + index(slot, KEY_HI)) != hi) {
      return NOT_FOUND;
    }
    if ((meta & looked) != wanted) {
      return Meta.isVisible(meta) ? null : NOT_FOUND;
    }
    Object value = valueOpaque(slot);
    // [S4] the data were read before the second look at the generation.
    VarHandle.acquireFence();
    // Opaque: ordered by the fence before it, see [S4].
    long again = (long) WORD.getOpaque(words + index(slot, TAIL));
    if (!Tail.sameTenancy(tail, again) || value == null) {
      return NOT_FOUND;
    }
    if (Meta.wantsTick(meta, hotFrom)) {
      // Opaque: would do; a lost race costs one use that another step has just stood for.
      WORD.compareAndSet(words + index(slot, META), meta, Meta.ticked(meta, hotFrom));
    }
    return value;
  }

  @Override
  public void setMetaRelease(int slot, long meta) {
    // [S1] [S3] pairs with metaAcquire, compareAndSetMeta and getAndAddMeta.
    WORD.setRelease(hot(slot, META), meta);
    Reference.reachabilityFence(memory);
  }

  @Override
  public boolean compareAndSetMeta(int slot, long expected, long meta) {
    // [S2] [S3] [S5] acquires what the last release published, releases the hiding or the claim.
    return reachable(WORD.compareAndSet(hot(slot, META), expected, meta));
  }

  @Override
  public long getAndAddMeta(int slot, long step) {
    // [S2] a release step publishes the last use to whoever takes the slot; pairs with both above.
    return reachable((long) WORD.getAndAdd(hot(slot, META), step));
  }

  @Override
  public long keyHiOpaque(int slot) {
    // Opaque: between metaAcquire and the fence of [S4], or under a pin.
    return reachable((long) WORD.getOpaque(hot(slot, KEY_HI)));
  }

  @Override
  public long keyLoOpaque(int slot) {
    // Opaque: between metaAcquire and the fence of [S4], or under a pin.
    return reachable((long) WORD.getOpaque(hot(slot, KEY_LO)));
  }

  @Override
  void setKeyOpaque(int slot, long hi, long lo) {
    // Opaque: kept behind the claim by the fence of [S4], published by setMetaRelease [S1].
    WORD.setOpaque(hot(slot, KEY_HI), hi);
    WORD.setOpaque(hot(slot, KEY_LO), lo);
    Reference.reachabilityFence(memory);
  }

  @Override
  public long tailAcquire(int slot) {
    // [S4] pairs with setTailRelease.
    return reachable((long) WORD.getAcquire(hot(slot, TAIL)));
  }

  @Override
  public long tailOpaque(int slot) {
    // Opaque: ordered by the acquire fence before it, see [S4].
    return reachable((long) WORD.getOpaque(hot(slot, TAIL)));
  }

  @Override
  long tailVolatile(int slot) {
    // [S10] behind the read-modify-write of an announcement.
    return reachable((long) WORD.getVolatile(hot(slot, TAIL)));
  }

  @Override
  void setTailRelease(int slot, long tail) {
    // [S4] pairs with tailAcquire; behind the compare-and-set that took the slot.
    WORD.setRelease(hot(slot, TAIL), tail);
    Reference.reachabilityFence(memory);
  }

  @Override
  boolean compareAndSetTail(int slot, long expected, long tail) {
    // [S10] a mark; leaves the generation as it is.
    return reachable(WORD.compareAndSet(hot(slot, TAIL), expected, tail));
  }

  @Override
  public long coldAcquire(int slot) {
    // [S1] pairs with the release fence of publish: the type is registered before it is seen.
    return reachable((long) WORD.getAcquire(cold(slot)));
  }

  @Override
  void setColdOpaque(int slot, long word) {
    // Opaque: published by setMetaRelease [S1].
    WORD.setOpaque(cold(slot), word);
    Reference.reachabilityFence(memory);
  }

  @Override
  public boolean compareAndSetCold(int slot, long expected, long word) {
    // [S7] of two changes to one word, neither may be lost or counted twice.
    return reachable(WORD.compareAndSet(cold(slot), expected, word));
  }

  @Override
  public long getAndSetCold(int slot, long word) {
    // [S7] a promotion counts for this entry, or fails; pairs with compareAndSetCold.
    return reachable((long) WORD.getAndSet(cold(slot), word));
  }
}
