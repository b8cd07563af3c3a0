/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;

/** Heap slots, strict, 1 shard. */
final class HeapStrictTest extends OneShardVariantTest {
  HeapStrictTest() {
    super(new Variant(SlotStorage.HEAP, CapacityMode.STRICT, 1));
  }
}
