/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.Priority;
import io.hyperclock.stats.CacheStats;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Puts whose value the caller holds: what they take the place of, and how long they stay. */
abstract class PinnedPutContractTest extends OverwriteContract {
  PinnedPutContractTest(Variant variant) {
    super(variant);
  }

  private Handle<Object> putPinned(BlockCache<Object> cache, Block block, long charge) {
    try {
      return cache.putPinned(HI, block.lo, block, Block.TYPE, charge, Priority.LOW);
    } catch (CapacityExceededException e) {
      blocks.keep(block);
      throw e;
    }
  }

  private void isHeld(Handle<Object> handle, Object value, long charge) {
    assertThat(handle.value()).isSameAs(value);
    assertThat(handle.isStandalone()).isFalse();
    assertThat(handle.keyHi()).isEqualTo(HI);
    assertThat(handle.keyLo()).isEqualTo(1);
    assertThat(handle.chargeBytes()).isEqualTo(charge);
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(charge);
  }

  @Test
  void absentKeyIsAddedAndPinned() {
    Block block = block(1);
    try (Handle<Object> handle = putPinned(cache, block, 3)) {
      isHeld(handle, block, 3);
      assertThat(handle.type()).isSameAs(Block.TYPE);
      totals(1, 3);
      try (Handle<Object> found = pin(cache, 1)) {
        assertThat(found.value()).isSameAs(block);
      }
    }
    holds(1, block, 3);
    CacheStats stats = cache.monitor().stats();
    assertThat(stats.inserts()).isEqualTo(1);
    assertThat(stats.replaced()).isZero();
  }

  @Test
  void olderValueIsFreedAndTheNewerPinned() {
    Block older = put(1, 2, InsertResult.INSERTED);
    for (int round = 0; round < 100; round++) {
      Block newer = block(1);
      try (Handle<Object> handle = putPinned(cache, newer, round % 5)) {
        isHeld(handle, newer, round % 5);
        assertThat(older.timesFreed()).isEqualTo(1);
        totals(1, round % 5);
      }
      assertThat(newer.timesFreed()).isZero();
      holds(1, newer, round % 5);
      older = newer;
    }
    CacheStats stats = cache.monitor().stats();
    assertThat(stats.inserts()).isEqualTo(1);
    assertThat(stats.replaced()).isEqualTo(100);
  }

  @Test
  void olderValueStaysForItsHolder() {
    Block older = put(1, 2, InsertResult.INSERTED);
    Block newer = block(1);
    try (Handle<Object> held = pin(cache, 1);
        Handle<Object> handle = putPinned(cache, newer, 4)) {
      totals(2, 6);
      assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(6);
      assertThat(held.value()).isSameAs(older);
      assertThat(held.discard()).as("freed by this call").isTrue();
      assertThat(older.timesFreed()).isEqualTo(1);
      isHeld(handle, newer, 4);
    }
    totals(1, 4);
  }

  /** Neither an eviction, an erase nor another put frees what is held. */
  @Test
  void heldValueOutlivesItsKey() {
    Block block = block(1);
    Handle<Object> handle = putPinned(cache, block, 1);
    Block newer = put(1, 1, InsertResult.REPLACED);
    assertThat(block.timesFreed()).isZero();
    holdsBeside(handle, newer);
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(newer.timesFreed()).isEqualTo(1);
    cache.eraseUnreferenced();
    assertThat(block.timesFreed()).isZero();
    assertThat(handle.discard()).as("freed by this call").isTrue();
    assertThat(block.timesFreed()).isEqualTo(1);
    totals(0, 0);
  }

  private void holdsBeside(Handle<Object> handle, Block visible) {
    assertThat(handle.value()).isNotSameAs(visible);
    try (Handle<Object> found = pin(cache, 1)) {
      assertThat(found.value()).isSameAs(visible);
    }
  }

  @Test
  void heldEntryIsNotEvicted() {
    BlockCache<Object> small = cache(10L * variant.shards(), 1);
    Block older = block(1);
    small.put(HI, 1, older, Block.TYPE, 1, Priority.BOTTOM);
    Block block = block(1);
    Handle<Object> handle = small.putPinned(HI, 1, block, Block.TYPE, 1, Priority.BOTTOM);
    for (long lo = 100; lo < 100 + 200L * variant.shards(); lo++) {
      insert(small, lo, 1);
    }
    assertThat(block.timesFreed()).isZero();
    try (Handle<Object> found = pin(small, 1)) {
      assertThat(found.value()).isSameAs(block);
    }
    handle.close();
    small.eraseUnreferenced();
    assertThat(block.timesFreed()).isEqualTo(1);
  }

  /** A put in place would change what the handle shows. */
  @Test
  void valueOfTheCollectorIsNotExchangedUnderItsHolder() {
    cache.put(HI, 1, "older", COLLECTED, 1, Priority.LOW);
    Handle<Object> handle = cache.putPinned(HI, 1, "held", COLLECTED, 1, Priority.LOW);
    assertThat(cache.get(HI, 1)).isEqualTo("held");
    assertThat(cache.put(HI, 1, "newer", COLLECTED, 1, Priority.LOW))
        .isEqualTo(InsertResult.REPLACED);
    assertThat(cache.get(HI, 1)).isEqualTo("newer");
    isHeldBesideNewer(handle);
    handle.close();
    assertThat(cache.get(HI, 1)).isEqualTo("newer");
    totals(1, 1);
  }

  private static void isHeldBesideNewer(Handle<Object> handle) {
    assertThat(handle.value()).isEqualTo("held");
    try (Handle<Object> another = handle.ref()) {
      assertThat(another.value()).isEqualTo("held");
    }
  }

  @Test
  void handleOfAnErasingReleaseTakesTheEntryAway() {
    put(1, 2, InsertResult.INSERTED);
    Block block = block(1);
    Handle<Object> handle = putPinned(cache, block, 2);
    Handle<Object> second = handle.ref();
    assertThat(handle.eraseIfLast()).isFalse();
    assertThat(second.eraseIfLast()).isTrue();
    assertThat(block.timesFreed()).isEqualTo(1);
    totals(0, 0);
  }

  @Test
  void withoutRoomBesideAHeldOlderValue() {
    BlockCache<Object> small = cache(10L * variant.shards(), 1);
    Block older = inserted(small, 1, 8);
    try (Handle<Object> held = pin(small, 1)) {
      Block newer = block(1);
      if (variant.strict()) {
        assertThatThrownBy(() -> putPinned(small, newer, 8))
            .isInstanceOf(CapacityExceededException.class);
        try (Handle<Object> again = pin(small, 1)) {
          assertThat(again.value()).isSameAs(older);
        }
        assertThat(small.monitor().usageBytes()).isEqualTo(8);
        assertThat(small.monitor().stats().refused()).isEqualTo(1);
      } else {
        try (Handle<Object> handle = putPinned(small, newer, 8)) {
          assertThat(handle.value()).isSameAs(newer);
          assertThat(newer.timesFreed()).isZero();
          assertThat(small.monitor().usageBytes()).isEqualTo(16);
          assertThat(has(small, 1)).isEqualTo(!handle.isStandalone());
        }
      }
      assertThat(held.value()).isSameAs(older);
      assertThat(older.timesFreed()).isZero();
    }
    small.eraseUnreferenced();
    assertThat(small.monitor().usageBytes()).isZero();
    assertThat(small.monitor().occupancy()).isZero();
  }

  @Test
  void roomForOneValueOnly() {
    BlockCache<Object> small = cache(10L * variant.shards(), 1);
    Block older = inserted(small, 1, 8);
    for (int round = 0; round < 20; round++) {
      Block newer = block(1);
      try (Handle<Object> handle = putPinned(small, newer, 8)) {
        assertThat(handle.value()).isSameAs(newer);
        assertThat(handle.isStandalone()).isFalse();
        assertThat(older.timesFreed()).isEqualTo(1);
        assertThat(small.monitor().usageBytes()).isEqualTo(8);
        assertThat(small.monitor().occupancy()).isEqualTo(1);
      }
      older = newer;
    }
  }

  @Test
  void valueLargerThanItsShard() {
    BlockCache<Object> small = cache(10L * variant.shards(), 1);
    Block older = inserted(small, 1, 4);
    Block newer = block(1);
    if (variant.strict()) {
      assertThatThrownBy(() -> putPinned(small, newer, 1000L * variant.shards()))
          .isInstanceOf(CapacityExceededException.class)
          .hasMessageContaining("chargeBytes=" + 1000L * variant.shards());
      assertThat(newer.timesFreed()).isZero();
    } else {
      try (Handle<Object> handle = putPinned(small, newer, 1000L * variant.shards())) {
        assertThat(handle.value()).isSameAs(newer);
        assertThat(handle.isStandalone()).isTrue();
        assertThat(older.timesFreed()).isEqualTo(1);
        assertThat(has(small, 1)).isFalse();
        assertThat(newer.timesFreed()).isZero();
      }
      assertThat(newer.timesFreed()).isEqualTo(1);
    }
    small.erase(HI, 1);
    assertThat(small.monitor().usageBytes()).isZero();
    assertThat(small.monitor().occupancy()).isZero();
  }

  /** Each holder keeps its own value; readers always find one, and none that is freed. */
  @Test
  void holdersOfOneKeyBesideReaders() throws Exception {
    BlockCache<Object> shared = roomy(60);
    inserted(shared, 1, 1);
    Crew.run(
        4,
        thread -> {
          SplittableRandom own = new SplittableRandom(seed + thread);
          List<Handle<Object>> open = new ArrayList<>();
          for (int step = 0; step < 3_000; step++) {
            if (thread == 0) {
              try (Handle<Object> found = shared.lookup(HI, 1)) {
                assertThat(found).isNotNull();
                assertThat(((Block) found.value()).timesFreed()).isZero();
              }
              continue;
            }
            Block block = block(1);
            open.add(putPinned(shared, block, 1));
            if (open.size() > own.nextInt(3)) {
              Handle<Object> oldest = open.remove(0);
              assertThat(((Block) oldest.value()).timesFreed()).isZero();
              oldest.close();
            }
          }
          open.forEach(Handle::close);
        });
    assertThat(shared.monitor().occupancy()).isEqualTo(1);
    assertThat(shared.monitor().usageBytes()).isEqualTo(1);
    assertThat(shared.monitor().pinnedUsageBytes()).isZero();
  }
}
