/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.secondary.internal.record.Words;
import java.nio.ByteBuffer;

/**
 * The head of the data: says for which snapshot the data is as it was left. Little endian, in the
 * first sector of the 4096 bytes before the first region.
 *
 * <pre>
 *  0                  8         12        16            24                32
 *  +------------------+---------+---------+-------------+-----------------+----
 *  | magic "HCDATA"   | version | crc32c  | incarnation | regionBytes     | 0
 *  +------------------+---------+---------+-------------+-----------------+----
 * </pre>
 *
 * <p>A tier that opens the data gives it a new incarnation, at random, before anything else is
 * written. A snapshot that names another one is older than the data: deleted and come back, or
 * copied.
 */
final class DataHeader {
  static final int USED_BYTES = 512;

  /** What the data begins with, before two bytes that are 0. */
  static final String NAME = "HCDATA";

  private static final long MAGIC = 0x0000415441444348L; // "HCDATA"
  private static final int VERSION = 1;
  private static final int CRC_AT = 12;
  private static final int INCARNATION_AT = 16;

  private DataHeader() {}

  static byte[] write(long incarnation, int regionBytes) {
    byte[] head = new byte[Storage.HEAD_BYTES];
    ByteBuffer words = Words.of(head);
    words.putLong(MAGIC).putInt(VERSION).putInt(0).putLong(incarnation).putLong(regionBytes);
    words.putInt(CRC_AT, checksum(head));
    return head;
  }

  /** Whether these are the first bytes of data of that incarnation. */
  static boolean isOf(byte[] head, long incarnation) {
    if (head.length < USED_BYTES) {
      return false;
    }
    ByteBuffer words = Words.of(head);
    return words.getLong(0) == MAGIC
        && words.getInt(8) == VERSION
        && words.getInt(CRC_AT) == checksum(head)
        && words.getLong(INCARNATION_AT) == incarnation;
  }

  private static int checksum(byte[] head) {
    return Words.checksum(head, INCARNATION_AT, USED_BYTES);
  }
}
