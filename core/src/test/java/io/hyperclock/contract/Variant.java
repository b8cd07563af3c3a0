/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.CapacityMode;
import io.hyperclock.ForcedSizing;
import io.hyperclock.LeakDetection;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;

/** One way to build the cache under test. */
record Variant(
    SlotStorage storage,
    CapacityMode mode,
    int shards,
    ReplacementPolicy replacement,
    LeakDetection tracking,
    int resizedEvery) {

  /** A variant of a fixed size. */
  Variant(
      SlotStorage storage,
      CapacityMode mode,
      int shards,
      ReplacementPolicy replacement,
      LeakDetection tracking) {
    this(storage, mode, shards, replacement, tracking, 0);
  }

  /** A variant with the classic replacement. */
  Variant(SlotStorage storage, CapacityMode mode, int shards) {
    this(storage, mode, shards, ReplacementPolicy.CLASSIC, LeakDetection.off());
  }

  /** A variant with the adaptive replacement. */
  static Variant adaptive(SlotStorage storage, CapacityMode mode, int shards) {
    return new Variant(storage, mode, shards, ReplacementPolicy.ADAPTIVE, LeakDetection.off());
  }

  Variant withTracking(LeakDetection tracking) {
    return new Variant(storage, mode, shards, replacement, tracking, resizedEvery);
  }

  /** The same that sizes itself, and changes its size once in so many writes of a shard. */
  Variant resizedEvery(int writes) {
    return new Variant(storage, mode, shards, replacement, tracking, writes);
  }

  boolean isAutomatic() {
    return resizedEvery > 0;
  }

  boolean strict() {
    return mode == CapacityMode.STRICT;
  }

  /** A builder with an estimate of the charges, if the variant has need of that. */
  <V> BlockCacheBuilder<V> builder(long capacityBytes, long estimatedEntryCharge) {
    BlockCacheBuilder<V> builder = this.<V>builder().capacityBytes(capacityBytes);
    return isAutomatic()
        ? ForcedSizing.every(builder, resizedEvery, estimatedEntryCharge)
            .initialEntries(Math.max(1, capacityBytes / estimatedEntryCharge))
        : builder.estimatedEntryCharge(estimatedEntryCharge);
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
