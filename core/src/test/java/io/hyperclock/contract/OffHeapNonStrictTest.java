/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;

/** Off-heap slots, non-strict, 1 shard. */
final class OffHeapNonStrictTest extends OneShardVariantTest {
  OffHeapNonStrictTest() {
    super(new Variant(SlotStorage.OFF_HEAP, CapacityMode.NON_STRICT, 1));
  }
}
