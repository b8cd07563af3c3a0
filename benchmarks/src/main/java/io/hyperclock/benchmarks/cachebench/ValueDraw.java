/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Makes values that compress to a ratio: random bytes, then copies of them. Thread-safe where each
 * thread has its own source of randomness.
 */
final class ValueDraw {
  private static final byte[] NOTHING = {};

  private final int valueBytes;
  private final int randomBytes;
  private final boolean stored;

  /**
   * A generator.
   *
   * @param valueBytes length of a value
   * @param ratio share of random bytes
   * @param stored false to draw the same random numbers and return an empty value
   */
  ValueDraw(int valueBytes, double ratio, boolean stored) {
    this.valueBytes = valueBytes;
    this.randomBytes = (int) Math.max(1, Math.min(valueBytes, (long) (ratio * valueBytes)));
    this.stored = stored;
  }

  /** Makes a value with a draw for each eight random bytes. */
  byte[] next(MersenneTwister64 random) {
    if (!stored) {
      for (int i = 0; i < randomBytes; i += Long.BYTES) {
        random.next();
      }
      return NOTHING;
    }
    byte[] value = new byte[valueBytes];
    ByteBuffer words = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < randomBytes; i += Long.BYTES) {
      long word = random.next();
      if (i + Long.BYTES <= valueBytes) {
        words.putLong(i, word);
      } else {
        for (int j = i; j < valueBytes; j++) {
          value[j] = (byte) (word >>> (8 * (j - i)));
        }
      }
    }
    for (int filled = randomBytes; filled < valueBytes; filled *= 2) {
      System.arraycopy(value, 0, value, filled, Math.min(filled, valueBytes - filled));
    }
    return value;
  }
}
