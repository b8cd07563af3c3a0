/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** What formats of tiers have in common: little-endian words, hashes, CRC32C as the checksum. */
public final class Words {
  private Words() {}

  /** All bytes of an array, as words. */
  public static ByteBuffer of(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A hash of the two words of a key, which depends on a seed. */
  public static long hash(long seed, long hi, long lo) {
    return mix(mix(seed ^ hi) + lo);
  }

  private static long mix(long word) {
    long z = (word ^ word >>> 32) * 0xD6E8FEB86659FD93L;
    z = (z ^ z >>> 32) * 0xD6E8FEB86659FD93L;
    return z ^ z >>> 32;
  }

  /** The checksum of {@code bytes[from, end)}. */
  public static int checksum(byte[] bytes, int from, int end) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, end - from);
    return (int) crc.getValue();
  }

  /** The same of a buffer, which is as it was afterwards. */
  public static int checksum(ByteBuffer bytes, int from, int end) {
    int position = bytes.position();
    int limit = bytes.limit();
    CRC32C crc = new CRC32C();
    crc.update(bytes.limit(end).position(from));
    bytes.limit(limit).position(position);
    return (int) crc.getValue();
  }
}
