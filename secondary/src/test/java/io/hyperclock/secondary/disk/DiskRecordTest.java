/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.disk.DiskRecord.Kind;
import io.hyperclock.secondary.internal.record.Records;
import io.hyperclock.secondary.testing.TestValues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DiskRecordTest {
  private static final int AT = 128;
  private static final long PLACE = 1 << 20;
  private final byte[] payload = payload(1);
  private final byte[] region = new byte[4 << 10];

  private static byte[] payload(int version) {
    byte[] value = TestValues.value(1, version, 500);
    return Objects.requireNonNull(
        new Records(null, Set.of())
            .pack(value, Objects.requireNonNull(TestValues.BYTES.codec()), false));
  }

  @BeforeEach
  void write() {
    DiskRecord.write(region, AT, DiskRecord.MAGIC, 7, 100, PLACE, 1, 2, payload);
  }

  private static ByteBuffer read(byte[] from) {
    return ByteBuffer.wrap(Arrays.copyOfRange(from, AT, from.length))
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] payload(byte[] from) {
    ByteBuffer payload = DiskRecord.payload(read(from));
    byte[] bytes = new byte[payload.remaining()];
    payload.get(bytes);
    return bytes;
  }

  private Kind judge(byte[] from, long epoch, long firstSequence, long hi, long lo) {
    return DiskRecord.judge(read(from), DiskRecord.MAGIC, PLACE, epoch, firstSequence, hi, lo);
  }

  @Test
  void certifiesItself() {
    assertThat(judge(region, 7, 100, 1, 2)).isEqualTo(Kind.MATCH);
    assertThat(judge(region, 7, 100, 1, 3)).isEqualTo(Kind.OTHER);
    assertThat(judge(region, 7, 101, 1, 2)).as("of an earlier life").isEqualTo(Kind.NONE);
    assertThat(judge(region, 8, 100, 1, 2)).as("of another store").isEqualTo(Kind.NONE);
    assertThat(DiskRecord.judge(read(region), DiskRecord.MAGIC, PLACE + 64, 7, 100, 1, 2))
        .as("written where it does not belong")
        .isEqualTo(Kind.NONE);
    assertThat(DiskRecord.judge(read(region), DiskRecord.SIGNED_MAGIC, PLACE, 7, 100, 1, 2))
        .as("without a code where there must be one")
        .isEqualTo(Kind.NONE);
    assertThat(payload(region)).isEqualTo(payload);
    assertThat(DiskRecord.bytes(payload.length) % SlotLayout.UNIT).isZero();
  }

  @Test
  void everyBitOfTheHeaderCounts() {
    for (int bit = 0; bit < 8 * DiskRecord.HEADER_BYTES; bit++) {
      byte[] damaged = region.clone();
      damaged[AT + bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(judge(damaged, 7, 100, 1, 2)).isEqualTo(Kind.NONE);
    }
  }

  @Test
  void everyByteOfThePayloadCounts() {
    for (int i = 0; i < payload.length; i++) {
      byte[] damaged = region.clone();
      damaged[AT + DiskRecord.HEADER_BYTES + i] ^= 1;
      byte[] read = payload(damaged);
      assertThat(Records.isSound(read)).isFalse();
    }
  }

  /** The header of one record before the sound payload of another, as a torn write leaves it. */
  @Test
  void payloadOfAnotherRecordIsNotSound() {
    byte[] other = payload(2);
    assertThat(other).hasSameSizeAs(payload);
    System.arraycopy(other, 0, region, AT + DiskRecord.HEADER_BYTES, other.length);
    byte[] read = payload(region);
    assertThat(Records.isSound(read)).isFalse();
  }

  @Test
  void whatIsCutOffIsNotSound() {
    int whole = AT + DiskRecord.HEADER_BYTES + payload.length;
    for (int length = AT; length < whole; length++) {
      byte[] cut = Arrays.copyOf(region, length);
      boolean isSound = judge(cut, 7, 100, 1, 2) == Kind.MATCH && Records.isSound(payload(cut));
      assertThat(isSound).isFalse();
    }
  }

  @Test
  void tooLargeIsKnownAsSuch() {
    int largest = SlotLayout.MAX_UNITS * SlotLayout.UNIT - DiskRecord.HEADER_BYTES;
    assertThat(DiskRecord.bytes(largest)).isEqualTo(SlotLayout.MAX_UNITS * SlotLayout.UNIT);
    assertThat(DiskRecord.bytes(largest + 1)).isEqualTo(Integer.MAX_VALUE);
    assertThat(DiskRecord.bytes(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
  }
}
