/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.HashSeed;
import io.hyperclock.SlotStorage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Seeds of the key hash. */
final class SeedsTest extends CacheContract {
  SeedsTest() {
    super(new Variant(SlotStorage.HEAP, CapacityMode.NON_STRICT, 1));
  }

  private List<Long> order(HashSeed seed) {
    BlockCache<Object> cache = track(roomyBuilder(100).hashSeed(seed).build());
    for (long lo = 0; lo < 100; lo++) {
      insert(cache, lo, 1);
    }
    List<Long> order = new ArrayList<>();
    cache.monitor().forEachEntry((hi, lo, value, type, charge) -> order.add(lo));
    return order;
  }

  @Test
  void randomSeedsDiffer() {
    Set<Long> seeds = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      seeds.add(HashSeed.random().value());
    }
    assertThat(seeds).hasSize(20_000);
  }

  @Test
  void oneSeedGivesOneOrder() {
    for (long value : new long[] {0, -1, 42, Long.MIN_VALUE}) {
      List<Long> first = order(HashSeed.fixed(value));
      assertThat(first).hasSize(100).doesNotHaveDuplicates();
      assertThat(order(new HashSeed(value))).isEqualTo(first);
    }
  }

  @Test
  void otherSeedsGiveOtherOrders() {
    Set<List<Long>> orders = new HashSet<>();
    for (long value = 0; value < 50; value++) {
      orders.add(order(HashSeed.fixed(value)));
      orders.add(order(HashSeed.fixed(value << 50 | 1L << 49)));
    }
    assertThat(orders).hasSize(100);
  }

  @Test
  void eachCacheHasItsOwnSeedByDefault() {
    Set<List<Long>> orders = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      BlockCache<Object> cache =
          track(
              BlockCache.<Object>builder()
                  .capacityBytes(100_000)
                  .estimatedEntryCharge(100)
                  .build());
      for (long lo = 0; lo < 100; lo++) {
        insert(cache, lo, 1);
      }
      List<Long> order = new ArrayList<>();
      cache.monitor().forEachEntry((hi, lo, value, type, charge) -> order.add(lo));
      orders.add(order);
    }
    assertThat(orders).hasSize(20);
  }

  /** Within a bucket entries lie as they came; so the halves are compared, not neighbours. */
  @Test
  void orderHasNothingToDoWithTheOrderOfKeys() {
    List<Long> order = order(HashSeed.fixed(seed));
    long lowInFirstHalf = order.stream().limit(50).filter(lo -> lo < 50).count();
    assertThat(order).hasSize(100);
    assertThat(lowInFirstHalf).isBetween(9L, 41L);
  }
}
