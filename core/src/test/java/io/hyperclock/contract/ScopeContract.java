/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import org.junit.jupiter.api.Tag;

/** Contracts of read scopes: which values wait for one, which are freed. */
@Tag("scope")
abstract class ScopeContract extends CacheContract {
  ScopeContract(Variant variant) {
    super(variant);
  }

  static void assertWaits(BlockCache<Object> cache, Block... waiting) {
    for (Block block : waiting) {
      assertThat(block.timesFreed()).as("%s", block).isZero();
    }
    assertThat(cache.monitor().scopeStats().retiredValues()).isEqualTo(waiting.length);
  }

  static void assertFreed(Block... blocks) {
    for (Block block : blocks) {
      assertThat(block.timesFreed()).as("%s", block).isEqualTo(1);
    }
  }
}
