/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import org.junit.jupiter.api.Test;

/** Entries outside the table. */
abstract class StandaloneContractTest extends CacheContract {
  StandaloneContractTest(Variant variant) {
    super(variant);
  }

  private Handle<Object> standalone(BlockCache<Object> cache, Block block, long charge) {
    Handle<Object> handle = cache.createStandalone(HI, block.lo, block, Block.TYPE, charge, false);
    assertThat(handle).isNotNull();
    return handle;
  }

  @Test
  void standaloneEntryIsChargedAndNeverFound() {
    BlockCache<Object> cache = roomy(20);
    Block block = block(1);
    Handle<Object> handle = standalone(cache, block, 9);

    assertThat(handle.isStandalone()).isTrue();
    assertThat(handle.value()).isSameAs(block);
    assertThat(handle.keyHi()).isEqualTo(HI);
    assertThat(handle.keyLo()).isEqualTo(1);
    assertThat(handle.chargeBytes()).isEqualTo(9);
    assertThat(handle.type()).isSameAs(Block.TYPE);
    assertThat(cache.lookup(HI, 1)).isNull();
    assertThat(cache.peek(HI, 1)).isNull();
    assertThat(cache.erase(HI, 1)).isFalse();
    assertThat(cache.monitor().occupancy()).isZero();
    assertThat(cache.monitor().usageBytes()).isEqualTo(9);
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(9);
    assertThat(cache.monitor().stats().standaloneUsageBytes()).isEqualTo(9);

    cache.eraseUnreferenced();
    assertThat(block.timesFreed()).isZero();
    assertThat(handle.discard()).isTrue();
    assertThat(block.timesFreed()).isEqualTo(1);
    assertThat(cache.monitor().usageBytes()).isZero();
    assertThat(cache.monitor().stats().standaloneUsageBytes()).isZero();
  }

  @Test
  void standaloneEntryLivesUntilItsLastHandle() {
    BlockCache<Object> cache = roomy(20);
    Block block = block(1);
    Handle<Object> first = standalone(cache, block, 2);
    Handle<Object> second = first.ref();
    assertThat(second.isStandalone()).isTrue();
    assertThat(second.value()).isSameAs(block);
    assertThat(first.eraseIfLast()).isFalse();
    assertThat(block.timesFreed()).isZero();
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(2);
    assertThat(second.discard()).isTrue();
    assertThat(block.timesFreed()).isEqualTo(1);
  }

  @Test
  void standaloneEntryStandsBesideAnEntryOfItsKey() {
    BlockCache<Object> cache = roomy(20);
    Block inTable = inserted(cache, 1, 1);
    Handle<Object> handle = standalone(cache, block(1), 1);
    try (Handle<Object> found = pin(cache, 1)) {
      assertThat(found.value()).isSameAs(inTable);
    }
    assertThat(insert(cache, 1, 1)).isEqualTo(InsertResult.KEPT_EXISTING);
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(inTable.timesFreed()).isEqualTo(1);
    assertThat(handle.discard()).isTrue();
  }

  @Test
  void standaloneEntryEvictsOthersForItsCharge() {
    BlockCache<Object> cache = track(builder(100, 1).shards(1).build());
    for (long lo = 0; lo < 100; lo++) {
      inserted(cache, lo, 1);
    }
    try (Handle<Object> handle = standalone(cache, block(1000), 30)) {
      assertThat(handle.chargeBytes()).isEqualTo(30);
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(100);
      assertThat(cache.monitor().occupancy()).isBetween(60L, 70L);
    }
  }

  @Test
  void fullStrictCacheRefusesOrMakesItUncharged() {
    BlockCache<Object> cache = track(builder(10, 1).shards(1).build());
    try (Handle<Object> all = insertPinned(cache, 1, 10)) {
      assertThat(all.chargeBytes()).isEqualTo(10);
      Block refused = block(2);
      Handle<Object> handle = cache.createStandalone(HI, 2, refused, Block.TYPE, 1, false);
      if (variant.strict()) {
        assertThat(handle).isNull();
        assertThat(refused.timesFreed()).isZero();
        blocks.keep(refused);
        assertThat(cache.monitor().usageBytes()).isEqualTo(10);
      } else {
        assertThat(handle).isNotNull();
        assertThat(cache.monitor().usageBytes()).isEqualTo(11);
        handle.close();
      }

      Handle<Object> allowed = cache.createStandalone(HI, 3, block(3), Block.TYPE, 1, true);
      long charge = variant.strict() ? 0 : 1;
      assertThat(allowed).isNotNull();
      assertThat(allowed.chargeBytes()).isEqualTo(charge);
      assertThat(cache.monitor().usageBytes()).isEqualTo(10 + charge);
      assertThat(allowed.discard()).isTrue();
      assertThat(cache.monitor().usageBytes()).isEqualTo(10);
    }
  }

  @Test
  void chargeBeyondTheWholeCapacity() {
    BlockCache<Object> cache = track(builder(10, 1).shards(1).build());
    inserted(cache, 1, 1);
    Block block = block(2);
    Handle<Object> handle = cache.createStandalone(HI, 2, block, Block.TYPE, 50, false);
    if (variant.strict()) {
      assertThat(handle).isNull();
      blocks.keep(block);
      assertThat(cache.monitor().usageBytes()).isEqualTo(1);
      handle = cache.createStandalone(HI, 3, block(3), Block.TYPE, 50, true);
      assertThat(handle).isNotNull();
      assertThat(handle.chargeBytes()).isZero();
    } else {
      assertThat(handle).isNotNull();
      assertThat(handle.chargeBytes()).isEqualTo(50);
      assertThat(cache.monitor().usageBytes()).isBetween(50L, 51L);
    }
    handle.close();
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(1);
  }

  @Test
  void allowedUnchargedEntryIsChargedWhereThereIsRoom() {
    BlockCache<Object> cache = roomy(20);
    try (Handle<Object> handle = cache.createStandalone(HI, 1, block(1), Block.TYPE, 5, true)) {
      assertThat(handle).isNotNull();
      assertThat(handle.chargeBytes()).isEqualTo(5);
      assertThat(cache.monitor().usageBytes()).isEqualTo(5);
    }
  }
}
