/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.internal.record.RecordAuthenticator;
import io.hyperclock.secondary.internal.record.Records;
import io.hyperclock.secondary.internal.record.Words;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keys and values as they are on the server. A key is {@code hyperclock:2:b:<namespace>:} and the
 * two words of the block's key, big endian; 2 is the version of this format. The key of probes is
 * {@code hyperclock:2:p:<namespace>}. Namespaces are text that UTF-8 can represent, so two
 * namespaces are never the same bytes; keys of two namespaces differ, because equally long ones
 * have equally long namespaces. A value is little endian:
 *
 * <pre>
 *   0        4        8        16       24       32       40       44
 *   +--------+--------+--------+--------+--------+--------+--------+----------+-----------+
 *   | magic  | crc32c |  hi    |  lo    | writer | number | prefix |  record  | (trailer) |
 *   +--------+--------+--------+--------+--------+--------+--------+----------+-----------+
 *                     |&lt;--- what the checksum is of --------------->|+ 4 |
 * </pre>
 *
 * <p>The checksum covers the first word of the record too, which is the checksum of the rest, so a
 * value cannot be put together from two. {@code writer} is the instance that wrote it and {@code
 * number} the number of the write there; {@code prefix} is the checksum of the namespace. Values of
 * tiers with a {@link io.hyperclock.secondary.RecordKey} have another magic and the trailer of a
 * {@link RecordAuthenticator} over all that is in front of it.
 */
final class WireFormat {
  static final int HEADER_BYTES = 44;

  /** What a value is longer by than what it was encoded to, at most. */
  static final int MOST_ADDED_BYTES =
      HEADER_BYTES + Records.HEADER_BYTES + RecordAuthenticator.TRAILER_BYTES;

  private static final int FORMAT = 2;
  private static final int MAGIC = 'h' | 'c' << 8 | 'v' << 16 | ('0' + FORMAT) << 24;
  private static final int SIGNED_MAGIC = 'h' | 'c' << 8 | 's' << 16 | ('0' + FORMAT) << 24;
  private static final int CRC_AT = 4;
  private static final int HI_AT = 8;
  private static final int LO_AT = 16;
  private static final int WRITER_AT = 24;
  private static final int NUMBER_AT = 32;
  private static final int PREFIX_AT = 40;

  private final byte[] prefix;
  private final byte[] probeKey;
  private final int prefixCrc;
  private final long writer;
  private final @Nullable RecordAuthenticator authenticator;
  private final int magic;
  private final int trailerBytes;

  /** What an envelope held. */
  record Opened(boolean own, long number, byte[] record) {}

  WireFormat(String namespace, long writer, @Nullable RecordAuthenticator authenticator) {
    this.prefix = utf8("hyperclock:" + FORMAT + ":b:" + namespace + ":");
    this.probeKey = utf8("hyperclock:" + FORMAT + ":p:" + namespace);
    this.prefixCrc = Words.checksum(prefix, 0, prefix.length);
    this.writer = writer;
    this.authenticator = authenticator;
    this.magic = authenticator == null ? MAGIC : SIGNED_MAGIC;
    this.trailerBytes = authenticator == null ? 0 : RecordAuthenticator.TRAILER_BYTES;
  }

  /**
   * Refuses what UTF-8 cannot represent: an encoder replaces unpaired surrogates by question marks,
   * so different namespaces would share their keys.
   */
  static String checkedNamespace(String namespace) {
    for (int at = 0; at < namespace.length(); ) {
      int point = namespace.codePointAt(at);
      if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
        throw new IllegalArgumentException(
            String.format(
                "namespace must not have unpaired surrogates: index=%d, char=\\u%04x", at, point));
      }
      at += Character.charCount(point);
    }
    return namespace;
  }

  /** The bytes of text that was checked to have some of its own. */
  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  byte[] key(long hi, long lo) {
    byte[] key = Arrays.copyOf(prefix, prefix.length + 2 * Long.BYTES);
    ByteBuffer.wrap(key).putLong(prefix.length, hi).putLong(prefix.length + Long.BYTES, lo);
    return key;
  }

  /** A key that is no block's in any namespace. */
  byte[] probeKey() {
    return probeKey.clone();
  }

  /** Size of a sealed record. */
  int sealedBytes(byte[] record) {
    return HEADER_BYTES + record.length + trailerBytes;
  }

  byte[] seal(long hi, long lo, long number, EntryType<?> type, byte[] record) {
    byte[] value = new byte[sealedBytes(record)];
    System.arraycopy(record, 0, value, HEADER_BYTES, record.length);
    ByteBuffer words = Words.of(value);
    words.putInt(0, magic).putLong(HI_AT, hi).putLong(LO_AT, lo);
    words.putLong(WRITER_AT, writer).putLong(NUMBER_AT, number).putInt(PREFIX_AT, prefixCrc);
    words.putInt(CRC_AT, checksum(value));
    if (authenticator != null) {
      authenticator.sign(hi, lo, type, value, value.length - trailerBytes);
    }
    return value;
  }

  /** Null if the value is damaged or forged, or was not made for this key and type here. */
  @Nullable Opened open(long hi, long lo, EntryType<?> type, byte[] value) {
    int end = value.length - trailerBytes;
    if (authenticator != null && !authenticator.verifies(hi, lo, type, value, end)) {
      return null;
    }
    if (end < HEADER_BYTES + Records.HEADER_BYTES) {
      return null;
    }
    ByteBuffer words = Words.of(value);
    boolean ours =
        words.getInt(0) == magic
            && words.getInt(CRC_AT) == checksum(value)
            && words.getLong(HI_AT) == hi
            && words.getLong(LO_AT) == lo
            && words.getInt(PREFIX_AT) == prefixCrc;
    return ours
        ? new Opened(
            words.getLong(WRITER_AT) == writer,
            words.getLong(NUMBER_AT),
            Arrays.copyOfRange(value, HEADER_BYTES, end))
        : null;
  }

  private static int checksum(byte[] value) {
    return Words.checksum(value, HI_AT, HEADER_BYTES + Integer.BYTES);
  }
}
