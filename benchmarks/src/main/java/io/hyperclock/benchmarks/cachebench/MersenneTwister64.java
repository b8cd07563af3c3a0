/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

/**
 * The 64-bit Mersenne Twister of the C++ standard ({@code std::mt19937_64}), so that the workload
 * is RocksDB's number for number. Not thread-safe.
 *
 * <p>Source: M. Matsumoto, T. Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed
 * uniform pseudorandom number generator" (1998), with the constants of the 64-bit version.
 */
final class MersenneTwister64 {
  private static final int WORDS = 312;
  private static final int MIDDLE = 156;
  private static final long TWIST = 0xB5026F5AA96619E9L;
  private static final long UPPER = 0xFFFFFFFF80000000L;

  private final long[] state = new long[WORDS];
  private int next = WORDS;

  MersenneTwister64(long seed) {
    state[0] = seed;
    for (int i = 1; i < WORDS; i++) {
      long before = state[i - 1];
      state[i] = 6364136223846793005L * (before ^ (before >>> 62)) + i;
    }
  }

  /** The next of all 2<sup>64</sup> words. */
  long next() {
    if (next == WORDS) {
      for (int i = 0; i < WORDS; i++) {
        twist(i);
      }
      next = 0;
    }
    long x = state[next++];
    x ^= (x >>> 29) & 0x5555555555555555L;
    x ^= (x << 17) & 0x71D67FFFEDA60000L;
    x ^= (x << 37) & 0xFFF7EEE000000000L;
    return x ^ (x >>> 43);
  }

  private void twist(int i) {
    int after = i + 1 < WORDS ? i + 1 : 0;
    int middle = i < WORDS - MIDDLE ? i + MIDDLE : i + MIDDLE - WORDS;
    long x = (state[i] & UPPER) | (state[after] & ~UPPER);
    state[i] = state[middle] ^ (x >>> 1) ^ (-(x & 1) & TWIST);
  }
}
