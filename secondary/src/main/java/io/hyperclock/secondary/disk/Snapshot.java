/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.secondary.internal.record.RecordAuthenticator;
import io.hyperclock.secondary.internal.record.Words;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The index and the table of regions as they were when the tier was closed. Little endian; see
 * {@code disk-format.md}.
 *
 * <pre>
 *   0  magic "HCSNAP"   8  version        12  crc32c of what follows
 *  16  length          24  incarnation    32  epoch          40  next sequence
 *  48  region bytes    52  compressor id  56  region count   60  slot count
 *  64  regions: first sequence (8), used bytes (4), 0 (4)
 *      slots: 8 each
 *      version 2: a code of a record key, over all that is before it, 20
 * </pre>
 */
final class Snapshot {
  /** What a snapshot begins with, before two bytes that are 0. */
  static final String NAME = "HCSNAP";

  private static final long MAGIC = 0x000050414E534348L; // "HCSNAP"
  private static final int VERSION = 1;

  /** Of one that ends with a code of a record key, and is of records that do. */
  private static final int SIGNED_VERSION = 2;

  /** Most bytes of a snapshot, which is one array. */
  static final int MAX_BYTES = Integer.MAX_VALUE - 64;

  private static final int VERSION_AT = 8;
  private static final int CRC_AT = 12;
  private static final int CHECKED_FROM = 16;
  private static final int REGIONS_AT = 64;

  /** An index that is so many times as large as it should be is not used any more. */
  private static final long MOST_TIMES = 8;

  private static final int REGION_ENTRY_BYTES = 16;

  /** So many slots have room in it beside all regions that there can be, and a code. */
  static final int MAX_SLOTS =
      (MAX_BYTES
              - REGIONS_AT
              - SlotLayout.MAX_REGIONS * REGION_ENTRY_BYTES
              - RecordAuthenticator.TRAILER_BYTES)
          / Long.BYTES;

  /** Sequences have room to grow for all that a tier may ever write. */
  private static final long MAX_SEQUENCE = Long.MAX_VALUE >> 1;

  private final ByteBuffer words;

  private Snapshot(byte[] bytes) {
    this.words = Words.of(bytes);
  }

  /**
   * Under the lock of the log; null if it would be too large for an array. Has room for its code,
   * which is not there yet.
   */
  static byte @Nullable [] write(
      RegionLog log, long incarnation, long nextSequence, int compressorId) {
    Region[] regions = log.regions;
    int slots = log.index.length();
    long length =
        REGIONS_AT + (long) regions.length * REGION_ENTRY_BYTES + (long) slots * Long.BYTES;
    int trailerBytes = log.signing.trailerBytes();
    if (length > MAX_BYTES - trailerBytes) {
      return null;
    }
    byte[] bytes = new byte[(int) length + trailerBytes];
    ByteBuffer words = Words.of(bytes);
    words
        .putLong(MAGIC)
        .putInt(version(log.signing))
        .putInt(0)
        .putLong(length)
        .putLong(incarnation);
    words.putLong(log.epoch).putLong(nextSequence);
    words.putInt(log.regionBytes).putInt(compressorId).putInt(regions.length).putInt(slots);
    for (Region region : regions) {
      words.putLong(region.firstSequence).putInt(region.used).putInt(0);
    }
    for (int position = 0; position < slots; position++) {
      words.putLong(log.index.get(position));
    }
    words.putInt(CRC_AT, Words.checksum(bytes, CHECKED_FROM, (int) length));
    return bytes;
  }

  private static int version(Signing signing) {
    return signing.isOn() ? SIGNED_VERSION : VERSION;
  }

  /**
   * Reads a snapshot.
   *
   * @throws IllegalArgumentException saying why it cannot be used
   */
  static Snapshot read(
      byte[] bytes, int regionBytes, int compressorId, int slotsWanted, Signing signing) {
    int end = bytes.length - signing.trailerBytes();
    require(end >= REGIONS_AT, "it is cut off");
    Snapshot snapshot = new Snapshot(bytes);
    ByteBuffer words = snapshot.words;
    require(words.getLong(0) == MAGIC, "it is foreign");
    int version = words.getInt(VERSION_AT);
    require(
        !signing.isOn() || version != VERSION, "it is of another version, without a record key");
    require(
        signing.isOn() || version != SIGNED_VERSION, "it is of another version, with a record key");
    require(version == version(signing), "it is of another version");
    require(words.getLong(16) == end, "it is cut off");
    require(words.getInt(CRC_AT) == Words.checksum(bytes, CHECKED_FROM, end), "it is damaged");
    require(signing.verifiesFile(Signing.SNAPSHOT, bytes), "it is not signed with the record key");
    require(words.getInt(48) == regionBytes, "regionBytes is another");
    require(words.getInt(52) == compressorId, "the compressor is another");
    long slots = snapshot.slotCount();
    require(
        slots >= slotsWanted / 2 && slots <= MOST_TIMES * slotsWanted,
        "its index is too small or too large");
    long length =
        REGIONS_AT + (long) snapshot.regionCount() * REGION_ENTRY_BYTES + slots * Long.BYTES;
    int regions = snapshot.regionCount();
    require(
        length == end && regions >= 0 && regions <= SlotLayout.MAX_REGIONS,
        "its length is another");
    snapshot.requireSoundRegions();
    snapshot.requireSoundSlots();
    return snapshot;
  }

  /** A checksum is no proof: what the tier computes with is checked field by field. */
  private void requireSoundRegions() {
    long next = nextSequence();
    require(next >= 0 && next <= MAX_SEQUENCE, "its next sequence cannot be");
    int regionBytes = words.getInt(48);
    for (int id = 0; id < regionCount(); id++) {
      int used = used(id);
      long first = firstSequence(id);
      boolean isSound =
          used == 0
              ? first == Region.NO_LIFE
              : used > 0
                  && used <= regionBytes
                  && used % SlotLayout.UNIT == 0
                  && first >= 0
                  && first < next;
      require(isSound, "a region cannot be");
    }
  }

  private void requireSoundSlots() {
    SlotLayout layout = new SlotLayout(words.getInt(48));
    int slots = slotCount();
    int regions = regionCount();
    for (int position = 0; position < slots; position++) {
      long slot = slot(position);
      if (slot != 0) {
        int region = layout.region(slot);
        boolean isSound =
            region < regions
                && layout.leastBytes(slot) > 0
                && layout.offset(slot) + layout.leastBytes(slot) <= used(region);
        require(isSound, "a slot points to nothing");
      }
    }
  }

  private static void require(boolean condition, String problem) {
    if (!condition) {
      throw new IllegalArgumentException(problem);
    }
  }

  long incarnation() {
    return words.getLong(24);
  }

  long epoch() {
    return words.getLong(32);
  }

  long nextSequence() {
    return words.getLong(40);
  }

  int regionCount() {
    return words.getInt(56);
  }

  /** Size of the index: keys stand where they do because of it. */
  int slotCount() {
    return words.getInt(60);
  }

  long firstSequence(int region) {
    return words.getLong(REGIONS_AT + region * REGION_ENTRY_BYTES);
  }

  int used(int region) {
    return words.getInt(REGIONS_AT + region * REGION_ENTRY_BYTES + Long.BYTES);
  }

  long slot(int position) {
    return words.getLong(REGIONS_AT + regionCount() * REGION_ENTRY_BYTES + position * Long.BYTES);
  }
}
