/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What happens when the slots of a shard run out before its bytes do. */
abstract class LimitsContractTest extends CacheContract {
  private static final double OCCUPANCY_LIMIT = 0.84;

  LimitsContractTest(Variant variant) {
    super(variant);
  }

  private static long limit(BlockCache<?> cache) {
    return (long) (cache.monitor().slots() * OCCUPANCY_LIMIT);
  }

  private static long leastOccupancy(BlockCache<?> cache) {
    return limit(cache) - 4;
  }

  /** Fills the table up to its limit with held entries; a few keys find both their buckets full. */
  private List<Handle<Object>> pinAllSlots(BlockCache<Object> cache) {
    List<Handle<Object>> pins = new ArrayList<>();
    for (long lo = 0; cache.monitor().occupancy() < limit(cache); lo++) {
      assertThat(lo).as("keys tried").isLessThan(2 * limit(cache));
      Handle<Object> handle = pinnedOrNull(cache, lo);
      if (handle != null) {
        pins.add(handle);
      }
    }
    assertThat(pins).hasSize((int) limit(cache));
    return pins;
  }

  /** A new held entry, or null if its key had no slot. */
  private @Nullable Handle<Object> pinnedOrNull(BlockCache<Object> cache, long lo) {
    try {
      Handle<Object> handle = insertPinned(cache, lo, 0);
      if (!handle.isStandalone()) {
        return handle;
      }
      handle.close();
    } catch (CapacityExceededException e) {
      assertThat(cache.monitor().capacityMode()).isEqualTo(CapacityMode.STRICT);
    }
    return null;
  }

  private static void assertAllPresent(BlockCache<Object> cache, List<Handle<Object>> pins) {
    for (Handle<Object> pin : pins) {
      try (Handle<Object> found = pin(cache, pin.keyLo())) {
        assertThat(found.value()).isSameAs(pin.value());
      }
    }
  }

  @Test
  void zeroChargeEntriesFillSlotsUpToTheLimitAndEvictFromThereOn() {
    BlockCache<Object> cache = cache(64, 1);
    for (long lo = 0; lo < limit(cache); lo++) {
      assertThat(insertBlock(cache, lo, 0, Priority.LOW)).isEqualTo(InsertResult.INSERTED);
    }
    assertThat(cache.monitor().occupancy())
        .isEqualTo(limit(cache) - cache.monitor().stats().evictions());
    assertThat(cache.monitor().stats().evictions()).as("of full buckets").isLessThanOrEqualTo(4);
    for (long lo = 1000; lo < 5000; lo++) {
      assertThat(insertBlock(cache, lo, 0, Priority.LOW)).isEqualTo(InsertResult.INSERTED);
      assertThat(has(cache, lo)).isTrue();
      assertThat(cache.monitor().occupancy()).isBetween(leastOccupancy(cache), limit(cache));
    }
    assertThat(cache.monitor().usageBytes()).isZero();
  }

  @Test
  void insertWithoutASlotIsDroppedOrRefused() {
    BlockCache<Object> cache = cache(64, 1);
    for (CapacityMode mode :
        List.of(CapacityMode.NON_STRICT, CapacityMode.STRICT, CapacityMode.NON_STRICT)) {
      cache.setCapacityMode(mode);
      List<Handle<Object>> pins = pinAllSlots(cache);
      assertThat(cache.monitor().occupancy())
          .isEqualTo(limit(cache))
          .isLessThan(cache.monitor().slots());
      for (long charge = 0; charge < 3; charge++) {
        InsertResult result = insertBlock(cache, 9000 + charge, charge, Priority.HIGH);
        assertThat(result)
            .isEqualTo(mode == CapacityMode.STRICT ? InsertResult.REFUSED : InsertResult.DROPPED);
        assertThat(has(cache, 9000 + charge)).isFalse();
        assertThat(cache.monitor().usageBytes()).isZero();
      }
      assertThat(cache.monitor().occupancy()).isEqualTo(limit(cache));
      release(pins);
      cache.eraseUnreferenced();
    }
  }

  @Test
  void pinnedInsertWithoutASlotStandsAloneOrFails() {
    BlockCache<Object> cache = cache(64, 1);
    List<Handle<Object>> pins = pinAllSlots(cache);
    if (variant.strict()) {
      assertThatThrownBy(() -> insertPinned(cache, 9000, 0))
          .isInstanceOf(CapacityExceededException.class);
      assertThatThrownBy(() -> insertPinned(cache, 9000, 2))
          .isInstanceOf(CapacityExceededException.class);
      assertThat(cache.monitor().usageBytes()).isZero();
    } else {
      for (long lo = 9000; lo < 9003; lo++) {
        Handle<Object> extra = insertPinned(cache, lo, 2);
        assertThat(extra.isStandalone()).isTrue();
        assertThat(cache.lookup(HI, lo)).isNull();
        assertThat(cache.monitor().usageBytes()).isEqualTo(2);
        Block block = (Block) extra.value();
        assertThat(extra.discard()).isTrue();
        assertThat(block.timesFreed()).isEqualTo(1);
        assertThat(cache.monitor().usageBytes()).isZero();
      }
    }
    assertAllPresent(cache, pins);
    release(pins);
    assertThat(insertBlock(cache, 9000, 1, Priority.LOW)).isEqualTo(InsertResult.INSERTED);
    for (long lo = 0; lo < 2 * limit(cache); lo++) {
      cache.erase(HI, lo);
    }
    assertThat(cache.monitor().occupancy()).isEqualTo(1);
  }

  @Test
  void presentKeyIsKeptAlsoWhenNoSlotIsLeft() {
    BlockCache<Object> cache = cache(64, 1);
    List<Handle<Object>> pins = pinAllSlots(cache);
    long present = pins.get(0).keyLo();
    Block block = block(present);
    InsertResult result = cache.insert(HI, present, block, Block.TYPE, 0, Priority.LOW);
    if (variant.strict()) {
      assertThat(result).isIn(InsertResult.KEPT_EXISTING, InsertResult.REFUSED);
    } else {
      assertThat(result).isIn(InsertResult.KEPT_EXISTING, InsertResult.DROPPED);
    }
    assertThat(block.timesFreed()).isEqualTo(result.callerKeepsValue() ? 0 : 1);
    if (result.callerKeepsValue()) {
      blocks.keep(block);
    }
    assertThat(((Block) pins.get(0).value()).timesFreed()).isZero();
    assertThat(has(cache, present)).isTrue();
    release(pins);
  }

  @Test
  void oneFreeSlotIsFound() {
    BlockCache<Object> cache = cache(64, 1);
    List<Handle<Object>> pins = pinAllSlots(cache);
    long key = 10_000;
    int rounds = 500;
    for (int round = 0; round < rounds; round++) {
      int victim = random.nextInt(pins.size());
      assertThat(pins.get(victim).eraseIfLast()).isTrue();
      Handle<Object> next = null;
      while (next == null) {
        next = pinnedOrNull(cache, key++);
      }
      pins.set(victim, next);
      assertThat(cache.monitor().occupancy()).isEqualTo(limit(cache));
    }
    assertThat(key - 10_000).as("keys tried").isLessThan(2 * rounds);
    assertAllPresent(cache, pins);
    release(pins);
  }

  @Test
  void smallestTableWorks() {
    BlockCache<Object> cache = cache(1, 1);
    assertThat(cache.monitor().slots()).isPositive();
    for (long lo = 0; lo < 100; lo++) {
      assertThat(insertBlock(cache, lo, 1, Priority.LOW)).isEqualTo(InsertResult.INSERTED);
      assertThat(has(cache, lo)).isTrue();
      assertThat(cache.monitor().occupancy()).isEqualTo(1);
      assertThat(cache.lookup(HI, lo - 1)).isNull();
    }
  }
}
