/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;

/** Adaptive replacement, heap slots, non-strict, 5 shards. */
final class AdaptiveFiveShardsNonStrictTest extends CacheVariantTest {
  AdaptiveFiveShardsNonStrictTest() {
    super(Variant.adaptive(SlotStorage.HEAP, CapacityMode.NON_STRICT, 5));
  }
}
