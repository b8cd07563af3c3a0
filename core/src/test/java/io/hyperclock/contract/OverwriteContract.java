/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;

/** Contracts of overwrites in a cache where ten entries have room. */
abstract class OverwriteContract extends CacheContract {
  static final EntryType<Object> COLLECTED = EntryType.of("collected");

  final BlockCache<Object> cache = roomy(10);

  OverwriteContract(Variant variant) {
    super(variant);
  }

  Block put(long lo, long charge, InsertResult expected) {
    Block block = block(lo);
    assertThat(cache.put(HI, lo, block, Block.TYPE, charge, Priority.LOW)).isEqualTo(expected);
    return block;
  }

  void holds(long lo, Object value, long charge) {
    try (Handle<Object> handle = pin(cache, lo)) {
      assertThat(handle.value()).isSameAs(value);
      assertThat(handle.chargeBytes()).isEqualTo(charge);
      assertThat(handle.isStandalone()).isFalse();
      assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(charge);
    }
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
  }

  void totals(long occupancy, long usage) {
    assertThat(cache.monitor().occupancy()).isEqualTo(occupancy);
    assertThat(cache.monitor().usageBytes()).isEqualTo(usage);
  }
}
