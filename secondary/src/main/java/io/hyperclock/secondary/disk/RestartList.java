/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.secondary.internal.record.Words;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the cache above a tier wants to find again at the next start, as a file. Little endian; see
 * {@code disk-format.md}.
 *
 * <pre>
 *   0  magic "HCKEYS"   8  version        12  crc32c of what follows
 *  16  length          20  0              24  epoch
 *  32  content
 *      version 2: a code of a record key, over all that is before it, 20
 * </pre>
 */
final class RestartList {
  /** What a list begins with, before two bytes that are 0. */
  static final String NAME = "HCKEYS";

  private static final long MAGIC = 0x00005359454B4348L; // "HCKEYS"
  private static final int VERSION = 1;

  /** Of one that ends with a code of a record key. */
  private static final int SIGNED_VERSION = 2;

  private static final int VERSION_AT = 8;
  private static final int CRC_AT = 12;
  private static final int LENGTH_AT = 16;
  private static final int EPOCH_AT = 24;
  private static final int CONTENT_AT = 32;

  /** A list is never larger. */
  static final int MAX_BYTES = 512 << 20;

  private RestartList() {}

  /** Null if it would be too large. */
  static byte @Nullable [] write(byte[] content, long epoch, Signing signing) {
    if (content.length > MAX_BYTES - CONTENT_AT - signing.trailerBytes()) {
      return null;
    }
    int end = CONTENT_AT + content.length;
    byte[] bytes = new byte[end + signing.trailerBytes()];
    ByteBuffer words = Words.of(bytes);
    words.putLong(MAGIC).putInt(version(signing)).putInt(0).putInt(end).putInt(0).putLong(epoch);
    words.put(content).putInt(CRC_AT, Words.checksum(bytes, LENGTH_AT, end));
    signing.signFile(Signing.RESTART_LIST, bytes);
    return bytes;
  }

  /** The content; null if this is not the list of a store of this epoch. */
  static byte @Nullable [] read(byte[] bytes, long epoch, Signing signing) {
    int end = bytes.length - signing.trailerBytes();
    if (end < CONTENT_AT) {
      return null;
    }
    ByteBuffer words = Words.of(bytes);
    boolean isSound =
        words.getLong(0) == MAGIC
            && words.getInt(VERSION_AT) == version(signing)
            && words.getInt(LENGTH_AT) == end
            && words.getLong(EPOCH_AT) == epoch
            && words.getInt(CRC_AT) == Words.checksum(bytes, LENGTH_AT, end)
            && signing.verifiesFile(Signing.RESTART_LIST, bytes);
    return isSound ? Arrays.copyOfRange(bytes, CONTENT_AT, end) : null;
  }

  private static int version(Signing signing) {
    return signing.isOn() ? SIGNED_VERSION : VERSION;
  }
}
