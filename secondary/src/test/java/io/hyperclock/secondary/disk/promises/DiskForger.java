/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import io.hyperclock.secondary.testing.TestValues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/** Changes a record of a device and makes all its checksums right again; knows no secret. */
final class DiskForger {
  private static final int HEAD = 4096;
  private static final int UNIT = 64;
  private static final int HEADER = 64;
  private static final int VALUE_AT = HEADER + 9;

  private final MemoryDevice device;
  private final int at;
  private final ByteBuffer words;

  /** The record of a version of a key, of which there is one, uncompressed. */
  DiskForger(MemoryDevice device, int key, int version) {
    this(device, records(device, key, version).get(0));
  }

  private DiskForger(MemoryDevice device, int at) {
    this.device = device;
    this.at = at;
    byte[] data = device.data();
    int end = at + (HEADER + words(data).getInt(at + 40) + UNIT - 1) / UNIT * UNIT;
    this.words = words(Arrays.copyOfRange(data, at, end));
  }

  private static ByteBuffer words(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Where the records of a version of a key are, and then those of all others. */
  static List<Integer> records(MemoryDevice device, int key, int version) {
    byte[] data = device.data();
    List<Integer> found = new ArrayList<>();
    List<Integer> others = new ArrayList<>();
    for (int at = HEAD; at + HEADER < data.length; at += UNIT) {
      ByteBuffer words = words(data);
      if ((words.getInt(at) & 0xffffff) == 0x444348 && words.getLong(at + 48) == at) {
        int valueBytes = words.getInt(at + HEADER + 4);
        byte[] value = Arrays.copyOfRange(data, at + VALUE_AT, at + VALUE_AT + valueBytes);
        boolean isIt = words.getLong(at + 32) == key && TestValues.versionOf(key, value) == version;
        (isIt ? found : others).add(at);
      }
    }
    found.addAll(others);
    return found;
  }

  byte[] payload() {
    return Arrays.copyOfRange(words.array(), HEADER, HEADER + words.getInt(40));
  }

  /** Of the same length. */
  void setPayload(byte[] payload) {
    words.put(HEADER, payload);
  }

  /** Of the same length; whatever comes after it in the payload stays. */
  void setValue(byte[] value) {
    words.put(VALUE_AT, value);
    sealContent(value.length);
  }

  private void sealContent(int valueBytes) {
    CRC32C crc = new CRC32C();
    crc.update(words.array(), HEADER + 4, 5 + valueBytes);
    words.putInt(HEADER, (int) crc.getValue());
  }

  /** Lets the payload end earlier; the checksum becomes that of the bytes before the last 20. */
  void cut(int bytes) {
    int length = words.getInt(40) - bytes;
    words.putInt(40, length);
    sealContent(length - 9 - 20);
  }

  /** Takes the code away: what is left is sound in the format without. */
  void cutCode() {
    cut(20);
    sealContent(words.getInt(40) - 9);
  }

  void setMagic(int magic) {
    words.putInt(0, magic);
  }

  /** Makes the header right and puts the record back. */
  void write() {
    words.putInt(44, words.getInt(HEADER));
    CRC32C crc = new CRC32C();
    crc.update(words.array(), 8, HEADER - 8);
    words.putInt(4, (int) crc.getValue());
    device.apply(new Change.Write(at, words.array()));
  }

  /** Makes the checksum of a snapshot right. */
  static void seal(ByteBuffer snapshot, int end) {
    CRC32C crc = new CRC32C();
    crc.update(snapshot.array(), 16, end - 16);
    snapshot.putInt(12, (int) crc.getValue());
  }
}
