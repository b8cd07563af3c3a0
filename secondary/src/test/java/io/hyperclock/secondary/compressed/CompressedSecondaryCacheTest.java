/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.testing.RunLengthCompressor;
import io.hyperclock.secondary.testing.SecondaryCacheContractTest;
import io.hyperclock.secondary.testing.TestValues;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CompressedSecondaryCacheTest {
  private static final long CAPACITY = 1 << 20;
  private static final int FEWER_STEPS = 4_000;

  private static SecondaryCache open(long capacityBytes, Compression compression) {
    assertThat(compression.isAvailable()).isTrue();
    return CompressedSecondaryCache.builder()
        .capacityBytes(capacityBytes)
        .compression(compression)
        .build();
  }

  @Nested
  final class Lz4 extends SecondaryCacheContractTest {
    @Override
    protected SecondaryCache open(long capacityBytes) {
      return CompressedSecondaryCacheTest.open(capacityBytes, Compression.LZ4);
    }
  }

  @Nested
  final class Zstd extends SecondaryCacheContractTest {
    @Override
    protected int steps() {
      return FEWER_STEPS;
    }

    @Override
    protected SecondaryCache open(long capacityBytes) {
      return CompressedSecondaryCacheTest.open(capacityBytes, Compression.ZSTD);
    }
  }

  @Nested
  final class Deflate extends SecondaryCacheContractTest {
    @Override
    protected int steps() {
      return FEWER_STEPS;
    }

    @Override
    protected SecondaryCache open(long capacityBytes) {
      return CompressedSecondaryCacheTest.open(capacityBytes, Compression.DEFLATE);
    }
  }

  @Nested
  final class Uncompressed extends SecondaryCacheContractTest {
    @Override
    protected int steps() {
      return FEWER_STEPS;
    }

    @Override
    protected SecondaryCache open(long capacityBytes) {
      return CompressedSecondaryCacheTest.open(capacityBytes, Compression.NONE);
    }
  }

  @Nested
  final class Foreign extends SecondaryCacheContractTest {
    @Override
    protected int steps() {
      return FEWER_STEPS;
    }

    @Override
    protected SecondaryCache open(long capacityBytes) {
      return CompressedSecondaryCache.builder()
          .capacityBytes(capacityBytes)
          .compressor(new RunLengthCompressor())
          .build();
    }
  }

  @Nested
  final class MadeForMoreThanItHas extends SecondaryCacheContractTest {
    @Override
    protected int steps() {
      return FEWER_STEPS;
    }

    @Override
    protected SecondaryCache open(long capacityBytes) {
      return CompressedSecondaryCache.builder()
          .capacityBytes(capacityBytes)
          .maxCapacityBytes(4 * capacityBytes)
          .estimatedEntryCharge(8 << 10)
          .build();
    }
  }

  @Test
  void startsDisabledAndWakesUp() {
    CompressedSecondaryCache tier =
        CompressedSecondaryCache.builder()
            .name("packed")
            .capacityBytes(0)
            .maxCapacityBytes(CAPACITY)
            .build();
    assertThat(tier.name()).isEqualTo("packed");
    assertThat(tier.state().mode()).isEqualTo(TierState.Mode.BYPASS);
    assertThat(tier.state().reason()).contains("capacityBytes=0");
    assertThat(tier.stats().usageBytes()).isZero();
    tier.setCapacity(1);
    assertThat(tier.state().mode()).isEqualTo(TierState.Mode.BYPASS);
    assertThat(tier.insert(1, 1, new byte[9], TestValues.BYTES, true)).isFalse();
    tier.setCapacity(CAPACITY);
    assertThat(tier.state()).isEqualTo(TierState.OPEN);
    assertThat(tier.insert(1, 1, new byte[9], TestValues.BYTES, true)).isTrue();
  }

  @Test
  void emptiedTierCountsWhatItDropped() {
    CompressedSecondaryCache tier =
        CompressedSecondaryCache.builder().capacityBytes(CAPACITY).build();
    for (int key = 0; key < 10; key++) {
      tier.insert(1, key, new byte[9], TestValues.BYTES, true);
    }
    tier.setCapacity(0);
    assertThat(tier.stats().dropped()).isEqualTo(10);
    assertThat(tier.stats().usageBytes()).isZero();
  }

  @Test
  void refusesSettingsThatMakeNoSense() {
    CompressedSecondaryCacheBuilder builder = CompressedSecondaryCache.builder();
    assertThatIllegalStateException()
        .isThrownBy(builder::build)
        .withMessageContaining("capacityBytes=unset");
    assertThatIllegalStateException()
        .isThrownBy(() -> builder.capacityBytes(0).build())
        .withMessageContaining("capacityBytes=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.capacityBytes(2).maxCapacityBytes(1).build())
        .withMessageContaining("maxCapacityBytes=1, capacityBytes=2");
    assertThatIllegalArgumentException().isThrownBy(() -> builder.capacityBytes(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.maxCapacityBytes(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.estimatedEntryCharge(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.name(" "));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.compressor(Compression.DEFLATE.compressor()))
        .withMessageContaining("id=3");
    CompressedSecondaryCache tier =
        CompressedSecondaryCache.builder().capacityBytes(CAPACITY).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tier.inflate(1))
        .withMessageContaining("takenBytes=0");
    tier.deflate(Long.MAX_VALUE);
    assertThatIllegalArgumentException().isThrownBy(() -> tier.deflate(1));
    tier.inflate(Long.MAX_VALUE);
    assertThat(tier.stats().capacityBytes()).isEqualTo(CAPACITY);
  }
}
