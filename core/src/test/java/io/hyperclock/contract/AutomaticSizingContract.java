/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;
import java.util.concurrent.Executor;

/** Caches that were told their capacity and nothing else. */
abstract class AutomaticSizingContract extends CacheContract {
  static final long MIB = 1 << 20;

  AutomaticSizingContract() {
    super(Variant.adaptive(SlotStorage.HEAP, CapacityMode.NON_STRICT, 1));
  }

  final BlockCache<Object> open(long capacityBytes) {
    return track(
        BlockCache.<Object>builder().capacityBytes(capacityBytes).executor(Runnable::run).build());
  }

  final BlockCache<Object> open(long capacityBytes, long initialEntries) {
    BlockCacheBuilder<Object> builder = BlockCache.<Object>builder().capacityBytes(capacityBytes);
    return track(builder.initialEntries(initialEntries).executor(Runnable::run).build());
  }

  final BlockCache<Object> withExecutor(long capacityBytes, Executor executor) {
    BlockCacheBuilder<Object> builder = BlockCache.<Object>builder().capacityBytes(capacityBytes);
    return track(builder.shards(1).executor(executor).build());
  }

  static void fill(BlockCache<Object> cache, long from, long count, long charge) {
    for (long lo = from; lo < from + count; lo++) {
      cache.insert(HI, lo, "x", charge);
    }
  }

  static double metadataShare(BlockCache<Object> cache) {
    return cache.monitor().stats().metadataBytes() / (double) cache.monitor().capacityBytes();
  }
}
