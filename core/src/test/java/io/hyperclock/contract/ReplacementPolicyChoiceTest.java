/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which replacement a builder gives. */
class ReplacementPolicyChoiceTest {
  private static final int ENTRIES = 500;

  private static BlockCacheBuilder<Object> builder() {
    return BlockCache.builder()
        .capacityBytes(ENTRIES)
        .estimatedEntryCharge(1)
        .metadataCharge(MetadataCharge.NONE)
        .hashSeed(HashSeed.fixed(3));
  }

  /** Hits of a loop a little too long, which only an adaptive replacement has. */
  private static long hitsOfALoop(BlockCacheBuilder<Object> builder) {
    long hits = 0;
    try (BlockCache<Object> cache = builder.build()) {
      for (int i = 0; i < 100 * ENTRIES; i++) {
        long key = i % (ENTRIES * 6 / 5);
        if (cache.get(1, key) != null) {
          hits++;
        } else {
          cache.insert(1, key, "value", 1);
        }
      }
    }
    return hits;
  }

  @Test
  void adaptiveIsTheDefault() {
    long adaptive = hitsOfALoop(builder().replacementPolicy(ReplacementPolicy.ADAPTIVE));
    assertThat(hitsOfALoop(builder())).isEqualTo(adaptive).isGreaterThan(25L * ENTRIES);
  }

  @Test
  void classicMissesMoreOfIt() {
    assertThat(hitsOfALoop(builder().replacementPolicy(ReplacementPolicy.CLASSIC)))
        .isLessThan(hitsOfALoop(builder()) * 2 / 3);
  }

  @ParameterizedTest
  @EnumSource
  void eachGrowsACacheThatSizesItself(ReplacementPolicy policy) {
    BlockCacheBuilder<Object> builder =
        BlockCache.builder()
            .capacityBytes(1 << 20)
            .shards(1)
            .executor(Runnable::run)
            .hashSeed(HashSeed.fixed(3));
    try (BlockCache<Object> cache = builder.replacementPolicy(policy).build()) {
      long first = cache.monitor().slots();
      for (int key = 0; key < 2 * first; key++) {
        cache.insert(1, key, "value", 1);
      }
      assertThat(cache.monitor().occupancy()).isEqualTo(2 * first);
      assertThat(cache.monitor().slots()).isGreaterThan(2 * first);
      assertThat(cache.monitor().problems()).isEmpty();
    }
  }

  @Test
  void refusesWhatDoesNotFit() {
    assertThatNullPointerException()
        .isThrownBy(() -> builder().replacementPolicy(null))
        .withMessage("policy must not be null");
  }
}
