/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.HashSeed;
import io.hyperclock.InsertResult;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReadScope;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.slot.SlotStore;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Counts the hits of pin-free reads that change a word of their slot. */
class HitPathStoresTest {
  private static final int ENTRIES = 1000;
  private static final long HI = 1;

  private final Map<Long, Integer> slotOf = new HashMap<>();

  private static BlockCache<Object> cache(ReplacementPolicy policy, SlotStorage storage) {
    return BlockCache.builder()
        .capacityBytes(ENTRIES)
        .estimatedEntryCharge(1)
        .metadataCharge(MetadataCharge.NONE)
        .shards(1)
        .storage(storage)
        .replacementPolicy(policy)
        .hashSeed(HashSeed.fixed(7))
        .build();
  }

  /** Stores per hit of a skewed workload on a cache that is full, with misses in between. */
  private double storesPerHit(ReplacementPolicy policy, SlotStorage storage) {
    SplittableRandom random = new SplittableRandom(11);
    long hits = 0;
    long stores = 0;
    try (BlockCache<Object> cache = cache(policy, storage)) {
      SlotStore store = ((HyperClockCache<?>) cache).shards.at(0).store;
      slotOf.clear();
      for (int i = 0; i < 200_000; i++) {
        double u = random.nextDouble();
        long key = (long) (u * u * u * u * 3 * ENTRIES);
        int slot = slotOf.getOrDefault(key, 0);
        boolean present = store.keyLoOpaque(slot) == key && cache.peek(HI, key) != null;
        long meta = store.metaAcquire(slot);
        long tail = store.tailAcquire(slot);
        long cold = store.coldAcquire(slot);
        if (cache.get(HI, key) == null) {
          assertThat(cache.insert(HI, key, "value", 1)).isEqualTo(InsertResult.INSERTED);
          slotOf.put(key, find(store, key));
        } else {
          assertThat(present).isTrue();
          hits++;
          stores += store.metaAcquire(slot) == meta ? 0 : 1;
          assertThat(store.tailAcquire(slot)).isEqualTo(tail);
          assertThat(store.coldAcquire(slot)).isEqualTo(cold);
        }
      }
    }
    assertThat(hits).isGreaterThan(100_000);
    return stores / (double) hits;
  }

  private static int find(SlotStore store, long key) {
    for (int slot = 0; slot < store.slots(); slot++) {
      if (store.valueOpaque(slot) != null && store.keyLoOpaque(slot) == key) {
        return slot;
      }
    }
    throw new AssertionError("an inserted key must have a slot: key=" + key);
  }

  @ParameterizedTest
  @EnumSource(SlotStorage.class)
  void adaptiveHitsStoreNoMoreThanClassicOnes(SlotStorage storage) {
    double classic = storesPerHit(ReplacementPolicy.CLASSIC, storage);
    double adaptive = storesPerHit(ReplacementPolicy.ADAPTIVE, storage);
    assertThat(classic).isBetween(0.05, 0.8);
    assertThat(adaptive).isBetween(0.05, classic);
  }

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void hitsOfACacheThatFitsStoreNothing(ReplacementPolicy policy) {
    try (BlockCache<Object> cache = cache(policy, SlotStorage.HEAP)) {
      SlotStore store = ((HyperClockCache<?>) cache).shards.at(0).store;
      for (long key = 0; key < ENTRIES; key++) {
        cache.insert(HI, key, "value", 1);
      }
      for (int round = 0; round < 4; round++) {
        for (long key = 0; key < ENTRIES; key++) {
          cache.get(HI, key);
        }
      }
      long before = sum(store);
      for (long key = 0; key < ENTRIES; key++) {
        assertThat(cache.get(HI, key)).isEqualTo("value");
      }
      assertThat(sum(store)).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void hitsInScopesStoreNothingInHotEntriesFreedByHand(ReplacementPolicy policy) {
    EntryType<Object> freed =
        EntryType.<Object>named("freed").disposer((hi, lo, value) -> {}).build();
    try (BlockCache<Object> cache = cache(policy, SlotStorage.HEAP)) {
      SlotStore store = ((HyperClockCache<?>) cache).shards.at(0).store;
      for (long key = 0; key < ENTRIES; key++) {
        cache.insert(HI, key, "value", freed, 1, Priority.LOW);
      }
      for (int round = 0; round < 4; round++) {
        readAllInScope(cache);
      }
      long before = sum(store);
      readAllInScope(cache);
      assertThat(sum(store)).isEqualTo(before);
    }
  }

  private static void readAllInScope(BlockCache<Object> cache) {
    try (ReadScope<Object> scope = cache.openScope()) {
      for (long key = 0; key < ENTRIES; key++) {
        assertThat(scope.get(HI, key)).isEqualTo("value");
      }
    }
  }

  private static long sum(SlotStore store) {
    long sum = 0;
    for (int slot = 0; slot < store.slots(); slot++) {
      sum =
          sum * 31
              + store.metaAcquire(slot) * 7
              + store.tailAcquire(slot)
              + store.coldAcquire(slot);
    }
    return sum;
  }
}
