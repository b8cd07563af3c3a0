/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;

/** Off-heap slots, non-strict, 5 shards. */
final class OffHeapFiveShardsNonStrictTest extends CacheVariantTest {
  OffHeapFiveShardsNonStrictTest() {
    super(new Variant(SlotStorage.OFF_HEAP, CapacityMode.NON_STRICT, 5));
  }
}
