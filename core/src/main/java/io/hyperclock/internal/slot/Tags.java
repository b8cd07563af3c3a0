/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

/**
 * The tag word of a bucket: pure functions on {@code long}. It has one byte for each slot: 0, or the
 * top bit and seven bits of the hash of the key that the slot holds. So one look at the word finds
 * the slots that may hold a key, and one in 128 of the others.
 *
 * <p>The seven bits are the lowest of the hash, which neither the shard nor a bucket is chosen by.
 *
 * <p>Source: the idea of F14 and Swiss tables, within one word.
 */
public final class Tags {
  static final int SLOTS = 8;

  private static final int PRESENT = 0x80;
  private static final int HASH_MASK = 0x7f;
  private static final int BYTE_MASK = 0xff;
  private static final long ONES = 0x0101010101010101L;
  private static final long TOPS = 0x8080808080808080L;

  /** Brings the lowest bits of all bytes together in the highest byte. */
  private static final long GATHER = 0x0102040810204080L;

  private Tags() {}

  /** The tag of a hash in each byte. */
  public static long pattern(long hash) {
    return (PRESENT | hash & HASH_MASK) * ONES;
  }

  /** The tag of a hash in the byte of a slot. */
  static long at(int slot, long hash) {
    return (PRESENT | hash & HASH_MASK) << Byte.SIZE * (slot % SLOTS);
  }

  /** The tag of a slot, or 0. */
  static int of(long word, int slot) {
    return (int) (word >>> Byte.SIZE * (slot % SLOTS)) & BYTE_MASK;
  }

  /** Whether a word has the tag of a hash for a slot. */
  public static boolean isOf(int tag, long hash) {
    return tag == (PRESENT | (int) hash & HASH_MASK);
  }

  /**
   * The top bits of the bytes that are those of a pattern. The byte above such a one may be taken
   * for one, too, if it differs in the lowest bit only.
   */
  static long matches(long word, long pattern) {
    long difference = word ^ pattern;
    return difference - ONES & ~difference & TOPS;
  }

  /** The same, one bit for each slot. */
  static int matching(long word, long pattern) {
    return gathered(matches(word, pattern));
  }

  /** The slots without a tag, one bit for each. */
  static int absent(long word) {
    return gathered(~word & TOPS);
  }

  private static int gathered(long tops) {
    return (int) ((tops >>> Byte.SIZE - 1) * GATHER >>> Long.SIZE - SLOTS);
  }

  /** The slot of a bucket of the lowest of the {@link #matches}. */
  static int slot(int bucket, long matches) {
    return bucket * SLOTS + (Long.numberOfTrailingZeros(matches) >>> 3);
  }
}
