/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.CapacityMode;
import io.hyperclock.HashSeed;
import io.hyperclock.InsertResult;
import io.hyperclock.LeakDetection;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.observe.ObserverNotifier;
import io.hyperclock.internal.sizing.AutomaticSizing;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.Buckets;
import java.time.Duration;
import java.util.function.IntFunction;

/**
 * Caches with room to spare, but for keys whose two buckets are full: one of the sixteen entries
 * there leaves for each new one, by local eviction.
 */
final class FullBuckets {
  static final long HI = 1;
  static final int PLACES = 2 * SlotStore.BUCKET_SLOTS;

  static final EntryType<Object> COLLECTED = EntryType.of("collected");

  private static final long SEED = 7;
  private static final int BUCKETS = 6;

  /** Entries that others cannot fill with what these tests insert. */
  private static final int CAPACITY = 36;

  /** Where all the keys lie. */
  static final Buckets TABLE = new Buckets(BUCKETS, SEED);

  private static final long[] KEYS = keys(2 * PLACES);

  private FullBuckets() {}

  /**
   * Low word of a key that lies in one of the two buckets of all others.
   *
   * @param index which one, below 32
   */
  static long key(int index) {
    return KEYS[index];
  }

  private static long[] keys(int count) {
    long[] keys = new long[count];
    int found = 0;
    for (long lo = 1; found < count; lo++) {
      long hash = TABLE.hash(HI, lo);
      if (TABLE.first(hash) + TABLE.second(hash) == 1) {
        keys[found++] = lo;
      }
    }
    return keys;
  }

  /** An empty cache. */
  static HyperClockCache<Object> open(ReplacementPolicy policy, IntFunction<SlotStore> stores) {
    HyperClockCache<Object> cache =
        new HyperClockCache<>(
            new CacheConfig<>(
                CAPACITY,
                1,
                CapacityMode.NON_STRICT,
                1,
                30,
                MetadataCharge.NONE,
                SlotStorage.HEAP,
                policy,
                HashSeed.fixed(SEED),
                false,
                COLLECTED,
                null,
                new ObserverNotifier.Settings(null, LeakDetection.off(), Duration.ZERO),
                AutomaticSizing.DEFAULT),
            stores);
    assertThat(cache.monitor().slots()).isEqualTo(8 * TABLE.count());
    return cache;
  }

  /** Fills both buckets with the keys from 0 on, of which the first is worth the least. */
  static void fill(
      HyperClockCache<Object> cache, IntFunction<Object> values, EntryType<Object> type) {
    for (int i = 0; i < PLACES; i++) {
      Priority priority = i == 0 ? Priority.BOTTOM : Priority.HIGH;
      assertThat(cache.insert(HI, key(i), values.apply(i), type, 1, priority))
          .isEqualTo(InsertResult.INSERTED);
    }
    assertThat(cache.monitor().occupancy()).isEqualTo(PLACES);
  }
}
