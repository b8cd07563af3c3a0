/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.twoversions;

import java.nio.charset.StandardCharsets;

/** The keys of the chained tables: {@code Thread<t>::<i>} behind a byte 0, with their hash. */
public final class TextKeys {
  /** Items of one thread. */
  public static final int PER_THREAD = 100_000;

  private static final int SEED = 5381;

  private TextKeys() {}

  /**
   * A key by its number.
   *
   * @param number thread × {@link #PER_THREAD} + item
   * @return its bytes
   */
  public static byte[] of(int number) {
    String text = "\0Thread" + number / PER_THREAD + "::" + number % PER_THREAD;
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * h = h · 33 xor byte, from 5381.
   *
   * @param key its bytes
   * @return 32 bits
   */
  public static int hash(byte[] key) {
    int hash = SEED;
    for (byte b : key) {
      hash = hash * 33 ^ b;
    }
    return hash;
  }
}
