/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model.parity;

/**
 * RocksDB's seeded 128-bit hash of a 16-byte key, restated: the 9-to-16-byte path of XXH3 made
 * bijective.
 *
 * @param word0 gives the shard and the probe increment
 * @param word1 gives the home slot
 */
record ParityHash(long word0, long word1) {
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;

  /**
   * Hashes a key.
   *
   * @param hi bytes 8 to 15, little endian
   * @param lo bytes 0 to 7, little endian
   * @param seed any value
   */
  static ParityHash of(long hi, long lo, long seed) {
    long mixed = (lo ^ seed) ^ hi ^ 0x59973f0033362349L;
    long low = mixed * PRIME_1 + 0x03c0000000000000L;
    long high = Unsigned.multiplyHigh(mixed, PRIME_1);
    long upper = hi ^ 0xc202797692d63d58L;
    high += upper + (upper & 0xffffffffL) * 0x85EBCA76L;
    low ^= Long.reverseBytes(high);
    long outLow = low * PRIME_2;
    long outHigh = Unsigned.multiplyHigh(low, PRIME_2) + high * PRIME_2;
    return new ParityHash(avalanche(outLow), avalanche(outHigh));
  }

  private static long avalanche(long x) {
    x ^= x >>> 37;
    x *= 0x165667919E3779F9L;
    return x ^ (x >>> 32);
  }
}
