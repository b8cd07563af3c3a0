/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.interleaving.Scenario;
import io.hyperclock.interleaving.Scenario.Part;
import io.hyperclock.interleaving.Woven;
import io.hyperclock.internal.cache.InvariantsChecker;
import org.junit.jupiter.api.Test;

/** The strict limit of the capacity, in every order of turns in which few threads are held up. */
@Woven({"capacity", "table", "slot"})
class StrictInterleavingTest {
  private static final int PREEMPTIONS = Integer.getInteger("interleaving.preemptions", 1);
  private static final long CAPACITY = 8;

  private static BlockCache<Object> halfFull() {
    BlockCache<Object> cache =
        BlockCache.builder()
            .capacityBytes(CAPACITY)
            .capacityMode(CapacityMode.STRICT)
            .estimatedEntryCharge(1)
            .shards(1)
            .metadataCharge(MetadataCharge.NONE)
            .hashSeed(HashSeed.fixed(7))
            .build();
    cache.insert(1, 100, "first", CAPACITY / 2);
    return cache;
  }

  private static Part<BlockCache<Object>> insert(long lo, long charge) {
    return cache -> {
      cache.insert(1, lo, "value", charge);
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(CAPACITY);
    };
  }

  private static void close(BlockCache<Object> cache) {
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(cache.monitor().capacityBytes());
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
    cache.close();
  }

  @SafeVarargs
  private static void explore(Part<BlockCache<Object>>... parts) {
    new Scenario<>("strict capacity", StrictInterleavingTest::halfFull, c -> close(c), parts)
        .explore(PREEMPTIONS);
  }

  @Test
  void insertsWantTheLastRoom() {
    explore(insert(1, 3), insert(2, 3));
    explore(insert(1, 2), insert(2, 2), insert(3, 2));
  }

  @Test
  void capacityShrinksAmongInserts() {
    Part<BlockCache<Object>> shrink = cache -> cache.setCapacityBytes(CAPACITY / 2 + 1);
    explore(insert(1, 2), shrink);
  }

  @Test
  void eraseAndPutGiveRoomBack() {
    explore(insert(1, 4), cache -> cache.erase(1, 100));
    explore(insert(1, 4), cache -> cache.put(1, 100, "other", 2));
  }
}
