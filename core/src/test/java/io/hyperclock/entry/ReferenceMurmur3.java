/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

import java.math.BigInteger;

/**
 * MurmurHash3 x64 128 with seed 0, byte by byte from its definition, and its inverse for 16 bytes.
 * For tests that must not share code with what they test.
 */
public final class ReferenceMurmur3 {
  private static final long C1 = 0x87c37b91114253d5L;
  private static final long C2 = 0x4cf5ad432745937fL;
  private static final long F1 = 0xff51afd7ed558ccdL;
  private static final long F2 = 0xc4ceb9fe1a85ec53L;

  private ReferenceMurmur3() {}

  /** Hash of bytes: two words. */
  public static long[] hash(byte[] bytes) {
    long h1 = 0;
    long h2 = 0;
    int blocks = bytes.length / 16;
    for (int block = 0; block < blocks; block++) {
      h1 = Long.rotateLeft(h1 ^ k1(word(bytes, 16 * block, 8)), 27);
      h1 = (h1 + h2) * 5 + 0x52dce729;
      h2 = Long.rotateLeft(h2 ^ k2(word(bytes, 16 * block + 8, 8)), 31);
      h2 = (h2 + h1) * 5 + 0x38495ab5;
    }
    int rest = bytes.length - 16 * blocks;
    if (rest > 8) {
      h2 ^= k2(word(bytes, 16 * blocks + 8, rest - 8));
    }
    if (rest > 0) {
      h1 ^= k1(word(bytes, 16 * blocks, Math.min(8, rest)));
    }
    h1 ^= bytes.length;
    h2 ^= bytes.length;
    h1 += h2;
    h2 += h1;
    h1 = finish(h1);
    h2 = finish(h2);
    h1 += h2;
    return new long[] {h1, h2 + h1};
  }

  /** Hash of two words in little endian order. */
  public static long[] hash(long first, long second) {
    byte[] bytes = new byte[16];
    for (int i = 0; i < 8; i++) {
      bytes[i] = (byte) (first >>> 8 * i);
      bytes[8 + i] = (byte) (second >>> 8 * i);
    }
    return hash(bytes);
  }

  /** The two words that have this hash. */
  public static long[] identity(long first, long second) {
    long h2 = second - first;
    long h1 = first - h2;
    h1 = unfinish(h1);
    h2 = unfinish(h2);
    h2 -= h1;
    h1 -= h2;
    h1 ^= 16;
    h2 ^= 16;
    h2 = Long.rotateRight((h2 - 0x38495ab5) * inverse(5) - h1, 31);
    h1 = Long.rotateRight((h1 - 0x52dce729) * inverse(5), 27);
    return new long[] {
      Long.rotateRight(h1 * inverse(C2), 31) * inverse(C1),
      Long.rotateRight(h2 * inverse(C1), 33) * inverse(C2)
    };
  }

  private static long word(byte[] bytes, int from, int count) {
    long word = 0;
    for (int i = 0; i < count; i++) {
      word |= (bytes[from + i] & 0xffL) << 8 * i;
    }
    return word;
  }

  private static long k1(long k) {
    return Long.rotateLeft(k * C1, 31) * C2;
  }

  private static long k2(long k) {
    return Long.rotateLeft(k * C2, 33) * C1;
  }

  private static long finish(long k) {
    long mixed = (k ^ k >>> 33) * F1;
    mixed = (mixed ^ mixed >>> 33) * F2;
    return mixed ^ mixed >>> 33;
  }

  /** A shift by more than half of the bits, as a XOR, undoes itself. */
  private static long unfinish(long k) {
    long mixed = (k ^ k >>> 33) * inverse(F2);
    mixed = (mixed ^ mixed >>> 33) * inverse(F1);
    return mixed ^ mixed >>> 33;
  }

  private static long inverse(long odd) {
    BigInteger words = BigInteger.ONE.shiftLeft(Long.SIZE);
    return BigInteger.valueOf(odd).modInverse(words).longValue();
  }
}
