/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;

/** Off-heap slots, strict, 5 shards. */
final class OffHeapFiveShardsStrictTest extends CacheVariantTest {
  OffHeapFiveShardsStrictTest() {
    super(new Variant(SlotStorage.OFF_HEAP, CapacityMode.STRICT, 5));
  }
}
