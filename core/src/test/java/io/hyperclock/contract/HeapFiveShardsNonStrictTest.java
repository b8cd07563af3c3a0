/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;

/** Heap slots, non-strict, 5 shards. */
final class HeapFiveShardsNonStrictTest extends CacheVariantTest {
  HeapFiveShardsNonStrictTest() {
    super(new Variant(SlotStorage.HEAP, CapacityMode.NON_STRICT, 5));
  }
}
