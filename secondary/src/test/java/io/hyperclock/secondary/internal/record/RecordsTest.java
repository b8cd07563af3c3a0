/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.record;

import static io.hyperclock.secondary.testing.TestValues.BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.memory.BufferPool;
import io.hyperclock.memory.PooledBuffer;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.compression.CompressionStats;
import io.hyperclock.secondary.compression.Compressor;
import io.hyperclock.secondary.testing.RunLengthCompressor;
import io.hyperclock.secondary.testing.TestValues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordsTest {
  private static final EntryCodec<byte[]> CODEC = BYTES.codec();

  private final Records raw = new Records(null, Set.of());
  private final Records runs = new Records(new RunLengthCompressor(), Set.of());

  /** The layout is a promise to whoever reads a heap dump, and to the next version of the code. */
  @Test
  void goldenBytes() {
    assertThat(hex(raw.pack(new byte[] {1, 2, 3}, CODEC, true)))
        .isEqualTo("876438c60300000000010203");
    assertThat(hex(runs.pack(filled(300), CODEC, true))).isEqualTo("9c52dec62c01000010ff072d07");
    assertThat(hex(raw.pack(new byte[0], CODEC, true))).isEqualTo("357672450000000000");
  }

  @Test
  void keepsRawWhatShrinksByLessThanAnEighth() {
    // Runs of 2 become 2 bytes, runs of 3 or more shrink.
    for (int shrinking = 0; shrinking <= 80; shrinking++) {
      byte[] value = new byte[80];
      for (int i = 0; i < value.length; i++) {
        value[i] = (byte) (i < shrinking ? 0 : i / 2);
      }
      byte[] target = new byte[2 * value.length];
      int packed = new RunLengthCompressor().compress(value, 0, value.length, target);
      byte[] record = runs.pack(value, CODEC, true);
      assertThat(record[8]).isEqualTo((byte) (packed <= 70 ? Compressor.MIN_FOREIGN_ID : 0));
      assertThat(record).hasSize(Records.HEADER_BYTES + (packed <= 70 ? packed : 80));
      assertThat(unpack(runs, record)).isEqualTo(value);
    }
  }

  @Test
  void compressesNeitherExemptNorSmallValues() {
    assertThat(runs.pack(filled(300), CODEC, false)[8]).isZero();
    assertThat(runs.pack(filled(31), CODEC, true)[8]).isZero();
    assertThat(runs.pack(filled(32), CODEC, true)[8]).isNotZero();
    assertThat(runs.stats()).isEqualTo(new CompressionStats(1, 2, 363, 333));
    assertThat(raw.stats().ratio()).isEqualTo(1.0);
  }

  @Test
  void everyFlippedBitAndEveryCutIsSeen() {
    for (byte[] record :
        new byte[][] {
          raw.pack(TestValues.value(1, 1, 50), CODEC, true), runs.pack(filled(300), CODEC, true)
        }) {
      assertThat(Records.isSound(record)).isTrue();
      for (int bit = 0; bit < 8 * record.length; bit++) {
        byte[] damaged = record.clone();
        damaged[bit / 8] ^= (byte) (1 << bit % 8);
        assertThat(Records.isSound(damaged)).as("bit=" + bit).isFalse();
      }
      for (int length = 0; length < record.length; length++) {
        assertThat(Records.isSound(Arrays.copyOf(record, length))).as("length=" + length).isFalse();
      }
      assertThat(Records.isSound(Arrays.copyOf(record, record.length + 1))).isFalse();
    }
  }

  @Test
  void refusesRecordsOfOthers() {
    byte[] record = runs.pack(filled(300), CODEC, true);
    assertThat(unpack(raw, record)).isNull();
    assertThat(unpack(new Records(Compression.DEFLATE.compressor(), Set.of()), record)).isNull();
    byte[] rawRecord = raw.pack(filled(40), CODEC, true);
    rawRecord[4]++;
    assertThat(unpack(raw, rawRecord)).isNull();
    for (int wrongSize : new int[] {299, 301, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      byte[] wrong = record.clone();
      ByteBuffer.wrap(wrong).order(ByteOrder.LITTLE_ENDIAN).putInt(4, wrongSize);
      assertThat(unpack(runs, wrong)).as("size=" + wrongSize).isNull();
    }
  }

  @Test
  void refusesValuesThatAreTooLarge() {
    EntryCodec<byte[]> huge =
        new EntryCodec<>() {
          @Override
          public int encodedSizeBytes(byte[] value) {
            return Records.MAX_RAW_BYTES + 1;
          }

          @Override
          public void encode(byte[] value, ByteBuffer target) {
            throw new AssertionError("must not be asked");
          }

          @Override
          public byte[] decode(ByteBuffer source, @Nullable Object context) {
            throw new AssertionError("must not be asked");
          }

          @Override
          public long chargeBytes(byte[] value) {
            return 0;
          }
        };
    assertThat(raw.pack(new byte[1], huge, true)).isNull();
  }

  /** From a source that is not trusted a few bytes could unfold to very many. */
  @Test
  void recordsAboveTheLimitAreNeitherMadeNorRestored() {
    RunLengthCompressor compressor = new RunLengthCompressor();
    Records limited = new Records(compressor, Set.of(), 300);
    for (boolean compress : new boolean[] {false, true}) {
      byte[] largest = runs.pack(filled(300), CODEC, compress);
      assertThat(unpack(limited, largest)).isEqualTo(filled(300));
      assertThat(unpack(limited, runs.pack(filled(301), CODEC, compress))).isNull();
      assertThat(limited.pack(filled(300), CODEC, compress)).isEqualTo(largest);
      assertThat(limited.pack(filled(301), CODEC, compress)).isNull();
    }
  }

  @Test
  void valueForWhichAPoolHasNoRoomIsAMiss() {
    BufferPool pool = BufferPool.ofBytes(1 << 10);
    EntryType<PooledBuffer> type = pool.entryType("pooled");
    PooledBuffer only = pool.take(1);
    byte[] record = raw.pack(only, type.codec(), false);
    TierRequest<PooledBuffer> request = TierRequest.of(1, 1, type);
    assertThat(raw.restore(record, request, true).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    assertThat(pool.outstanding()).isEqualTo(1);
    pool.give(only);
    assertThat(raw.restore(record, request, true).isHit()).isTrue();
  }

  /** What the caller's thread lacks says nothing of the record, which is kept. */
  @Test
  void recordForWhichThereIsNoStackIsNotDamaged() {
    TierRequest<byte[]> request = TierRequest.of(1, 1, BYTES);
    Records deep = new Records(new DeepCompressor(), Set.of());
    byte[] record = deep.pack(filled(300), CODEC, true);
    assertThat(runs.restore(record, request, true).isHit()).isTrue();
    assertThat(deep.restore(record, request, true).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    request = TierRequest.of(1, 1, TestValues.calling(RecordsTest::failForWantOfStack));
    assertThat(runs.restore(record, request, true).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
  }

  private static void failForWantOfStack() {
    throw new StackOverflowError("injected");
  }

  private static final class DeepCompressor extends RunLengthCompressor {
    @Override
    public int decompress(byte[] packed, int offset, int bytes, byte[] target, int rawBytes) {
      failForWantOfStack();
      return rawBytes;
    }
  }

  @Test
  void codecSeesReadOnlyBytesAndNoMore() {
    for (Records records : new Records[] {raw, runs}) {
      byte[] record = records.pack(filled(40), CODEC, true);
      Integer size =
          records.unpack(
              Words.of(record),
              encoded -> {
                assertThat(encoded.isReadOnly()).isTrue();
                assertThat(encoded.position()).isZero();
                assertThat(encoded.capacity()).isEqualTo(40);
                assertThatThrownBy(() -> encoded.put(0, (byte) 1))
                    .isInstanceOf(ReadOnlyBufferException.class);
                return encoded.remaining();
              });
      assertThat(size).isEqualTo(40);
    }
  }

  private static byte @Nullable [] unpack(Records records, byte[] record) {
    return records.unpack(Words.of(record), encoded -> CODEC.decode(encoded, null));
  }

  private static byte[] filled(int size) {
    byte[] value = new byte[size];
    Arrays.fill(value, (byte) 7);
    return value;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
