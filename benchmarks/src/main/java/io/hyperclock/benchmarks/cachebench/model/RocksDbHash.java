/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench.model;

/**
 * The seeded 128-bit hash of a 16-byte key.
 *
 * <p>Source: RocksDB {@code BijectiveHash2x64}, after XXH3's path for 9 to 16 bytes.
 *
 * @param word0 chooses the shard and the increment
 * @param word1 chooses the home slot
 */
public record RocksDbHash(long word0, long word1) {
  private static final long FLIP_LOW = 0x59973f0033362349L;
  private static final long FLIP_HIGH = 0xc202797692d63d58L;
  private static final long LENGTH_TERM = 0x03c0000000000000L;
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_32 = 0x85EBCA76L;
  private static final long PRIME_AVALANCHE = 0x165667919E3779F9L;
  private static final long LOW_32 = 0xffffffffL;

  /**
   * Hashes a key.
   *
   * @param hi bytes 8 to 15, little endian
   * @param lo bytes 0 to 7, little endian
   * @param seed any value
   * @return the hash
   */
  public static RocksDbHash of(long hi, long lo, long seed) {
    long factor = lo ^ seed ^ hi ^ FLIP_LOW;
    long flipped = hi ^ FLIP_HIGH;
    long high = unsignedHigh(factor, PRIME_1) + flipped + (flipped & LOW_32) * PRIME_32;
    long low = factor * PRIME_1 + LENGTH_TERM ^ Long.reverseBytes(high);
    long outHigh = unsignedHigh(low, PRIME_2) + high * PRIME_2;
    return new RocksDbHash(avalanche(low * PRIME_2), avalanche(outHigh));
  }

  private static long avalanche(long h) {
    h ^= h >>> 37;
    h *= PRIME_AVALANCHE;
    return h ^ (h >>> 32);
  }

  private static long unsignedHigh(long a, long b) {
    return Math.multiplyHigh(a, b) + (a >> 63 & b) + (b >> 63 & a);
  }
}
