/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;

/** Heap slots, non-strict, 16 shards, tables of RocksDB. */
final class ParitySixteenShardsNonStrictTest extends CacheVariantTest {
  ParitySixteenShardsNonStrictTest() {
    super(new Variant(SlotStorage.HEAP, CapacityMode.NON_STRICT, 16, true));
  }
}
