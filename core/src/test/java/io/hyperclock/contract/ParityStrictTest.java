/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;

/** Off-heap slots, strict, 1 shard, tables of RocksDB. */
final class ParityStrictTest extends OneShardVariantTest {
  ParityStrictTest() {
    super(new Variant(SlotStorage.OFF_HEAP, CapacityMode.STRICT, 1, true));
  }
}
