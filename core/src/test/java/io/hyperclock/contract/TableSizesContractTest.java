/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.InsertResult;
import io.hyperclock.MetadataCharge;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many slots follow from capacity and estimate. */
abstract class TableSizesContractTest extends CacheContract {
  private static final double TARGET_LOAD = 0.75;
  private static final double[] COUNTS = {1.1, 2.2, 511.9, 512.1, 2345.0, 10_007};

  /** A table has at least two buckets, and whole ones. */
  private static final int BUCKET_SLOTS = 8;

  private static final int LEAST_SLOTS = 2 * BUCKET_SLOTS;

  /** More than a slot takes. */
  private static final long MAX_SLOT_BYTES = 60;

  TableSizesContractTest(Variant variant) {
    super(variant);
  }

  private void assertSlotsFor(double entries, BlockCache<?> cache) {
    double slots = cache.monitor().slots();
    double needed = Math.max(LEAST_SLOTS, entries / TARGET_LOAD);
    assertThat(cache.monitor().slots() % BUCKET_SLOTS).isZero();
    assertThat(slots).isGreaterThanOrEqualTo(Math.floor(needed));
    assertThat(slots).isLessThan(needed + 1 + BUCKET_SLOTS);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 5, 123, 2345, 345_678})
  void slotsFollowTheExpectedNumberOfEntries(long estimate) {
    for (double count : COUNTS) {
      BlockCache<Object> cache = cache((long) (estimate * count), estimate);
      assertThat(cache.monitor().usageBytes()).isZero();
      assertSlotsFor((double) cache.monitor().capacityBytes() / estimate, cache);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {512, 2345, 345_678})
  void slotsThatAreChargedLeaveRoomForFewerEntries(long estimate) {
    for (double count : COUNTS) {
      long capacity = (long) (estimate * count);
      if (capacity >= LEAST_SLOTS * MAX_SLOT_BYTES) {
        BlockCache<Object> cache =
            track(builder(capacity, estimate).metadataCharge(MetadataCharge.FULL).build());
        long metadata = cache.monitor().stats().metadataBytes();
        assertThat(cache.monitor().usageBytes()).isPositive().isEqualTo(metadata);
        double slots = cache.monitor().slots();
        double room = capacity - metadata;
        // The last bucket may be one that was rounded up to, or one that is not affordable.
        double needed = room / estimate / TARGET_LOAD;
        assertThat(slots).isBetween(needed - BUCKET_SLOTS, Math.max(LEAST_SLOTS, needed + 9));
      }
    }
  }

  @Test
  void capacityBelowTheSmallestTableIsRefused() {
    for (long capacity : new long[] {1, 45, 500, 16 * 45 - 1}) {
      assertThatThrownBy(builder(capacity, 1).metadataCharge(MetadataCharge.FULL)::build)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("capacityBytes must have room for 16 slots of ")
          .hasMessageContaining("capacityBytes=" + capacity);
    }
  }

  /**
   * Both buckets of a key are full for very few of the entries that a table is made for: seldom for
   * more than one in 10,000.
   */
  @Test
  void expectedEntriesFitNearlyWithoutEviction() {
    int shares = 10 * variant.shards();
    BlockCache<Object> cache = cache(1000L * shares * 64, 64);
    long last = 950L * shares;
    for (long lo = 0; lo < last; lo++) {
      assertThat(insert(cache, lo, 64)).isEqualTo(InsertResult.INSERTED);
    }
    long evictions = cache.monitor().stats().evictions();
    assertThat(evictions).isLessThanOrEqualTo(4L * variant.shards());
    assertThat(cache.monitor().occupancy()).isEqualTo(last - evictions);
    assertThat(countPresent(cache, 0, last)).isEqualTo(last - evictions);
    assertThat(cache.monitor().usageBytes()).isEqualTo((last - evictions) * 64);
  }

  /** The load of a full cache does not depend on how its capacity falls on powers of two. */
  @Test
  void loadOfAFullCacheIsEven() {
    for (int entries = 1000; entries < 5000; entries += 317) {
      BlockCache<Object> cache = cache(entries, 1);
      double load = (double) entries / cache.monitor().slots();
      assertThat(load)
          .as("entries=%d", entries)
          .isBetween(TARGET_LOAD - 0.006, TARGET_LOAD + 0.001);
    }
  }
}
