/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.CapacityMode;
import io.hyperclock.HashSeed;
import io.hyperclock.LeakDetection;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.observe.ObserverNotifier;
import io.hyperclock.internal.sizing.AutomaticSizing;
import io.hyperclock.internal.slot.SlotStore;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.IntFunction;

/** Caches of one shard that size themselves and begin with the smallest table. */
final class AutomaticCaches {
  private AutomaticCaches() {}

  static HyperClockCache<Object> open(
      long capacityBytes, EntryType<Object> type, IntFunction<SlotStore> stores) {
    return new HyperClockCache<>(config(capacityBytes, type, ForkJoinPool.commonPool()), stores);
  }

  static CacheConfig<Object> config(long capacityBytes, EntryType<Object> type, Executor executor) {
    return new CacheConfig<>(
        capacityBytes,
        0,
        CapacityMode.NON_STRICT,
        1,
        30,
        MetadataCharge.FULL,
        SlotStorage.HEAP,
        ReplacementPolicy.ADAPTIVE,
        HashSeed.fixed(7),
        false,
        type,
        null,
        new ObserverNotifier.Settings(null, LeakDetection.off(), Duration.ZERO),
        AutomaticSizing.DEFAULT.withInitialEntries(1).withExecutor(executor));
  }
}
