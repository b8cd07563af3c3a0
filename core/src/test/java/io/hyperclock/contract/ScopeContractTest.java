/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.ReadScope;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads in scopes, and when what they returned is freed. */
abstract class ScopeContractTest extends ScopeContract {
  ScopeContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void readsValuesOfBothKinds() {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 1);
    insert(cache, 2, 1);
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, 1)).isSameAs(block);
      assertThat(scope.get(HI, 2)).isEqualTo(text(2));
      assertThat(scope.get(HI, 3)).isNull();
      assertThat(cache.monitor().pinnedUsageBytes()).isZero();
      assertThat(cache.monitor().scopeStats().openScopes()).isEqualTo(1);
    }
    assertThat(cache.monitor().scopeStats().openScopes()).isZero();
    assertThat(block.timesFreed()).isZero();
  }

  @Test
  void countsHitsAndMisses() {
    BlockCache<Object> cache = track(roomyBuilder(10).recordHits(true).build());
    inserted(cache, 1, 1);
    try (ReadScope<Object> scope = cache.openScope()) {
      scope.get(HI, 1);
      scope.get(HI, 1);
      scope.get(HI, 2);
    }
    assertThat(cache.monitor().stats().hits()).isEqualTo(2);
    assertThat(cache.monitor().stats().misses()).isEqualTo(1);
  }

  @Test
  void erasedValueWaitsForTheScope() {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 3);
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, 1)).isSameAs(block);
      assertThat(cache.erase(HI, 1)).isTrue();
      assertThat(scope.get(HI, 1)).isNull();
      assertWaits(cache, block);
      assertThat(cache.monitor().usageBytes()).isEqualTo(3);
      assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(3);
      assertThat(cache.monitor().stats().standaloneUsageBytes()).isEqualTo(3);
      assertThat(cache.monitor().occupancy()).isZero();
      assertThat(cache.monitor().scopeStats().retiredBytes()).isEqualTo(3);
      assertThat(cache.monitor().scopeStats().stuckFor()).isPositive();
    }
    assertFreed(block);
    assertThat(cache.monitor().usageBytes()).isZero();
    assertThat(cache.monitor().scopeStats().retiredBytes()).isZero();
    assertThat(cache.monitor().scopeStats().stuckFor()).isZero();
  }

  @Test
  void valueThatTheScopeNeverReadWaitsToo() {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 1);
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, 2)).isNull();
      cache.erase(HI, 1);
      assertWaits(cache, block);
    }
    assertFreed(block);
  }

  @Test
  void collectedValuesDoNotWait() {
    BlockCache<Object> cache = roomy(10);
    insert(cache, 1, 1);
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, 1)).isEqualTo(text(1));
      cache.erase(HI, 1);
      assertThat(cache.monitor().usageBytes()).isZero();
      assertThat(cache.monitor().scopeStats().retiredValues()).isZero();
    }
  }

  @Test
  void evictedValuesWaitForTheScope() {
    BlockCache<Object> cache = cache(50L * variant.shards(), 1);
    List<Block> all = new ArrayList<>();
    for (long lo = 0; lo < 50; lo++) {
      all.add(inserted(cache, lo, 1));
    }
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, 49)).isNotNull();
      cache.setCapacityBytes(variant.shards());
      assertThat(all).allSatisfy(block -> assertThat(block.timesFreed()).isZero());
      assertThat(cache.monitor().scopeStats().retiredValues())
          .isEqualTo(50 - cache.monitor().occupancy());
      assertThat(cache.monitor().stats().evictions()).isEqualTo(50 - cache.monitor().occupancy());
      assertThat(cache.monitor().usageBytes()).isEqualTo(50);
    }
    for (Block block : all) {
      assertThat(block.timesFreed()).isEqualTo(has(cache, block.lo) ? 0 : 1);
    }
    assertThat(cache.monitor().usageBytes()).isEqualTo(cache.monitor().occupancy());
  }

  @Test
  void everyWayOutWaits() {
    BlockCache<Object> cache = roomy(10);
    Block unreferenced = inserted(cache, 1, 1);
    Block byRelease = inserted(cache, 2, 1);
    Block byLastHolder = inserted(cache, 3, 1);
    Handle<Object> holder = pin(cache, 3);
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, 3)).isSameAs(byLastHolder);
      assertThat(pin(cache, 2).eraseIfLast()).isTrue();
      assertWaits(cache, byRelease);
      cache.erase(HI, 3);
      assertWaits(cache, byRelease);
      holder.close();
      assertThat(cache.monitor().scopeStats().retiredValues()).isEqualTo(2);
      cache.eraseUnreferenced();
      assertThat(cache.monitor().scopeStats().retiredValues()).isEqualTo(3);
    }
    assertFreed(unreferenced, byRelease, byLastHolder);
  }

  @Test
  void valuesNeverInTheTableAreFreedAtOnce() {
    BlockCache<Object> cache = roomy(10);
    inserted(cache, 1, 1);
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, 1)).isNotNull();
      Block kept = block(1);
      assertThat(cache.insert(HI, 1, kept, Block.TYPE, 1, Priority.LOW))
          .isEqualTo(InsertResult.KEPT_EXISTING);
      assertFreed(kept);
      Block alone = block(2);
      cache.createStandalone(HI, 2, alone, Block.TYPE, 1, true).close();
      assertFreed(alone);
    }
  }

  @Test
  void overwrittenValueWaitsForTheScope() {
    BlockCache<Object> cache = roomy(10);
    Block older = inserted(cache, 1, 1);
    Block newer = block(1);
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, 1)).isSameAs(older);
      assertThat(cache.put(HI, 1, newer, Block.TYPE, 1, Priority.LOW))
          .isEqualTo(InsertResult.REPLACED);
      assertThat(scope.get(HI, 1)).isSameAs(newer);
      assertWaits(cache, older);
    }
    assertFreed(older);
    assertThat(newer.timesFreed()).isZero();
  }

  @Test
  void nestedScopesHoldOnTheirOwn() {
    BlockCache<Object> cache = roomy(10);
    Block first = inserted(cache, 1, 1);
    Block second = inserted(cache, 2, 1);
    ReadScope<Object> outer = cache.openScope();
    ReadScope<Object> inner = cache.openScope();
    assertThat(outer.get(HI, 1)).isSameAs(first);
    cache.erase(HI, 1);
    outer.close();
    assertWaits(cache, first);
    assertThat(inner.get(HI, 2)).isSameAs(second);
    cache.erase(HI, 2);
    assertWaits(cache, first, second);
    inner.close();
    assertFreed(first, second);
  }

  @Test
  void aLaterScopeDoesNotHoldBackWhatItCannotHaveSeen() {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 1);
    ReadScope<Object> scope = cache.openScope();
    cache.erase(HI, 1);
    for (int i = 0; i < 5; i++) {
      ReadScope<Object> next = cache.openScope();
      scope.close();
      scope = next;
    }
    assertFreed(block);
    scope.close();
  }

  @Test
  void manyScopesAtOnce() {
    BlockCache<Object> cache = roomy(200);
    List<ReadScope<Object>> scopes = new ArrayList<>();
    List<Block> all = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      scopes.add(cache.openScope());
      if (i % 50 == 0) {
        Block block = inserted(cache, i, 1);
        all.add(block);
        assertThat(scopes.get(i).get(HI, i)).isSameAs(block);
        cache.erase(HI, i);
      }
    }
    assertThat(cache.monitor().scopeStats().openScopes()).isEqualTo(5000);
    assertWaits(cache, all.toArray(new Block[0]));
    for (int i = 4999; i > 0; i--) {
      scopes.get(i).close();
    }
    assertThat(all.get(0).timesFreed()).isZero();
    scopes.get(0).close();
    assertFreed(all.toArray(new Block[0]));
  }

  @Test
  void closedScopeIsUnusable() {
    BlockCache<Object> cache = roomy(10);
    ReadScope<Object> scope = cache.openScope();
    ReadScope<Object> other = cache.openScope();
    scope.close();
    scope.close();
    assertThat(cache.monitor().scopeStats().openScopes()).isEqualTo(1);
    assertThatThrownBy(() -> scope.get(HI, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed=true");
    other.close();
  }

  @Test
  void disposerMayUseScopesInsertEraseAndClose() {
    BlockCache<Object> cache = roomy(20);
    EntryType<Block> type =
        EntryType.<Block>named("re-entrant")
            .disposer(
                (hi, lo, block) -> {
                  block.free(hi, lo);
                  if (lo == 19) {
                    cache.close();
                    return;
                  }
                  try (ReadScope<Object> scope = cache.openScope()) {
                    assertThat(scope.get(hi, lo + 1)).isNotNull();
                    cache.insert(HI, 100 + lo, text(lo), 1);
                    cache.erase(HI, 100 + lo);
                    cache.erase(HI, lo + 1);
                  }
                })
            .build();
    for (long lo = 0; lo < 20; lo++) {
      cache.insert(HI, lo, block(lo), type, 1, Priority.LOW);
    }
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, 0)).isNotNull();
      cache.erase(HI, 0);
    }
    assertThat(cache.monitor().scopeStats().retiredValues()).isZero();
    assertThatThrownBy(cache::openScope).isInstanceOf(IllegalStateException.class);
    close(cache);
  }

  @Test
  void listenerOfARetiredValueIsCalledWhenTheScopeHasClosed() {
    List<Block> taken = new ArrayList<>();
    List<Object> collected = new ArrayList<>();
    BlockCache<Object> cache =
        track(
            builder(20L * variant.shards(), 1)
                .evictionListener(
                    (hi, lo, value, type, charge, wasHit) -> {
                      if (value instanceof Block block) {
                        assertThat(wasHit).isEqualTo(lo == 3);
                        blocks.keep(block);
                        taken.add(block);
                        return true;
                      }
                      collected.add(value);
                      return false;
                    })
                .build());
    for (long lo = 0; lo < 5; lo++) {
      inserted(cache, lo, 1);
      insert(cache, 100 + lo, 1);
    }
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, 3)).isNotNull();
      cache.setCapacityBytes(1);
      cache.setCapacityBytes(1);
      long left = cache.monitor().occupancy();
      assertThat(taken).isEmpty();
      assertThat(cache.monitor().scopeStats().retiredValues() + collected.size())
          .isEqualTo(10 - left);
    }
    assertThat(taken.size() + collected.size()).isEqualTo((int) (10 - cache.monitor().occupancy()));
    assertThat(cache.monitor().stats().callbackFailures()).isZero();
  }

  @Test
  void closeOfTheCacheLeavesValuesToOpenScopes() {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 1);
    ReadScope<Object> scope = cache.openScope();
    assertThat(scope.get(HI, 1)).isSameAs(block);
    close(cache);
    assertWaits(cache, block);
    assertThatThrownBy(() -> scope.get(HI, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cache");
    assertThatThrownBy(cache::openScope).isInstanceOf(IllegalStateException.class);
    scope.close();
    scope.close();
    assertFreed(block);
  }

  @Test
  void aPeekIsNoUseAndHoldsBackAsAReadDoes() {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 1);
    ReadScope<Object> scope = cache.openScope();
    assertThat(scope.peek(HI, 1)).isSameAs(block);
    assertThat(scope.peek(HI, 2)).isNull();
    cache.erase(HI, 1);
    assertThat(block.timesFreed()).isZero();
    scope.close();
    assertThat(block.timesFreed()).isEqualTo(1);
    assertThatThrownBy(() -> scope.peek(HI, 1)).isInstanceOf(IllegalStateException.class);
  }
}
