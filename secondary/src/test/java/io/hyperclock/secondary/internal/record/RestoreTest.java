/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.record;

import static io.hyperclock.secondary.testing.TestValues.BYTES;
import static io.hyperclock.secondary.testing.TestValues.SHIFTED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.ArrayCodec;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.testing.RunLengthCompressor;
import io.hyperclock.secondary.testing.TestValues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Answers of lookups that found a record: the value, or why there is none. */
class RestoreTest {
  private static final EntryCodec<byte[]> OF_BYTES = EntryCodec.ofBytes();

  /** Of the values of one type arrays are kept, of those of the other they are copied. */
  private static final List<EntryType<byte[]>> TYPES =
      List.of(BYTES, EntryType.<byte[]>named("arrays").codec(OF_BYTES).build());

  private final Records runs = new Records(new RunLengthCompressor(), Set.of());

  private static byte[] filled(int size) {
    byte[] value = new byte[size];
    Arrays.fill(value, (byte) 7);
    return value;
  }

  private byte[] record(int size, boolean compress) {
    return runs.pack(filled(size), OF_BYTES, compress);
  }

  private TierResult<byte[]> restore(byte[] record, EntryType<byte[]> type) {
    return runs.restore(record, TierRequest.of(1, 2, type), true);
  }

  /** The record in the middle of memory of any kind, with the order that buffers have at first. */
  private static List<ByteBuffer> buffersOf(byte[] record) {
    List<ByteBuffer> buffers = new ArrayList<>();
    for (ByteBuffer memory :
        List.of(
            ByteBuffer.allocate(record.length + 20),
            ByteBuffer.allocateDirect(record.length + 20))) {
      ByteBuffer buffer = memory.slice(5, record.length + 10).put(3, record);
      buffer.position(3).limit(3 + record.length);
      buffers.add(buffer);
      buffers.add(buffer.asReadOnlyBuffer());
    }
    return buffers;
  }

  @Test
  void valuesComeBackFromMemoryOfAnyKind() {
    for (int size : new int[] {0, 40, 300}) {
      for (boolean compress : new boolean[] {false, true}) {
        for (ByteBuffer buffer : buffersOf(record(size, compress))) {
          for (EntryType<byte[]> type : TYPES) {
            buffer.order(ByteOrder.BIG_ENDIAN);
            TierResult<byte[]> result = runs.restore(buffer, TierRequest.of(1, 2, type), compress);
            assertThat(result.value()).isEqualTo(filled(size));
            assertThat(result.chargeBytes()).isEqualTo(size);
            assertThat(result.kept()).isEqualTo(compress);
            assertThat(buffer.position()).isEqualTo(3);
          }
        }
      }
    }
  }

  @Test
  void damagedRecordsAreCorrupt() {
    for (boolean compress : new boolean[] {false, true}) {
      for (EntryType<byte[]> type : TYPES) {
        byte[] record = record(300, compress);
        record[record.length - 1]++;
        assertThat(restore(record, type).outcome()).isEqualTo(TierOutcome.CORRUPT);
      }
    }
  }

  /** The checksum of such is right: somebody made them, or they are from other settings. */
  @Test
  void soundRecordsOfOthersAreCorrupt() {
    for (EntryType<byte[]> type : TYPES) {
      for (int size : new int[] {-1, 299, 301, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
        for (boolean compress : new boolean[] {false, true}) {
          byte[] record = record(300, compress);
          Words.of(record).putInt(4, size).putInt(0, Words.checksum(record, 4, record.length));
          assertThat(restore(record, type).outcome()).isEqualTo(TierOutcome.CORRUPT);
        }
      }
      Records without = new Records(null, Set.of());
      TierRequest<byte[]> request = TierRequest.of(1, 2, type);
      assertThat(without.restore(record(300, true), request, true).outcome())
          .isEqualTo(TierOutcome.CORRUPT);
      Records failing = new Records(new Failing(), Set.of());
      assertThat(failing.restore(record(300, true), request, true).outcome())
          .isEqualTo(TierOutcome.CORRUPT);
    }
  }

  private static final class Failing extends RunLengthCompressor {
    @Override
    public int decompress(byte[] packed, int offset, int bytes, byte[] target, int rawBytes) {
      throw new IllegalStateException("not mine, on purpose");
    }
  }

  @Test
  void codecsAreGivenTheContext() {
    TierRequest<byte[]> request = new TierRequest<>(1, 2, SHIFTED, (byte) 3, false);
    assertThat(runs.restore(record(40, true), request, true).value()).containsOnly(10);
    List<Object> given = new ArrayList<>();
    EntryType<byte[]> type = EntryType.<byte[]>named("arrays").codec(new Telling(given, 0)).build();
    request = new TierRequest<>(1, 2, type, "context", false);
    assertThat(runs.restore(record(40, true), request, true).isHit()).isTrue();
    assertThat(given).containsExactly("context");
  }

  @Test
  void valueThatCannotBeHandedOutIsFreed() {
    List<String> freed = new ArrayList<>();
    EntryType<byte[]> type =
        EntryType.<byte[]>named("arrays")
            .codec(new Telling(new ArrayList<>(), -1))
            .disposer((hi, lo, value) -> freed.add(hi + "/" + lo + " " + value.length))
            .build();
    assertThat(restore(record(40, true), type).outcome()).isEqualTo(TierOutcome.UNDECODABLE);
    assertThat(freed).containsExactly("1/2 40");
  }

  @Test
  void valueThatCannotBeDecodedIsNone() {
    List<byte[]> freed = new ArrayList<>();
    EntryType<byte[]> type =
        EntryType.<byte[]>named("decode fails")
            .codec(TestValues.DECODE_FAILS.codec())
            .disposer((hi, lo, value) -> freed.add(value))
            .build();
    TierResult<byte[]> result = restore(record(40, true), type);
    assertThat(result.outcome()).isEqualTo(TierOutcome.UNDECODABLE);
    assertThat(result.value()).isNull();
    assertThat(freed).isEmpty();
  }

  @Test
  void recordsOfWhichNoValueCanEverBeMadeAreUseless() {
    for (TierOutcome outcome : TierOutcome.values()) {
      assertThat(Records.isUseless(outcome))
          .isEqualTo(Set.of(TierOutcome.CORRUPT, TierOutcome.UNDECODABLE).contains(outcome));
    }
  }

  /** Tells the contexts it is given; what it makes has a charge that is allowed or not. */
  private static final class Telling implements ArrayCodec<byte[]> {
    private final List<Object> given;
    private final long charge;

    Telling(List<Object> given, long charge) {
      this.given = given;
      this.charge = charge;
    }

    @Override
    public int encodedSizeBytes(byte[] value) {
      return value.length;
    }

    @Override
    public void encode(byte[] value, ByteBuffer target) {
      target.put(value);
    }

    @Override
    public byte[] decode(ByteBuffer source, @Nullable Object context) {
      throw new AssertionError("the array is to be kept");
    }

    @Override
    public byte[] decodeArray(byte[] encoded, @Nullable Object context) {
      given.add(context);
      return encoded;
    }

    @Override
    public long chargeBytes(byte[] value) {
      if (charge < 0) {
        throw new IllegalStateException("no charge, on purpose");
      }
      return charge;
    }
  }
}
