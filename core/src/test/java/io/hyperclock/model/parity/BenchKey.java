/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model.parity;

/** A key of RocksDB's benchmark: two words, drawn with a skew towards small numbers. */
record BenchKey(long hi, long lo) {

  /** The next key of a thread. */
  static BenchKey draw(MersenneTwister64 random, long maxKey, int skew) {
    return ofNumber(drawNumber(random, maxKey, skew));
  }

  static long drawNumber(MersenneTwister64 random, long maxKey, int skew) {
    long raw = random.next();
    for (int i = 0; i < skew; i++) {
      raw = Unsigned.min(raw, random.next());
    }
    return Unsigned.fastRange(raw, maxKey);
  }

  /** The 16 bytes from offset {@code number mod 8} of {@code 42 n n… 11 n n… 4 n n…}. */
  static BenchKey ofNumber(long number) {
    byte[] text = new byte[27];
    int[] separators = {42, 11, 4};
    for (int part = 0; part < 3; part++) {
      text[9 * part] = (byte) separators[part];
      for (int i = 0; i < 8; i++) {
        text[9 * part + 1 + i] = (byte) (number >>> (8 * i));
      }
    }
    int offset = (int) Long.remainderUnsigned(number, 8);
    return new BenchKey(littleEndian(text, offset + 8), littleEndian(text, offset));
  }

  private static long littleEndian(byte[] bytes, int offset) {
    long word = 0;
    for (int i = 7; i >= 0; i--) {
      word = word << 8 | (bytes[offset + i] & 0xff);
    }
    return word;
  }
}
