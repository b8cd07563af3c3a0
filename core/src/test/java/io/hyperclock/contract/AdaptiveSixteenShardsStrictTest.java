/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;

/** Adaptive replacement, off-heap slots, strict, 16 shards. */
final class AdaptiveSixteenShardsStrictTest extends CacheVariantTest {
  AdaptiveSixteenShardsStrictTest() {
    super(Variant.adaptive(SlotStorage.OFF_HEAP, CapacityMode.STRICT, 16));
  }
}
