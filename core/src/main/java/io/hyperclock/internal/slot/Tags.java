/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

/**
 * The tag word of a bucket: pure functions on {@code long}. It has one byte for each slot: 0, or
 * eight bits of the hash of the key that the slot holds, 1 in place of 0. So one look at the word
 * finds the slots that may hold a key, and one in 255 of the others.
 *
 * <p>The eight bits are the lowest of the hash, which neither the shard nor a bucket is chosen by
 * unless a shard has more than 2<sup>24</sup> buckets.
 *
 * <p>Source: the idea of F14 and Swiss tables, within one word.
 */
public final class Tags {
  static final int SLOTS = 8;

  private static final int BYTE_MASK = 0xff;
  private static final long ONES = 0x0101010101010101L;
  private static final long TOPS = 0x8080808080808080L;

  /** The word of a bucket without a free slot. */
  static final long FULL = ONES;

  /** Of a mask: the slots of the first bucket. */
  static final long FIRST = ONES;

  /** Of a mask: the slots of the second bucket. */
  static final long SECOND = ONES << 1;

  private Tags() {}

  /** The tag of a hash: without a branch that cannot be predicted. */
  private static long tag(long hash) {
    long bits = hash & BYTE_MASK;
    return bits + (bits - 1 >>> Long.SIZE - 1);
  }

  /** The tag of a hash in each byte. */
  public static long pattern(long hash) {
    return tag(hash) * ONES;
  }

  /** The tag of a hash in the byte of a slot. */
  static long at(int slot, long hash) {
    return tag(hash) << Byte.SIZE * (slot % SLOTS);
  }

  /**
   * The slots of two buckets whose tags are those of a pattern, as a mask for {@link #slot}. The
   * slot above such a one may be taken for one, too, if its tag differs in the lowest bit only.
   */
  public static long matching(long first, long second, long pattern) {
    return mask(tops(first ^ pattern), tops(second ^ pattern));
  }

  /** The top bits of the bytes that are 0, and maybe of a 1 above one. */
  private static long tops(long difference) {
    return difference - ONES & ~difference & TOPS;
  }

  /** The slots of two buckets without a tag, as a mask for {@link #slot}. */
  public static long absent(long first, long second) {
    return mask(zeros(first), zeros(second));
  }

  /** The top bits of the bytes that are 0, and of no others. */
  private static long zeros(long word) {
    return ~((word & ~TOPS) + ~TOPS | word) & TOPS;
  }

  /**
   * One bit for each slot: the two buckets take turns, so that neither has to be looked at first.
   */
  private static long mask(long tops, long others) {
    return tops >>> Byte.SIZE - 1 | others >>> Byte.SIZE - 2;
  }

  /** The slot of the lowest bit of a mask; without a branch that cannot be predicted. */
  static int slot(int first, int second, long mask) {
    int bit = Long.numberOfTrailingZeros(mask);
    int bucket = first + (second - first & -(bit & 1));
    return bucket * SLOTS + (bit >>> 3);
  }
}
