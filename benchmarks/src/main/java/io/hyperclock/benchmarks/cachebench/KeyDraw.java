/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Draws keys as RocksDB's tool does: small numbers are the popular ones. The last key drawn stays
 * readable until the next draw, so that nothing is allocated. Not thread-safe.
 */
final class KeyDraw {
  private static final int PARTS = 3;
  private static final int PART_BYTES = 9;
  private static final byte[] SEPARATORS = {42, 11, 4};

  private final long maxKey;
  private final int skew;
  private final ByteBuffer text =
      ByteBuffer.allocate(PARTS * PART_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private long hi;
  private long lo;

  /**
   * A generator.
   *
   * @param maxKey numbers are below it; greater than 0
   * @param skew further numbers drawn, of which the least counts
   */
  KeyDraw(long maxKey, int skew) {
    this.maxKey = maxKey;
    this.skew = skew;
    for (int part = 0; part < PARTS; part++) {
      text.put(part * PART_BYTES, SEPARATORS[part]);
    }
  }

  /** Draws a key and returns its number. */
  long next(MersenneTwister64 random) {
    long raw = random.next();
    for (int i = 0; i < skew; i++) {
      long other = random.next();
      if (Long.compareUnsigned(other, raw) < 0) {
        raw = other;
      }
    }
    long number = Math.multiplyHigh(raw, maxKey) + ((raw >> 63) & maxKey);
    select(number);
    return number;
  }

  /** Makes the key with a number the last one drawn. */
  void select(long number) {
    for (int part = 0; part < PARTS; part++) {
      text.putLong(part * PART_BYTES + 1, number);
    }
    int offset = (int) (number & 7);
    lo = text.getLong(offset);
    hi = text.getLong(offset + 8);
  }

  /** Bytes 8 to 15 of the last key, little endian. */
  long hi() {
    return hi;
  }

  /** Bytes 0 to 7 of the last key, little endian. */
  long lo() {
    return lo;
  }
}
