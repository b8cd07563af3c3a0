/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.MetadataCharge;
import io.hyperclock.stats.CacheStats;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a cache does that was told its capacity and nothing else: how many slots it has. */
class AutomaticSizingTest extends AutomaticSizingContract {
  private BlockCache<Object> strict(long capacityBytes) {
    BlockCacheBuilder<Object> builder = BlockCache.<Object>builder().capacityBytes(capacityBytes);
    builder.executor(Runnable::run);
    return track(builder.capacityMode(CapacityMode.STRICT).build());
  }

  @Test
  void growsWithTheEntries() {
    BlockCache<Object> cache = open(64 * MIB);
    assertThat(cache.monitor().slots()).isEqualTo(256);
    fill(cache, 0, 20_000, 1024);
    assertThat(cache.monitor().occupancy()).isBetween(19_980L, 20_000L);
    assertThat(cache.monitor().slots()).isBetween(26_000L, 110_000L);
    assertThat(countPresent(cache, 0, 20_000)).isEqualTo(cache.monitor().occupancy());
    CacheStats stats = cache.monitor().stats();
    assertThat(stats.resizes()).isBetween(5L, 15L);
    assertThat(stats.movedEntries()).isBetween(5_000L, 60_000L);
    assertThat(stats.evictions()).as("local").isEqualTo(20_000 - cache.monitor().occupancy());
    assertThat(stats.heldTableBytes()).isZero();
    assertThat(cache.monitor().problems()).isEmpty();
  }

  @Test
  void usesAllOfTheCapacityWhateverTheSize() {
    for (long charge : new long[] {100, 1_000, 16_000, 300_000}) {
      try (BlockCache<Object> cache = open(8 * MIB)) {
        fill(cache, 0, 3 * 8 * MIB / charge + 100, charge);
        assertThat(cache.monitor().usageBytes())
            .as("charge %s", charge)
            .isBetween(8 * MIB * 9 / 10, 8 * MIB);
        double load = cache.monitor().occupancy() / (double) cache.monitor().slots();
        assertThat(load).as("charge %s", charge).isBetween(charge > 100_000 ? 0.2 : 0.3, 0.84);
        close(cache);
      }
    }
  }

  @Test
  void slotsTakeHalfOfTheCapacityAtMost() {
    BlockCache<Object> cache = open(MIB);
    fill(cache, 0, 100_000, 0);
    assertThat(metadataShare(cache)).isBetween(0.4, 0.51);
    assertThat(cache.monitor().occupancy()).isLessThanOrEqualTo(cache.monitor().slots());
    fill(cache, 200_000, 10_000, 10);
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(MIB);
  }

  @Test
  void shrinksWithTheCapacity() {
    BlockCache<Object> cache = open(64 * MIB);
    fill(cache, 0, 100_000, 1024);
    cache.setCapacityBytes(64 * MIB / 100);
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(64 * MIB / 100);
    assertThat(metadataShare(cache)).isLessThan(0.2);
    cache.setCapacityBytes(64 * MIB);
    fill(cache, 0, 100_000, 1024);
    assertThat(cache.monitor().usageBytes()).isGreaterThan(60 * MIB);
  }

  @Test
  void slotsTakeLittleOfAHundredthOfTheCapacity() {
    BlockCache<Object> cache = open(64 * MIB);
    fill(cache, 0, 10_000, 16 << 10);
    cache.setCapacityBytes(64 * MIB / 100);
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(64 * MIB / 100);
    assertThat(metadataShare(cache)).isBetween(0.001, 0.05);
  }

  @Test
  void strictUsageStaysWithinTheCapacity() {
    BlockCache<Object> cache = strict(MIB);
    for (long lo = 0; lo < 50_000; lo++) {
      cache.insert(HI, lo, "x", 1 + lo % 300);
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(MIB);
    }
    assertThat(cache.monitor().usageBytes()).isGreaterThan(MIB * 8 / 10);
  }

  /** Slots and entries share the capacity: what one size leaves must not call for the next. */
  @ParameterizedTest
  @ValueSource(longs = {40, 60, 80, 100, 120, 150, 200, 300, 500, 1000})
  void restsWhereSlotsTakeMuchOfTheCapacity(long charge) {
    BlockCache<Object> cache = open(MIB);
    fill(cache, 0, 60_000, charge);
    long resizes = cache.monitor().stats().resizes();
    for (long lo = 60_000; lo < 120_000; lo++) {
      cache.insert(HI, lo, "x", charge * (75 + lo % 51) / 100);
      assertThat(cache.monitor().usageBytes()).as("charge %s", charge).isGreaterThan(MIB * 8 / 10);
    }
    assertThat(cache.monitor().stats().resizes() - resizes).isLessThanOrEqualTo(1);
  }

  @Test
  void strictWithAllPinnedDoesNotGrow() {
    BlockCache<Object> cache = strict(MIB);
    List<Handle<Object>> held = new ArrayList<>();
    for (long lo = 0; lo < 100; lo++) {
      held.add(insertPinned(cache, lo, 10_000));
    }
    for (long lo = 100; lo < 20_000; lo++) {
      cache.insert(HI, lo, "x", 1);
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(MIB);
    }
    release(held);
  }

  @Test
  void strictShrinksWithTheCapacity() {
    BlockCache<Object> cache = strict(64 * MIB);
    fill(cache, 0, 100_000, 1024);
    cache.setCapacityBytes(64 * MIB / 100);
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(64 * MIB / 100);
    fill(cache, 200_000, 1_000, 1024);
    assertThat(cache.monitor().occupancy()).isPositive();
  }

  @Test
  void initialEntriesSpareTheGrowth() {
    BlockCache<Object> cache = open(64 * MIB, 20_000);
    assertThat(cache.monitor().slots()).isBetween(28_000L, 29_000L);
    fill(cache, 0, 20_000, 1024);
    assertThat(cache.monitor().stats().resizes()).isZero();
  }

  @Test
  void initialEntriesAreBounded() {
    assertThatThrownBy(() -> BlockCache.builder().initialEntries(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("initialEntries must be > 0: initialEntries=0");
    BlockCache<Object> cache =
        track(BlockCache.<Object>builder().capacityBytes(MIB).initialEntries(1L << 60).build());
    assertThat(metadataShare(cache)).isBetween(0.45, 0.5);
    fill(cache, 0, 10_000, 1024);
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(MIB);
  }

  @Test
  void tinyCapacities() {
    assertThatThrownBy(() -> open(800))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacityBytes must have room for 16 slots");
    for (long capacity : new long[] {900, 2_000, 6_783, 6_784, 10_000}) {
      BlockCache<Object> cache = open(capacity);
      fill(cache, 0, 1_000, 10);
      assertThat(cache.monitor().occupancy()).as("capacity %s", capacity).isPositive();
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(capacity);
    }
  }

  @Test
  void manyShardsOfLittle() {
    BlockCache<Object> cache =
        track(BlockCache.<Object>builder().capacityBytes(MIB).shards(64).build());
    fill(cache, 0, 10_000, 100);
    assertThat(cache.monitor().usageBytes()).isBetween(MIB / 2, MIB);
  }

  @Test
  void countsWithoutMetadata() {
    BlockCache<Object> cache =
        track(
            BlockCache.<Object>builder()
                .capacityBytes(50_000)
                .executor(Runnable::run)
                .metadataCharge(MetadataCharge.NONE)
                .build());
    fill(cache, 0, 50_000, 1);
    assertThat(cache.monitor().occupancy()).isGreaterThan(49_000);
    assertThat(cache.monitor().stats().metadataBytes()).isZero();
    BlockCache<Object> nothing =
        track(
            BlockCache.<Object>builder()
                .capacityBytes(1_000)
                .metadataCharge(MetadataCharge.NONE)
                .build());
    fill(nothing, 0, 100_000, 0);
    assertThat(nothing.monitor().slots()).isLessThanOrEqualTo(2_000);
  }
}
