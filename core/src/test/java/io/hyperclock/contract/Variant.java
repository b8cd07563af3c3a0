/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;

/** One way to build the cache under test. */
record Variant(SlotStorage storage, CapacityMode mode, int shards, boolean parity) {

  boolean strict() {
    return mode == CapacityMode.STRICT;
  }

  <V> BlockCacheBuilder<V> builder() {
    return BlockCache.<V>builder()
        .storage(storage)
        .capacityMode(mode)
        .shards(shards)
        .rocksDbParity(parity);
  }
}
