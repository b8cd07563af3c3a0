/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.SlotStorage;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.stats.SlotAccess;
import io.hyperclock.versioned.VersionedCache;
import io.hyperclock.versioned.VersionedCacheBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The slots of a cache of two versions are where its builder was told. */
@Tag("versioned")
class StorageTest {
  @ParameterizedTest
  @EnumSource(SlotStorage.class)
  void slotsAreWhereTheyWereWanted(SlotStorage storage) {
    VersionedCacheBuilder<String> builder = VersionedCache.builder();
    VersionedCache<String> cache =
        builder.capacityBytes(10_000).estimatedEntryCharge(100).storage(storage).build();
    boolean onHeap = storage == SlotStorage.HEAP;
    assertThat(cache.monitor().stats().slotAccess() == SlotAccess.ARRAY).isEqualTo(onHeap);
    for (VersionedShard shard : ((DefaultVersionedCache<?>) cache).shards) {
      assertThat(shard.store() instanceof HeapSlotStore).isEqualTo(onHeap);
    }
  }
}
