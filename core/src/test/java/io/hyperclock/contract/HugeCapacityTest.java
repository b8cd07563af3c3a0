/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.MetadataCharge;
import io.hyperclock.SlotStorage;
import io.hyperclock.versioned.VersionedCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Settings whose slots fit into no memory are refused before anything is allocated. */
class HugeCapacityTest {
  private static final long MANY = 1L << 46;

  @ParameterizedTest
  @CsvSource({"1, 64", "4096, 0", "1048576, 0", "4294967296, 0", "4294967296, 1", "17179869184, 0"})
  void slotsThatFitIntoNoHeapAreRefused(long charge, int shards) {
    for (SlotStorage storage : SlotStorage.values()) {
      BlockCacheBuilder<Object> builder =
          BlockCache.builder()
              .capacityBytes(BlockCache.MAX_CAPACITY_BYTES)
              .estimatedEntryCharge(charge)
              .storage(storage);
      if (shards > 0) {
        builder.shards(shards);
      }
      assertThatThrownBy(builder::build)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("capacityBytes=" + BlockCache.MAX_CAPACITY_BYTES)
          .hasMessageContaining("estimatedEntryCharge=" + charge);
      assertThatThrownBy(builder::metadataBytes).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(SlotStorage.class)
  void theRuleHoldsWhetherOrNotSlotsAreCharged(SlotStorage storage) {
    for (MetadataCharge charge : MetadataCharge.values()) {
      assertThatThrownBy(
              BlockCache.builder()
                      .capacityBytes(MANY)
                      .estimatedEntryCharge(1 << 16)
                      .storage(storage)
                      .metadataCharge(charge)
                  ::build)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("slots must fit into the heap")
          .hasMessageContaining("maxMemory=" + Runtime.getRuntime().maxMemory());
    }
  }

  @Test
  void aCacheOfTwoVersionsRefusesThemToo() {
    assertThatThrownBy(
            VersionedCache.<Object>builder().capacityBytes(MANY).estimatedEntryCharge(1 << 16)
                ::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("slots must fit into the heap");
  }

  @Test
  void theLargestCapacityOfFewEntriesWorks() {
    try (BlockCache<Object> cache =
        BlockCache.builder()
            .capacityBytes(BlockCache.MAX_CAPACITY_BYTES)
            .estimatedEntryCharge(1L << 56)
            .shards(1)
            .build()) {
      assertThat(cache.monitor().capacityBytes()).isEqualTo(BlockCache.MAX_CAPACITY_BYTES);
      assertThat(cache.monitor().slots()).isLessThan(1 << 10);
    }
  }

  @ParameterizedTest
  @CsvSource({"1000, 1", "1000000, 100", "10000000, 4096", "16, 1"})
  void whatSlotsTakeIsKnownBeforehand(long capacity, long charge) {
    for (MetadataCharge metadata : MetadataCharge.values()) {
      BlockCacheBuilder<Object> builder =
          BlockCache.builder()
              .capacityBytes(capacity * (metadata == MetadataCharge.FULL ? 60 : 1))
              .estimatedEntryCharge(charge)
              .metadataCharge(metadata);
      long expected = builder.metadataBytes();
      try (BlockCache<Object> cache = builder.build()) {
        assertThat(cache.monitor().stats().metadataBytes()).isEqualTo(expected);
        assertThat(cache.monitor().usageBytes()).isEqualTo(expected);
      }
    }
    assertThatThrownBy(BlockCache.builder()::metadataBytes)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("capacityBytes must be set");
  }

  @Test
  void whatSlotsTakeAtFirstIsKnownBeforehand() {
    BlockCacheBuilder<Object> builder = BlockCache.builder().capacityBytes(1 << 20);
    try (BlockCache<Object> cache = builder.build()) {
      assertThat(cache.monitor().stats().metadataBytes())
          .isEqualTo(builder.metadataBytes())
          .isPositive();
    }
    assertThatThrownBy(BlockCache.builder().capacityBytes(1)::metadataBytes)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacityBytes=1");
  }
}
