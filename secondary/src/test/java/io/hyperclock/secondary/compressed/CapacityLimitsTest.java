/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TieredBlockCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The least and the largest capacity of a compressed tier. */
class CapacityLimitsTest {
  private static CompressedSecondaryCacheBuilder builder(long charge) {
    return CompressedSecondaryCache.builder().estimatedEntryCharge(charge);
  }

  private static TierState.Mode mode(CompressedSecondaryCacheBuilder builder) {
    try (CompressedSecondaryCache tier = builder.build()) {
      return tier.state().mode();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 64, 4096, 1 << 20, 1L << 32, 1L << 34})
  void tablesThatFitIntoNoHeapAreRefused(long charge) {
    assertThatThrownBy(builder(charge).capacityBytes(Long.MAX_VALUE)::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tables must fit into the heap")
        .hasMessageContaining("capacityBytes=" + Long.MAX_VALUE)
        .hasMessageContaining("estimatedEntryCharge=" + charge);
    assertThatThrownBy(builder(charge).capacityBytes(0).maxCapacityBytes(Long.MAX_VALUE)::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxCapacityBytes=" + Long.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(longs = {40, 100, 4096, 1 << 20})
  void theLeastCapacityIsTheLeast(long charge) {
    long least = builder(charge).leastCapacityBytes();
    assertThat(mode(builder(charge).capacityBytes(least))).isEqualTo(TierState.Mode.OPEN);
    assertThatThrownBy(builder(charge).capacityBytes(least - 1)::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "capacityBytes must be >= leastCapacityBytes: capacityBytes="
                + (least - 1)
                + ", leastCapacityBytes="
                + least);
    assertThat(builder(charge).capacityBytes(1).leastCapacityBytes()).isEqualTo(least);
  }

  @ParameterizedTest
  @CsvSource({"100, 100000", "4096, 100000000", "4096, 5000"})
  void aTierThatMayGrowNeedsRoomForTheTablesOfItsLargestCapacity(long charge, long largest) {
    long least = builder(charge).maxCapacityBytes(largest).leastCapacityBytes();
    assertThat(mode(builder(charge).maxCapacityBytes(largest).capacityBytes(least)))
        .isEqualTo(TierState.Mode.OPEN);
    assertThat(mode(builder(charge).maxCapacityBytes(largest).capacityBytes(least - 1)))
        .isEqualTo(TierState.Mode.BYPASS);
    try (CompressedSecondaryCache tier =
        builder(charge).maxCapacityBytes(largest).capacityBytes(0).build()) {
      tier.setCapacity(least - 1);
      assertThat(tier.state().reason()).contains("tableBytes=" + (least - 1));
      tier.setCapacity(least);
      assertThat(tier.state()).isEqualTo(TierState.OPEN);
    }
  }

  @Test
  void theLargestCapacityMayBeTheFirstOne() {
    assertThat(mode(builder(4096).capacityBytes(1 << 20).maxCapacityBytes(1 << 20)))
        .isEqualTo(TierState.Mode.OPEN);
  }

  @Test
  void aLargestCapacityBelowTheLeastIsRefusedByItsName() {
    long least = builder(4096).leastCapacityBytes();
    assertThatThrownBy(builder(4096).capacityBytes(0).maxCapacityBytes(least - 1)::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "maxCapacityBytes must be >= leastCapacityBytes: maxCapacityBytes="
                + (least - 1)
                + ", leastCapacityBytes="
                + least);
  }

  @Test
  void aTierTakesTheLargestCapacity() {
    try (CompressedSecondaryCache tier = builder(4096).capacityBytes(1 << 20).build()) {
      tier.setCapacity(Long.MAX_VALUE);
      assertThat(tier.state()).isEqualTo(TierState.OPEN);
      assertThat(tier.stats().capacityBytes()).isEqualTo(BlockCache.MAX_CAPACITY_BYTES);
      tier.deflate(Long.MAX_VALUE);
      assertThat(tier.state().mode()).isEqualTo(TierState.Mode.BYPASS);
      tier.inflate(Long.MAX_VALUE);
      assertThat(tier.state()).isEqualTo(TierState.OPEN);
    }
  }

  @Test
  void anEstimateThatLeavesNoRoomBesideTheTablesIsRefused() {
    assertThatThrownBy(builder(1)::leastCapacityBytes)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("estimatedEntryCharge=1");
    assertThatThrownBy(builder(1).capacityBytes(1 << 20)::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("estimatedEntryCharge=1");
  }

  @Test
  void aTotalBeyondWhatCanBeChargedIsRefusedAtOnce() {
    assertThatThrownBy(
            () -> TieredBlockCache.builder(BlockCache.builder()).totalCapacityBytes(1L << 60, 0.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("totalBytes=" + (1L << 60));
  }
}
