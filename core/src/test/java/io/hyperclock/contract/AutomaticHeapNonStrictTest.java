/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;

/** Automatic size, changed at every turn, heap slots, non-strict, 1 shard. */
final class AutomaticHeapNonStrictTest extends CacheVariantTest {
  AutomaticHeapNonStrictTest() {
    super(Variant.adaptive(SlotStorage.HEAP, CapacityMode.NON_STRICT, 1).resizedEvery(5));
  }
}
