/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.secondary.internal.record.Records;
import io.hyperclock.secondary.internal.record.Words;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A record as it stands in a region: a header that certifies itself and names what follows, then
 * the payload, which is a record of {@link Records}, then padding to the next multiple of 64.
 * Little endian; see {@code disk-format.md}.
 *
 * <pre>
 *  0       4           8        16         24      32      40             44           48         56  64
 *  +-------+-----------+--------+----------+-------+-------+--------------+------------+----------+---+--
 *  | magic | headerCrc | epoch  | sequence | keyHi | keyLo | payloadBytes | payloadCrc | position | 0 |
 *  +-------+-----------+--------+----------+-------+-------+--------------+------------+----------+---+--
 *                      |&lt;------------------- what headerCrc is of -------------------------&gt;|
 * </pre>
 *
 * <p>{@code position} is where the record stands in the data: with the sequence, not below the
 * first of its region's life, it makes the record the only one that can be certified there. {@code
 * payloadCrc} is the checksum with which the payload begins: it ties this payload, and not a sound
 * one that stood here before, to this header.
 */
final class DiskRecord {
  static final int HEADER_BYTES = 64;

  /** What a record begins with: "HCD", version 1. */
  static final int MAGIC = 0x01444348;

  /** The same of one whose payload ends with a code of a record key: "HCD", version 2. */
  static final int SIGNED_MAGIC = 0x02444348;

  private static final int CRC_AT = 4;
  private static final int EPOCH_AT = 8;
  private static final int SEQUENCE_AT = 16;
  private static final int HI_AT = 24;
  private static final int LO_AT = 32;
  private static final int PAYLOAD_BYTES_AT = 40;
  private static final int PAYLOAD_CRC_AT = 44;
  private static final int POSITION_AT = 48;

  /** What a place holds, as far as its header says. */
  enum Kind {
    /** A record of the key. */
    MATCH,
    /** A record of another key. */
    OTHER,
    /** No record of this life of the store and of the region. */
    NONE
  }

  private DiskRecord() {}

  /** Room that a record takes, or {@link Integer#MAX_VALUE} if it is too large for any region. */
  static int bytes(int payloadBytes) {
    long units = (HEADER_BYTES + (long) payloadBytes + SlotLayout.UNIT - 1) / SlotLayout.UNIT;
    return units > SlotLayout.MAX_UNITS ? Integer.MAX_VALUE : (int) units * SlotLayout.UNIT;
  }

  /** Writes a record of {@link #bytes} bytes. */
  static void write(
      byte[] to,
      int at,
      int magic,
      long epoch,
      long sequence,
      long position,
      long hi,
      long lo,
      byte[] payload) {
    int end = at + bytes(payload.length);
    Arrays.fill(to, at, at + HEADER_BYTES, (byte) 0);
    System.arraycopy(payload, 0, to, at + HEADER_BYTES, payload.length);
    Arrays.fill(to, at + HEADER_BYTES + payload.length, end, (byte) 0);
    ByteBuffer words = Words.of(to);
    words.putInt(at, magic);
    words.putLong(at + EPOCH_AT, epoch);
    words.putLong(at + SEQUENCE_AT, sequence);
    words.putLong(at + HI_AT, hi);
    words.putLong(at + LO_AT, lo);
    words.putInt(at + PAYLOAD_BYTES_AT, payload.length);
    words.putInt(at + PAYLOAD_CRC_AT, Words.of(payload).getInt(0));
    words.putLong(at + POSITION_AT, position);
    words.putInt(at + CRC_AT, Words.checksum(to, at + EPOCH_AT, at + HEADER_BYTES));
  }

  /**
   * Says what a place holds.
   *
   * @param from what was read there, up to its limit; little endian
   * @param magic what it must begin with
   * @param position where that is
   * @param firstSequence of the region's present life: what was written before is of another one
   */
  static Kind judge(
      ByteBuffer from, int magic, long position, long epoch, long firstSequence, long hi, long lo) {
    if (from.limit() < HEADER_BYTES + Records.HEADER_BYTES
        || from.getInt(0) != magic
        || from.getLong(EPOCH_AT) != epoch
        || from.getLong(SEQUENCE_AT) < firstSequence
        || from.getLong(POSITION_AT) != position
        || from.getInt(CRC_AT) != Words.checksum(from, EPOCH_AT, HEADER_BYTES)) {
      return Kind.NONE;
    }
    return from.getLong(HI_AT) == hi && from.getLong(LO_AT) == lo ? Kind.MATCH : Kind.OTHER;
  }

  static long keyHi(ByteBuffer from) {
    return from.getLong(HI_AT);
  }

  static long keyLo(ByteBuffer from) {
    return from.getLong(LO_AT);
  }

  /**
   * The payload of a record whose header is certified, as position and limit of the buffer itself;
   * not sound if it was cut off or is not the one that the header is of.
   */
  static ByteBuffer payload(ByteBuffer from) {
    int bytes = from.getInt(PAYLOAD_BYTES_AT);
    int start = HEADER_BYTES;
    if (bytes < Records.HEADER_BYTES
        || bytes > from.limit() - HEADER_BYTES
        || from.getInt(PAYLOAD_CRC_AT) != from.getInt(start)) {
      return from.position(0).limit(0);
    }
    return from.limit(start + bytes).position(start);
  }
}
