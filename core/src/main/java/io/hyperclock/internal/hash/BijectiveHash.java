/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.hash;

/**
 * A seeded, lossless 128-bit to 128-bit hash: the hash RocksDB's clock cache stores in place of the
 * key. Used where results must agree with the original digit for digit.
 *
 * <p>A key is (hi, lo) with lo holding its first eight bytes, little endian. Java returns one long
 * at a time, so each word of the result has a method of its own; {@link #word0} takes word 1 to
 * save half of the work.
 *
 * <p>Source: RocksDB {@code BijectiveHash2x64}, after XXH3's path for 9 to 16 bytes.
 */
public final class BijectiveHash {
  private static final long FLIP_LOW = 0x59973f0033362349L;
  private static final long FLIP_HIGH = 0xc202797692d63d58L;
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_32 = 0x85EBCA76L;
  private static final long PRIME_AVALANCHE = 0x165667919E3779F9L;
  private static final long LENGTH_TERM = 0x03c0000000000000L;
  private static final long INVERSE_1 = 0x0887493432badb37L;
  private static final long INVERSE_2 = 0x0ba79078168d4bafL;
  private static final long INVERSE_32 = 0xb6c92f47L;
  private static final long INVERSE_AVALANCHE = 0x08da8ee41d6df849L;
  private static final long LOW_32 = 0xffffffffL;

  private BijectiveHash() {}

  /**
   * Both words of the hash.
   *
   * @return {word 0, word 1}
   */
  public static long[] hash(long hi, long lo, long seed) {
    long in = lo ^ seed;
    long factor = in ^ hi ^ FLIP_LOW;
    long low = factor * PRIME_1 + LENGTH_TERM;
    long high = unsignedHigh(factor, PRIME_1);
    long flipped = hi ^ FLIP_HIGH;
    high += flipped + (flipped & LOW_32) * PRIME_32;
    low ^= Long.reverseBytes(high);
    long outHigh = unsignedHigh(low, PRIME_2) + high * PRIME_2;
    return new long[] {avalanche(low * PRIME_2), avalanche(outHigh)};
  }

  /**
   * The key of a hash.
   *
   * @return {hi, lo}
   */
  public static long[] unhash(long word0, long word1, long seed) {
    long productLow = unavalanche(word0);
    long low = productLow * INVERSE_2;
    long high = (unavalanche(word1) - unsignedHigh(low, PRIME_2)) * INVERSE_2;
    low ^= Long.reverseBytes(high);
    long factor = (low - LENGTH_TERM) * INVERSE_1;
    long sum = high - unsignedHigh(factor, PRIME_1);
    long flippedLow = ((sum & LOW_32) * INVERSE_32) & LOW_32;
    long flipped = sum - flippedLow * PRIME_32;
    long hi = flipped ^ FLIP_HIGH;
    return new long[] {hi, factor ^ hi ^ FLIP_LOW ^ seed};
  }

  /** Word 0 of {@link #hash}: chooses the shard and the increment. */
  public static long word0(long hi, long lo, long seed) {
    long factor = lo ^ seed ^ hi ^ FLIP_LOW;
    long flipped = hi ^ FLIP_HIGH;
    long high = unsignedHigh(factor, PRIME_1) + flipped + (flipped & LOW_32) * PRIME_32;
    return avalanche((factor * PRIME_1 + LENGTH_TERM ^ Long.reverseBytes(high)) * PRIME_2);
  }

  /** Word 1 of {@link #hash}: chooses the home slot. */
  public static long word1(long hi, long lo, long seed) {
    long factor = lo ^ seed ^ hi ^ FLIP_LOW;
    long flipped = hi ^ FLIP_HIGH;
    long high = unsignedHigh(factor, PRIME_1) + flipped + (flipped & LOW_32) * PRIME_32;
    long low = factor * PRIME_1 + LENGTH_TERM ^ Long.reverseBytes(high);
    return avalanche(unsignedHigh(low, PRIME_2) + high * PRIME_2);
  }

  private static long avalanche(long h) {
    h ^= h >>> 37;
    h *= PRIME_AVALANCHE;
    return h ^ (h >>> 32);
  }

  private static long unavalanche(long h) {
    h ^= h >>> 32;
    h *= INVERSE_AVALANCHE;
    return h ^ (h >>> 37);
  }

  private static long unsignedHigh(long a, long b) {
    return Math.multiplyHigh(a, b) + (a >> 63 & b) + (b >> 63 & a);
  }
}
