/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.InsertResult;
import io.hyperclock.MetadataCharge;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many slots follow from capacity and estimate. */
abstract class TableSizesContractTest extends CacheContract {
  private static final double TARGET_LOAD = 0.70;
  private static final double LEAST_LOAD = 0.60;
  private static final double[] COUNTS = {1.1, 2.2, 511.9, 512.1, 2345.0, 10_007};

  /** Slots more than exact sizing needs, where a table is rounded up. */
  private static final double SLACK = 4;

  TableSizesContractTest(Variant variant) {
    super(variant);
  }

  private void assertSlotsFor(double entries, BlockCache<?> cache) {
    double slots = cache.slots();
    assertThat(slots).isGreaterThanOrEqualTo(Math.floor(entries / TARGET_LOAD));
    assertThat(slots).isLessThanOrEqualTo(entries / LEAST_LOAD + SLACK);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 5, 123, 2345, 345_678})
  void slotsFollowTheExpectedNumberOfEntries(long estimate) {
    for (double count : COUNTS) {
      BlockCache<Object> cache = cache((long) (estimate * count), estimate);
      assertThat(cache.usageBytes()).isZero();
      assertSlotsFor((double) cache.capacityBytes() / estimate, cache);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {512, 2345, 345_678})
  void slotsThatAreChargedLeaveRoomForFewerEntries(long estimate) {
    for (double count : COUNTS) {
      BlockCache<Object> cache =
          track(
              builder((long) (estimate * count), estimate)
                  .metadataCharge(MetadataCharge.FULL)
                  .build());
      double room = cache.capacityBytes() - cache.usageBytes();
      assertThat(cache.usageBytes()).isPositive().isEqualTo(cache.stats().metadataBytes());
      assertSlotsFor(room / estimate, cache);
    }
  }

  @Test
  void expectedEntriesFitWithoutEviction() {
    BlockCache<Object> cache = cache(10_000L * 64, 64);
    for (long lo = 0; lo < 10_000; lo++) {
      assertThat(insert(cache, lo, 64)).isEqualTo(InsertResult.INSERTED);
    }
    assertThat(cache.stats().evictions()).isZero();
    assertThat(cache.occupancy()).isEqualTo(10_000);
    assertThat(countPresent(cache, 0, 10_000)).isEqualTo(10_000);
    assertThat(cache.usageBytes()).isEqualTo(640_000);
  }

  /** The load of a full cache does not depend on how its capacity falls on powers of two. */
  @Test
  void loadOfAFullCacheIsEven() {
    for (int entries = 1000; entries < 5000; entries += 317) {
      BlockCache<Object> cache = cache(entries, 1);
      double load = (double) entries / cache.slots();
      assertThat(load).as("entries=%d", entries).isBetween(LEAST_LOAD - 0.005, TARGET_LOAD + 0.001);
    }
  }
}
