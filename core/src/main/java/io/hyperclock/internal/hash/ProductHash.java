/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.hash;

/**
 * A seeded 64-bit hash of a 128-bit key: both words, each XORed with half of the seed, multiplied
 * to 128 bits and folded, then folded and multiplied once more, because for keys that differ in one
 * word only the product alone is an arithmetic progression. Good enough because keys are compared
 * in full and collisions cost only looks at slots.
 *
 * <p>WART: if a word equals its half of the seed the product is zero for every value of the other
 * word. The halves are 64 random bits each unless the seed is fixed by the user, and they are not
 * those a {@link java.util.SplittableRandom} of the same seed gives.
 */
public final class ProductHash {
  private static final long FINISH = 0xD6E8FEB86659FD93L;

  private ProductHash() {}

  /** What the high word of a key is to be XORed with. */
  public static long seedHi(long seed) {
    return mix(seed ^ 0xA0761D6478BD642FL);
  }

  /** What the low word of a key is to be XORed with. */
  public static long seedLo(long seed) {
    return mix(seed ^ 0xE7037ED1A0B428DBL);
  }

  /** Hash of the words of a key, each XORed with its half of the seed; all 64 bits are usable. */
  public static long hash(long seededHi, long seededLo) {
    long product = seededHi * seededLo ^ Math.multiplyHigh(seededHi, seededLo);
    return (product ^ product >>> 32) * FINISH;
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
