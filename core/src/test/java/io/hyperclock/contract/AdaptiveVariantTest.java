/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.Priority;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * All contracts of one shard but those that tell which entries leave, with the slack that the
 * adaptive replacement keeps free.
 */
abstract class AdaptiveVariantTest extends CacheVariantTest {
  private static final double SLACK = 0.003;

  AdaptiveVariantTest(Variant tested) {
    super(tested);
  }

  private static long least(long capacity) {
    return (long) (capacity * (1 - SLACK));
  }

  @Nested
  class Capacity extends CapacityContractTest {
    Capacity() {
      super(tested);
    }
  }

  @Nested
  class Limits extends LimitsContractTest {
    Limits() {
      super(tested);
    }
  }

  @Nested
  class Problems extends ProblemsContractTest {
    Problems() {
      super(tested);
    }
  }

  @Nested
  class Resize extends ResizeContractTest {
    Resize() {
      super(tested);
    }

    private void fill(BlockCache<Object> cache, long fromLo, int count) {
      for (long lo = fromLo; lo < fromLo + count; lo++) {
        assertThat(insertBlock(cache, lo, 1, Priority.LOW)).isEqualTo(InsertResult.INSERTED);
      }
    }

    @Test
    @Override
    void largerCapacityTakesMore() {
      BlockCache<Object> cache = cache(1000, 1);
      fill(cache, 0, 1000);
      cache.setCapacityBytes(500);
      assertThat(cache.usageBytes()).isBetween(least(500), 500L);
      cache.setCapacityBytes(1000);
      fill(cache, 2000, 1000);
      assertThat(cache.usageBytes()).isBetween(least(1000), 1000L);
    }

    @Test
    @Override
    void capacityMayGrowBeyondTheFirst() {
      BlockCache<Object> cache = cache(100, 1);
      cache.setCapacityBytes(1000);
      assertThat(insert(cache, 1, 900)).isEqualTo(InsertResult.INSERTED);
      for (long lo = 2; lo < 50; lo++) {
        assertThat(insert(cache, lo, 2)).isEqualTo(InsertResult.INSERTED);
      }
      assertThat(cache.usageBytes()).isEqualTo(996);
      assertThat(countPresent(cache, 1, 50)).isEqualTo(49);
    }
  }

  @Nested
  class TableSizes extends TableSizesContractTest {
    TableSizes() {
      super(tested);
    }

    @Test
    @Override
    void expectedEntriesFitWithoutEviction() {
      BlockCache<Object> cache = cache(10_000L * 64, 64);
      long fit = least(10_000);
      for (long lo = 0; lo < fit; lo++) {
        assertThat(insert(cache, lo, 64)).isEqualTo(InsertResult.INSERTED);
      }
      assertThat(cache.stats().evictions()).isZero();
      assertThat(countPresent(cache, 0, fit)).isEqualTo(fit);
      for (long lo = fit; lo < 10_000; lo++) {
        assertThat(insert(cache, lo, 64)).isEqualTo(InsertResult.INSERTED);
      }
      assertThat(cache.occupancy()).isBetween(fit, 10_000L);
    }
  }
}
