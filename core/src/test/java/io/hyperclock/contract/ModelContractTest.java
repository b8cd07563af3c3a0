/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One thread against a map: with room for all entries the cache must behave like one. */
abstract class ModelContractTest extends CacheContract {
  private static final int STEPS = 20_000;

  ModelContractTest(Variant variant) {
    super(variant);
  }

  /** Few slots, so that probe paths cross and erased slots lie on the paths of present keys. */
  @Test
  void smallTableBehavesLikeAMap() {
    for (int keys = 1; keys <= 12; keys += 3) {
      againstMap(cache(16L * variant.shards(), 1), keys);
    }
  }

  @Test
  void fullTableBehavesLikeAMap() {
    BlockCache<Object> cache = cache(600L * variant.shards(), 1);
    againstMap(cache, 500);
  }

  private void againstMap(BlockCache<Object> cache, int keys) {
    Map<Long, Block> map = new HashMap<>();
    for (int step = 0; step < STEPS; step++) {
      long lo = random.nextInt(keys);
      Block expected = map.get(lo);
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          Block block = block(lo);
          InsertResult result =
              cache.insert(HI, lo, block, Block.TYPE, 1, io.hyperclock.entry.Priority.LOW);
          if (expected == null) {
            assertThat(result).isEqualTo(InsertResult.INSERTED);
            map.put(lo, block);
          } else {
            assertThat(result)
                .as("key %d, step %d", lo, step)
                .isEqualTo(InsertResult.KEPT_EXISTING);
            assertThat(block.timesFreed()).isEqualTo(1);
          }
        }
        case 2, 3 -> {
          assertThat(cache.erase(HI, lo))
              .as("key %d, step %d", lo, step)
              .isEqualTo(expected != null);
          map.remove(lo);
          if (expected != null) {
            assertThat(expected.timesFreed()).isEqualTo(1);
          }
        }
        default -> {
          try (Handle<Object> handle = cache.lookup(HI, lo)) {
            assertThat(handle == null ? null : handle.value()).isSameAs(expected);
          }
        }
      }
      assertThat(cache.monitor().occupancy()).isEqualTo(map.size());
      assertThat(cache.monitor().usageBytes()).isEqualTo(map.size());
    }
    assertThat(map.values()).allSatisfy(block -> assertThat(block.timesFreed()).isZero());
    List<Object> visited = new ArrayList<>();
    cache.monitor().forEachEntry((hi, lo, value, type, charge) -> visited.add(value));
    assertThat(visited).containsExactlyInAnyOrderElementsOf(map.values());
    cache.eraseUnreferenced();
    assertThat(cache.monitor().occupancy()).isZero();
  }
}
