/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.CapacityMode;
import io.hyperclock.LeakDetection;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;

/** One way to build the cache under test. */
record Variant(
    SlotStorage storage,
    CapacityMode mode,
    int shards,
    ReplacementPolicy replacement,
    LeakDetection tracking) {

  /** A variant with the classic replacement. */
  Variant(SlotStorage storage, CapacityMode mode, int shards) {
    this(storage, mode, shards, ReplacementPolicy.CLASSIC, LeakDetection.off());
  }

  /** A variant with the adaptive replacement. */
  static Variant adaptive(SlotStorage storage, CapacityMode mode, int shards) {
    return new Variant(storage, mode, shards, ReplacementPolicy.ADAPTIVE, LeakDetection.off());
  }

  Variant withTracking(LeakDetection tracking) {
    return new Variant(storage, mode, shards, replacement, tracking);
  }

  boolean strict() {
    return mode == CapacityMode.STRICT;
  }

  <V> BlockCacheBuilder<V> builder() {
    return BlockCache.<V>builder()
        .storage(storage)
        .capacityMode(mode)
        .shards(shards)
        .replacementPolicy(replacement)
        .leakDetection(tracking);
  }
}
