/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.record;

import static io.hyperclock.secondary.testing.TestValues.BYTES;
import static io.hyperclock.secondary.testing.TestValues.ENCODES_TOO_LITTLE;
import static io.hyperclock.secondary.testing.TestValues.INDEX;
import static io.hyperclock.secondary.testing.TestValues.SIZE_IS_NEGATIVE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.hyperclock.LogLines;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.compression.CompressionStats;
import io.hyperclock.secondary.testing.RunLengthCompressor;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What tiers ask of records when they take a value. */
class PackTest {
  private static final int ID_AT = 8;

  private final Records runs = new Records(new RunLengthCompressor(), Set.of(INDEX.role()));

  private byte[] tryPack(EntryType<byte[]> type) {
    return runs.tryPack(new byte[300], type, Records.codec(new byte[300], type));
  }

  @Test
  void rolesThatAreToStayAsTheyAreAreNotCompressed() {
    assertThat(tryPack(BYTES)[ID_AT]).isEqualTo((byte) RunLengthCompressor.MIN_FOREIGN_ID);
    assertThat(tryPack(INDEX)).hasSize(Records.HEADER_BYTES + 300);
  }

  @Test
  void whatACompressorGivesUpIsStoredAsItIs() {
    byte[] value = new byte[4096];
    new Random(1).nextBytes(value);
    Records deflate = new Records(Compression.DEFLATE.compressor(), Set.of());
    byte[] record = deflate.pack(value, BYTES.codec(), true);
    assertThat(record).hasSize(Records.HEADER_BYTES + value.length).endsWith(value);
    assertThat(record[ID_AT]).isZero();
  }

  @Test
  void codecThatFailsIsLoggedAndCostsTheInsert() {
    try (LogLines lines = new LogLines(SecondaryCache.class.getName())) {
      assertThat(tryPack(ENCODES_TOO_LITTLE)).isNull();
      assertThat(lines.with("a value was not encoded, so a tier declined it: type="))
          .containsExactly(
              "WARNING a value was not encoded, so a tier declined it: type="
                  + ENCODES_TOO_LITTLE.name()
                  + ", count=1");
    }
  }

  @Test
  void sizesThatCodecsSayAreJudged() {
    assertThatIllegalStateException()
        .isThrownBy(() -> runs.pack(new byte[300], SIZE_IS_NEGATIVE.codec(), true))
        .withMessage("encodedSizeBytes must be >= 0: encodedSizeBytes=-1");
    for (boolean compress : new boolean[] {false, true}) {
      assertThatIllegalStateException()
          .isThrownBy(() -> runs.pack(new byte[300], ENCODES_TOO_LITTLE.codec(), compress))
          .withMessage(
              "a codec must write as many bytes as it says: encodedSizeBytes=300, written=299");
    }
  }

  @Test
  void valueAndCodecAreNeeded() {
    assertThat(Records.codec(new byte[1], BYTES)).isSameAs(BYTES.codec());
    assertThatNullPointerException()
        .isThrownBy(() -> Records.codec(null, BYTES))
        .withMessage("value must not be null");
    assertThatNullPointerException()
        .isThrownBy(() -> Records.codec(new byte[1], null))
        .withMessage("type must not be null");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Records.codec("", EntryType.<String>of("plain")))
        .withMessage("type must have a codec: type=plain");
  }

  @Test
  void metricsTellWhatWasCompressed() {
    assertThat(Records.metrics(new CompressionStats(1, 2, 300, 40)))
        .containsExactly(
            TierMetric.count("compression.compressed", "records", 1),
            TierMetric.count("compression.raw", "records", 2),
            TierMetric.count("compression.before", "bytes", 300),
            TierMetric.count("compression.after", "bytes", 40));
  }
}
