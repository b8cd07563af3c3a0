/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;

/** Automatic size, changed at every turn, off-heap slots, non-strict, 5 shards. */
final class AutomaticOffHeapFiveShardsTest extends CacheVariantTest {
  AutomaticOffHeapFiveShardsTest() {
    super(Variant.adaptive(SlotStorage.OFF_HEAP, CapacityMode.NON_STRICT, 5).resizedEvery(7));
  }
}
