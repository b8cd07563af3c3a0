/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TestValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads the golden files by the rulers of {@code docs/disk-format.md}, field by field, and raises
 * the version of each part: P8.
 */
class FormatTest {
  private static final int REGION = 4 << 10;
  private static final int HEAD = 4 << 10;
  private static final int HEAD_CHECKED_TO = 512;
  private static final int RECORD_MAGIC = 0x01444348;
  private static final int RECORD_HEADER = 64;
  private static final int UNIT = 64;
  private static final int REGIONS_AT = 64;

  @TempDir private Path scratch;
  @RegisterExtension final DiskWriters writers = new DiskWriters();

  private final ByteBuffer data = golden("data");
  private final ByteBuffer snapshot = golden("index.snap");

  private static ByteBuffer golden(String file) {
    try {
      return ByteBuffer.wrap(GoldenFilesTest.golden(GoldenStore.PLAIN, file))
          .order(ByteOrder.LITTLE_ENDIAN);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int crc(ByteBuffer of, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(of.array(), from, to - from);
    return (int) crc.getValue();
  }

  private static String magic(ByteBuffer of) {
    return new String(of.array(), 0, Long.BYTES, StandardCharsets.ISO_8859_1);
  }

  private long incarnation() {
    return data.getLong(16);
  }

  private long epoch() {
    return snapshot.getLong(32);
  }

  @Test
  void head() {
    assertThat(magic(data)).isEqualTo("HCDATA\0\0");
    assertThat(data.getInt(8)).as("version").isEqualTo(1);
    assertThat(data.getInt(12)).as("crc32c").isEqualTo(crc(data, 16, HEAD_CHECKED_TO));
    assertThat(data.getLong(24)).as("region size").isEqualTo(REGION);
    assertThat(Arrays.copyOfRange(data.array(), 32, HEAD)).containsOnly(0);
  }

  @Test
  void snapshotHeader() {
    assertThat(magic(snapshot)).isEqualTo("HCSNAP\0\0");
    assertThat(snapshot.getInt(8)).as("version").isEqualTo(1);
    assertThat(snapshot.getInt(12)).as("crc").isEqualTo(crc(snapshot, 16, snapshot.capacity()));
    assertThat(snapshot.getLong(16)).as("length").isEqualTo(snapshot.capacity());
    assertThat(snapshot.getLong(24)).as("incarnation").isEqualTo(incarnation());
    assertThat(snapshot.getLong(40)).as("next sequence").isEqualTo(GoldenStore.KEYS + 1);
    assertThat(snapshot.getInt(48)).as("region size").isEqualTo(REGION);
    assertThat(snapshot.getInt(52)).as("compressor id").isZero();
    assertThat(snapshot.getInt(56)).as("region count").isEqualTo(6);
    assertThat(snapshot.capacity())
        .isEqualTo(REGIONS_AT + 16 * snapshot.getInt(56) + 8 * snapshot.getInt(60));
  }

  /** Walks the regions as the snapshot describes them; sequence of each record to its place. */
  private Map<Long, Integer> records() {
    Map<Long, Integer> records = new TreeMap<>();
    for (int region = 0; region < snapshot.getInt(56); region++) {
      long first = snapshot.getLong(REGIONS_AT + 16 * region);
      int used = snapshot.getInt(REGIONS_AT + 16 * region + 8);
      assertThat(first == Long.MAX_VALUE).as("empty: region=%d", region).isEqualTo(used == 0);
      int start = HEAD + region * REGION;
      for (int at = start; at < start + used; at += recordBytes(at)) {
        assertThat(data.getLong(at + 16)).as("sequence").isEqualTo(first++);
        records.put(data.getLong(at + 16), at);
      }
    }
    return records;
  }

  private int recordBytes(int at) {
    int bytes = RECORD_HEADER + data.getInt(at + 40);
    return (bytes + UNIT - 1) / UNIT * UNIT;
  }

  @Test
  void recordsInTheOrderTheyWerePut() {
    Map<Long, Integer> records = records();
    assertThat(records).hasSize(GoldenStore.KEYS + 1);
    records.forEach(
        (sequence, at) -> {
          int key = sequence < GoldenStore.KEYS ? sequence.intValue() : GoldenStore.OVERWRITTEN;
          assertRecord(at, key, sequence < GoldenStore.KEYS ? 1 : 2);
        });
  }

  private void assertRecord(int at, int key, int version) {
    int payloadBytes = data.getInt(at + 40);
    int end = at + RECORD_HEADER + payloadBytes;
    assertThat(data.getInt(at)).as("magic").isEqualTo(RECORD_MAGIC);
    assertThat(data.getInt(at + 4)).as("headerCrc").isEqualTo(crc(data, at + 8, at + 64));
    assertThat(data.getLong(at + 8)).as("epoch").isEqualTo(epoch());
    assertThat(data.getLong(at + 24)).as("keyHi").isEqualTo(Rig.hi(key));
    assertThat(data.getLong(at + 32)).as("keyLo").isEqualTo(key);
    assertThat(data.getInt(at + 44)).as("payloadCrc").isEqualTo(data.getInt(at + 64));
    assertThat(data.getLong(at + 48)).as("position").isEqualTo(at);
    assertThat(data.getLong(at + 56)).as("reserved").isZero();
    assertThat(data.getInt(at + 64)).as("crc32c").isEqualTo(crc(data, at + 68, end));
    assertThat(data.getInt(at + 68)).as("raw").isEqualTo(GoldenStore.sizeOf(key));
    assertThat(data.get(at + 72)).as("id").isZero();
    assertThat(Arrays.copyOfRange(data.array(), at + 73, end))
        .isEqualTo(TestValues.value(key, version, GoldenStore.sizeOf(key)));
    byte[] padding = Arrays.copyOfRange(data.array(), end, at + recordBytes(at));
    assertThat(padding).isEqualTo(new byte[padding.length]);
  }

  /** One slot for each key that is there, which says where its record is and how large. */
  @Test
  void indexPointsToTheLastRecordOfEachKey() {
    int offsetBits = Integer.numberOfTrailingZeros(REGION / UNIT);
    Map<Long, Integer> found = new TreeMap<>();
    int slots = REGIONS_AT + 16 * snapshot.getInt(56);
    for (int i = slots; i < snapshot.capacity(); i += Long.BYTES) {
      long slot = snapshot.getLong(i);
      if (slot != 0) {
        int offset = (int) (slot & (1 << offsetBits) - 1) * UNIT;
        int region = (int) (slot >>> offsetBits & (1 << 20) - 1);
        int sizeClass = (int) (slot >>> offsetBits + 20 & 0x7f);
        int at = HEAD + region * REGION + offset;
        int e = sizeClass / 8;
        int m = sizeClass % 8;
        int units = e == 0 ? m : (8 + m) << e - 1;
        assertThat(units).isBetween(recordBytes(at) / UNIT, recordBytes(at) / UNIT * 9 / 8 + 1);
        found.put(data.getLong(at + 32), at);
      }
    }
    assertThat(found).hasSize(GoldenStore.KEYS - 1).doesNotContainKey((long) GoldenStore.ERASED);
    assertThat(found.get((long) GoldenStore.OVERWRITTEN))
        .isEqualTo(records().get((long) GoldenStore.KEYS));
  }

  private String start(ByteBuffer itsData, ByteBuffer itsSnapshot) throws IOException {
    Path directory = Files.createTempDirectory(scratch, "store");
    Files.write(directory.resolve("data"), itsData.array());
    Files.write(directory.resolve("index.snap"), itsSnapshot.array());
    try (DiskSecondaryCache tier = GoldenStore.settings(directory).build()) {
      for (int key = 0; key < GoldenStore.KEYS; key++) {
        assertThat(Rig.versionNow(tier, key)).isEqualTo(Rig.NONE);
      }
      assertThat(Rig.put(tier, 1, 3, 500)).isTrue();
      assertThat(Rig.versionNow(tier, 1)).isEqualTo(3);
      return tier.diskStats().start();
    }
  }

  /** Of another version, and sound in all else: cold, or misses. */
  @Test
  void otherVersions() throws IOException {
    for (int version : new int[] {0, 2, 255, -1}) {
      ByteBuffer otherSnapshot = golden("index.snap").putInt(8, version);
      otherSnapshot.putInt(12, crc(otherSnapshot, 16, otherSnapshot.capacity()));
      assertThat(start(data, otherSnapshot)).contains("version");
      ByteBuffer otherHead = golden("data").putInt(8, version);
      otherHead.putInt(12, crc(otherHead, 16, HEAD_CHECKED_TO));
      assertThat(start(otherHead, snapshot)).isNotEqualTo("warm");
      ByteBuffer otherRecords = golden("data");
      for (int at : records().values()) {
        otherRecords.put(at + 3, (byte) version);
        otherRecords.putInt(at + 4, crc(otherRecords, at + 8, at + RECORD_HEADER));
      }
      assertThat(start(otherRecords, snapshot)).isEqualTo("warm");
    }
  }

  /** Each field of the snapshot set to what it must not be, under a right checksum. */
  @Test
  void absurdSnapshots() throws IOException {
    long[] absurd = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 31, 0x7fff_ffff_0000_0001L};
    for (int field = 16; field < REGIONS_AT + 32; field += Long.BYTES) {
      for (long value : absurd) {
        ByteBuffer other = golden("index.snap").putLong(field, value);
        other.putInt(12, crc(other, 16, other.capacity()));
        Path directory = Files.createTempDirectory(scratch, "absurd");
        Files.write(directory.resolve("data"), data.array());
        Files.write(directory.resolve("index.snap"), other.array());
        try (DiskSecondaryCache tier = GoldenStore.settings(directory).build()) {
          for (int key = 0; key < GoldenStore.KEYS; key++) {
            assertThat(Rig.versionNow(tier, key)).as("field=%d", field).isBetween(0, 2);
          }
          Rig.put(tier, 1, 3, 500);
          assertThat(Rig.versionNow(tier, 1)).as("field=%d", field).isIn(Rig.NONE, 3);
        }
      }
    }
  }
}
