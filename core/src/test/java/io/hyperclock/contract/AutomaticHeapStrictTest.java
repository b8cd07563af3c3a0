/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;

/** Automatic size, changed again and again, heap slots, strict, 1 shard. */
final class AutomaticHeapStrictTest extends CacheVariantTest {
  AutomaticHeapStrictTest() {
    super(Variant.adaptive(SlotStorage.HEAP, CapacityMode.STRICT, 1).resizedEvery(50));
  }
}
