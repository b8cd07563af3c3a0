/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.testing;

import io.hyperclock.secondary.compression.Compressor;

/** A compressor of a user's: pairs of a count and a byte. */
public class RunLengthCompressor implements Compressor {
  @Override
  public int id() {
    return MIN_FOREIGN_ID;
  }

  @Override
  public String name() {
    return "runs";
  }

  @Override
  public int maxCompressedLength(int rawBytes) {
    return 2 * rawBytes;
  }

  @Override
  public int compress(byte[] raw, int rawOffset, int rawBytes, byte[] target) {
    int written = 0;
    for (int i = 0; i < rawBytes; ) {
      int run = 1;
      while (run < 255 && i + run < rawBytes && raw[rawOffset + i + run] == raw[rawOffset + i]) {
        run++;
      }
      target[written++] = (byte) run;
      target[written++] = raw[rawOffset + i];
      i += run;
    }
    return written;
  }

  @Override
  public int decompress(
      byte[] packed, int packedOffset, int packedBytes, byte[] target, int rawBytes) {
    int written = 0;
    for (int i = 0; i + 1 < packedBytes; i += 2) {
      for (int run = packed[packedOffset + i] & 0xFF; run > 0; run--) {
        if (written == rawBytes) {
          return -1;
        }
        target[written++] = packed[packedOffset + i + 1];
      }
    }
    return written;
  }
}
