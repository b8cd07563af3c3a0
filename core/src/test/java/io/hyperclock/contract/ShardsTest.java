/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.MetadataCharge;
import io.hyperclock.SlotStorage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Number of shards. It shows in the largest entry that a strict cache takes. */
final class ShardsTest extends CacheContract {
  private static final long MIB = 1 << 20;

  ShardsTest() {
    super(new Variant(SlotStorage.HEAP, CapacityMode.STRICT, 1));
  }

  private BlockCacheBuilder<Object> strict(long capacityBytes) {
    return BlockCache.<Object>builder()
        .capacityBytes(capacityBytes)
        .estimatedEntryCharge(8 << 10)
        .metadataCharge(MetadataCharge.NONE)
        .capacityMode(CapacityMode.STRICT);
  }

  private static long largestEntry(BlockCache<Object> cache) {
    long fits = 0;
    long tooLarge = cache.monitor().capacityBytes() + 1;
    while (tooLarge - fits > 1) {
      long charge = fits + (tooLarge - fits) / 2;
      if (insert(cache, 1, charge) == InsertResult.INSERTED) {
        fits = charge;
      } else {
        tooLarge = charge;
      }
      cache.erase(HI, 1);
    }
    return fits;
  }

  private void assertShards(long expected, BlockCache<Object> cache) {
    long share = cache.monitor().capacityBytes() / expected;
    assertThat(largestEntry(cache)).isBetween(share, share + 1);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "31, 1",
    "32, 1",
    "63, 1",
    "64, 2",
    "100, 3",
    "1024, 32",
    "1055, 32",
    "2048, 64",
    "3072, 64",
    "8192, 64"
  })
  void defaultShardsHaveEnoughCapacityEach(long capacityMib, long expected) {
    assertShards(expected, track(strict(capacityMib * MIB).estimatedEntryCharge(2 << 10).build()));
  }

  @ParameterizedTest
  @CsvSource({"2048, 64", "8192, 16", "16384, 8", "65536, 2", "1048576, 1", "2000000000, 1"})
  void defaultShardsHaveEnoughEntriesEach(long estimatedEntryCharge, long expected) {
    assertShards(
        expected, track(strict(2048 * MIB).estimatedEntryCharge(estimatedEntryCharge).build()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 16, 33, 64, 100, 1000, BlockCacheBuilder.MAX_SHARDS})
  void anyNumberOfShardsMayBeAskedFor(int shards) {
    BlockCache<Object> cache =
        track(strict(1_000_000_007L).estimatedEntryCharge(10_000).shards(shards).build());
    assertShards(shards, cache);
    for (long lo = 0; lo < 1000; lo++) {
      assertThat(insert(cache, lo, 1)).isEqualTo(InsertResult.INSERTED);
    }
    for (long lo = 0; lo < 1000; lo++) {
      assertThat(cache.get(HI, lo)).isEqualTo(text(lo));
    }
    assertThat(cache.monitor().occupancy()).isEqualTo(1000);
  }

  /** Shares differ by a byte at most, and their sum is the capacity. */
  @ParameterizedTest
  @ValueSource(ints = {3, 5, 16})
  void capacityIsSplitWithoutLoss(int shards) {
    long capacityBytes = 100L * shards + shards - 1;
    BlockCache<Object> cache =
        track(strict(capacityBytes).estimatedEntryCharge(1).shards(shards).build());
    assertThat(usageOfPins(cache)).isEqualTo(capacityBytes);
    cache.setCapacityBytes(50L * shards + 1);
    assertThat(usageOfPins(cache)).isEqualTo(50L * shards + 1);
  }

  /** Usage once every shard is full of pinned entries of charge 1. */
  private long usageOfPins(BlockCache<Object> cache) {
    List<Handle<Object>> pins = new ArrayList<>();
    for (long lo = 0; lo < 4000; lo++) {
      try {
        pins.add(insertPinned(cache, lo, 1));
      } catch (CapacityExceededException full) {
        assertThat(cache.monitor().usageBytes()).isPositive();
      }
    }
    long usage = cache.monitor().usageBytes();
    release(pins);
    cache.eraseUnreferenced();
    return usage;
  }

  /** Shards without a byte of their own take nothing but entries of charge 0. */
  @Test
  void capacitySmallerThanTheNumberOfShardsIsKept() {
    BlockCache<Object> cache = track(strict(1000).estimatedEntryCharge(1).shards(16).build());
    cache.setCapacityBytes(7);
    for (long lo = 0; lo < 1000; lo++) {
      insert(cache, lo, lo % 2);
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(7);
    }
    assertThat(cache.monitor().usageBytes()).isPositive();
  }

  @Test
  void keysSpreadEvenlyOverShards() {
    int shards = 10;
    BlockCache<Object> cache =
        track(strict(1000L * shards).estimatedEntryCharge(1).shards(shards).build());
    for (long lo = 0; lo < 800L * shards; lo++) {
      insert(cache, lo << 12, 1);
    }
    assertThat(cache.monitor().stats().evictions()).as("no shard overflowed").isZero();
    assertThat(cache.monitor().occupancy()).isEqualTo(800L * shards);
  }
}
