/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import static io.hyperclock.secondary.testing.TestValues.BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hyperclock.LogLines;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.memory.BufferPool;
import io.hyperclock.memory.PooledBuffer;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.compression.CompressionStats;
import io.hyperclock.secondary.compression.Compressor;
import io.hyperclock.secondary.testing.RunLengthCompressor;
import io.hyperclock.secondary.testing.TestValues;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damage, failing codecs, and what exactly is charged. */
class CompressedFaultsTest {
  private static CompressedSecondaryCache open(Compression compression) {
    return CompressedSecondaryCache.builder()
        .capacityBytes(1 << 20)
        .compression(compression)
        .build();
  }

  @ParameterizedTest
  @EnumSource
  void everyDamagedByteIsCorruptAndForgotten(Compression compression) {
    CompressedSecondaryCache tier = open(compression);
    byte[] value = TestValues.value(1, 1, 400);
    tier.insert(1, 1, value, BYTES, true);
    int length = tier.store.get(1, 1).length;
    assertThat(length < 400).isEqualTo(compression != Compression.NONE);
    for (int at = 0; at < length; at++) {
      tier.insert(1, 1, value, BYTES, true);
      tier.store.get(1, 1)[at] ^= (byte) (1 + at % 255);
      assertThat(lookup(tier, BYTES).outcome()).as("at=" + at).isEqualTo(TierOutcome.CORRUPT);
      assertThat(lookup(tier, BYTES).outcome()).isEqualTo(TierOutcome.ABSENT);
    }
    assertThat(tier.stats().count(TierOutcome.CORRUPT)).isEqualTo(length);
    assertThat(tier.stats().entries()).isZero();
  }

  @Test
  void compressorThatThrowsCostsDeclinesAndMisses() {
    AtomicInteger healthy = new AtomicInteger(1);
    Compressor moody =
        new Compressor() {
          private final RunLengthCompressor runs = new RunLengthCompressor();

          @Override
          public int id() {
            return runs.id();
          }

          @Override
          public String name() {
            return "moody";
          }

          @Override
          public int maxCompressedLength(int rawBytes) {
            return runs.maxCompressedLength(rawBytes);
          }

          @Override
          public int compress(byte[] raw, int rawOffset, int rawBytes, byte[] target) {
            requireHealthy();
            return runs.compress(raw, rawOffset, rawBytes, target);
          }

          @Override
          public int decompress(
              byte[] packed, int packedOffset, int packedBytes, byte[] target, int rawBytes) {
            requireHealthy();
            return runs.decompress(packed, packedOffset, packedBytes, target, rawBytes);
          }

          private void requireHealthy() {
            if (healthy.get() == 0) {
              throw new IllegalStateException("fails on purpose");
            }
          }
        };
    CompressedSecondaryCache tier =
        CompressedSecondaryCache.builder().capacityBytes(1 << 20).compressor(moody).build();
    assertThat(tier.compressorName()).isEqualTo("moody");
    assertThat(tier.insert(1, 1, new byte[100], BYTES, true)).isTrue();
    healthy.set(0);
    assertThat(lookup(tier, BYTES).outcome()).isEqualTo(TierOutcome.CORRUPT);
    healthy.set(1);
    tier.insert(1, 1, new byte[100], BYTES, true);
    healthy.set(0);
    assertThat(tier.insert(1, 1, new byte[200], BYTES, true)).isFalse();
    assertThat(lookup(tier, BYTES).outcome()).isEqualTo(TierOutcome.ABSENT);
  }

  /** Nothing else would say why no value arrives. */
  @Test
  void aCodecThatFailsIsLogged() {
    CompressedSecondaryCache tier = open(Compression.LZ4);
    try (LogLines lines = new LogLines(SecondaryCache.class.getName())) {
      for (int i = 0; i < 3; i++) {
        assertThat(tier.insert(1, 1, new byte[100], TestValues.ENCODE_FAILS, true)).isFalse();
      }
      assertThat(tier.insert(1, 1, new byte[100], TestValues.ENCODES_TOO_LITTLE, true)).isFalse();
      assertThat(tier.insert(1, 1, new byte[1], TestValues.calling(() -> {}), true)).isTrue();
      assertThat(lines.with(""))
          .containsExactly(
              "WARNING a value was not encoded, so a tier declined it: type=encode fails, count=1",
              "WARNING a value was not encoded, so a tier declined it: type=encode fails, count=2",
              "WARNING a value was not encoded, so a tier declined it: type=encodes too little,"
                  + " count=4");
      assertThat(lines.causesWith("too little").get(0))
          .hasMessageStartingWith("a codec must write as many bytes as it says:");
    }
    CompressedSecondaryCache another = open(Compression.NONE);
    try (LogLines lines = new LogLines(SecondaryCache.class.getName())) {
      assertThat(another.insert(1, 1, new byte[1], TestValues.SIZE_IS_NEGATIVE, true)).isFalse();
      assertThat(lines.causesWith("count=1"))
          .singleElement()
          .satisfies(
              cause -> assertThat(cause).hasMessageStartingWith("encodedSizeBytes must be >= 0:"));
    }
  }

  @Test
  void undecodableRecordIsForgotten() {
    CompressedSecondaryCache tier = open(Compression.LZ4);
    tier.insert(1, 1, new byte[100], BYTES, true);
    assertThat(lookup(tier, TestValues.DECODE_FAILS).outcome()).isEqualTo(TierOutcome.UNDECODABLE);
    assertThat(lookup(tier, BYTES).outcome()).isEqualTo(TierOutcome.ABSENT);
  }

  @Test
  void recordOfAValueThatFindsNoRoomIsKept() {
    BufferPool pool = BufferPool.ofBytes(1 << 10);
    EntryType<PooledBuffer> type = pool.entryType("pooled");
    TierRequest<PooledBuffer> request = new TierRequest<>(1, 1, type, null, true);
    CompressedSecondaryCache tier = open(Compression.LZ4);
    PooledBuffer only = pool.take(100);
    tier.insert(1, 1, only, type, true);
    assertThat(tier.lookup(request).join().outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    pool.give(only);
    assertThat(tier.lookup(request).join().outcome()).isEqualTo(TierOutcome.HIT);
  }

  @Test
  void valueWhoseChargeIsUnknownIsFreed() {
    AtomicInteger freed = new AtomicInteger();
    EntryType<byte[]> type =
        EntryType.<byte[]>named("no charge")
            .disposer((hi, lo, value) -> freed.incrementAndGet())
            .codec(
                new EntryCodec<>() {
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
                    return new byte[source.remaining()];
                  }

                  @Override
                  public long chargeBytes(byte[] value) {
                    return -1;
                  }
                })
            .build();
    CompressedSecondaryCache tier = open(Compression.LZ4);
    tier.insert(1, 1, new byte[100], type, true);
    assertThat(lookup(tier, type).outcome()).isEqualTo(TierOutcome.UNDECODABLE);
    assertThat(freed).hasValue(1);
  }

  @ParameterizedTest
  @EnumSource(EntryRole.class)
  void exemptRolesAreStoredAsTheyAre(EntryRole role) {
    EntryType<byte[]> type = EntryType.<byte[]>named("any").role(role).codec(BYTES.codec()).build();
    boolean filter = role == EntryRole.FILTER_BLOCK || role == EntryRole.FILTER_META_BLOCK;
    CompressedSecondaryCache byDefault = open(Compression.LZ4);
    byDefault.insert(1, 1, new byte[1_000], type, true);
    assertThat(byDefault.compressionStats().raw()).isEqualTo(filter ? 1 : 0);
    assertThat(lookup(byDefault, type).value()).isEqualTo(new byte[1_000]);
    CompressedSecondaryCache others =
        CompressedSecondaryCache.builder()
            .capacityBytes(1 << 20)
            .uncompressedRoles(EnumSet.of(EntryRole.MISC))
            .build();
    others.insert(1, 1, new byte[1_000], type, true);
    assertThat(others.compressionStats().raw()).isEqualTo(role == EntryRole.MISC ? 1 : 0);
    assertThat(lookup(others, type).value()).isEqualTo(new byte[1_000]);
    assertThat(others.stats().role(role).hits()).isEqualTo(1);
  }

  @Test
  void chargeIsTheMemoryOfTheArray() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int length = 0; length < 100; length++) {
      long least = Long.MAX_VALUE;
      byte[] record = {};
      for (int i = 0; i < 10; i++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        record = new byte[length];
        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      }
      assertThat(CompressedStore.chargeBytes(record)).as("length=" + length).isEqualTo(least);
    }
  }

  @Test
  void usageIsTablesAndRecordsToTheByte() {
    CompressedSecondaryCache tier = open(Compression.LZ4);
    long before = tier.stats().usageBytes();
    assertThat(before).isEqualTo(tier.store.tableBytes()).isPositive();
    long expected = 0;
    for (int key = 0; key < 100; key++) {
      byte[] value = TestValues.value(key, 0, 12 + 37 * key);
      tier.insert(1, key, value, BYTES, true);
      expected += CompressedStore.chargeBytes(tier.store.get(1, key));
    }
    assertThat(tier.stats().usageBytes() - before).isEqualTo(expected);
    CompressionStats stats = tier.compressionStats();
    assertThat(stats.compressed() + stats.raw()).isEqualTo(100);
    assertThat(stats.ratio()).isBetween(0.5, 0.7);
    for (int key = 0; key < 100; key++) {
      tier.erase(1, key);
    }
    assertThat(tier.stats().usageBytes()).isEqualTo(before);
  }

  @Test
  void holdsMoreThanItsCapacityInValues() {
    CompressedSecondaryCache tier =
        CompressedSecondaryCache.builder()
            .capacityBytes(1 << 20)
            .estimatedEntryCharge(2_400)
            .build();
    for (int key = 0; key < 2_000; key++) {
      tier.insert(1, key, TestValues.value(key, 0, 4 << 10), BYTES, true);
    }
    assertThat(tier.stats().usageBytes()).isLessThanOrEqualTo(1 << 20);
    assertThat(tier.stats().entries() * (4 << 10)).isGreaterThan(5 << 18);
    byte[] large = TestValues.value(1, 1, 1 << 20);
    assertThat(tier.insert(2, 1, large, BYTES, true)).isTrue();
    assertThat(lookup(tier, 2, BYTES).value()).isEqualTo(large);
  }

  @Test
  void badEstimateIsSaidSo() {
    CompressedSecondaryCache tier =
        CompressedSecondaryCache.builder()
            .capacityBytes(1 << 20)
            .estimatedEntryCharge(16 << 10)
            .build();
    assertThat(tier.problems()).isEmpty();
    for (int key = 0; key < 2_000; key++) {
      tier.insert(1, key, TestValues.value(key, 0, 1 << 10), BYTES, true);
    }
    assertThat(tier.problems()).hasSize(1);
    assertThat(tier.problems().get(0).toString()).contains("estimatedEntryCharge");
    tier.close();
    assertThat(tier.problems()).isEmpty();
  }

  private static TierResult<byte[]> lookup(CompressedSecondaryCache tier, EntryType<byte[]> type) {
    return lookup(tier, 1, type);
  }

  private static TierResult<byte[]> lookup(
      CompressedSecondaryCache tier, long keyHi, EntryType<byte[]> type) {
    return tier.lookup(TierRequest.<byte[]>of(keyHi, 1, type)).join();
  }
}
