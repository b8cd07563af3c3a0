/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;

/** Adaptive replacement, heap slots, strict, 1 shard. */
final class AdaptiveHeapStrictTest extends AdaptiveVariantTest {
  AdaptiveHeapStrictTest() {
    super(Variant.adaptive(SlotStorage.HEAP, CapacityMode.STRICT, 1));
  }
}
