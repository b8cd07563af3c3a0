/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;

/** Heap slots, strict, 5 shards. */
final class HeapFiveShardsStrictTest extends CacheVariantTest {
  HeapFiveShardsStrictTest() {
    super(new Variant(SlotStorage.HEAP, CapacityMode.STRICT, 5));
  }
}
