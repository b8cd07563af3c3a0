/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;

/** Heap slots, non-strict, 1 shard, tables of RocksDB. */
final class ParityNonStrictTest extends OneShardVariantTest {
  ParityNonStrictTest() {
    super(new Variant(SlotStorage.HEAP, CapacityMode.NON_STRICT, 1, true));
  }
}
