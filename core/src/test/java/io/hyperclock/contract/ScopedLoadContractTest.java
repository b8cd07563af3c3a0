/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.ReadScope;
import io.hyperclock.entry.EntryType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Loads in a read scope: what they return is valid until its end. */
abstract class ScopedLoadContractTest extends ScopeContract {
  ScopedLoadContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void whatIsLoadedInAScopeIsValidUntilItsEnd() {
    BlockCache<Object> cache = roomy(10);
    Block block = block(1);
    BlockLoader<Object> loader = loaderOf(block, 1);
    ReadScope<Object> scope = cache.openScope();
    assertThat(scope.get(HI, 1, loader)).isSameAs(block);
    assertThat(scope.get(HI, 1, loader)).isSameAs(block);
    assertThat(scope.get(HI, 2, (hi, lo) -> null)).isNull();
    assertThat(cache.contains(HI, 1)).isTrue();
    cache.erase(HI, 1);
    assertThat(block.timesFreed()).isZero();
    scope.close();
    assertThat(block.timesFreed()).isEqualTo(1);
    assertThatThrownBy(() -> scope.get(HI, 3, loader)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whatIsLoadedWithoutRoomIsValidUntilTheEndOfItsScope() {
    BlockCache<Object> cache =
        track(
            variant
                .<Object>builder()
                .capacityBytes(64L * variant.shards())
                .estimatedEntryCharge(1)
                .metadataCharge(io.hyperclock.MetadataCharge.NONE)
                .capacityMode(io.hyperclock.CapacityMode.NON_STRICT)
                .build());
    Block block = block(1);
    ReadScope<Object> scope = cache.openScope();
    assertThat(scope.get(HI, 1, loaderOf(block, 10_000))).isSameAs(block);
    assertThat(cache.contains(HI, 1)).isFalse();
    assertThat(block.timesFreed()).isZero();
    scope.close();
    assertThat(block.timesFreed()).isEqualTo(1);
  }

  /** Whether the value is in the table then or not. */
  @Test
  void aLoaderThatClosesItsScopeEndsTheRead() {
    BlockCache<Object> cache = roomy(10);
    for (boolean erased : new boolean[] {false, true}) {
      Block block = block(1);
      ReadScope<Object> scope = cache.openScope();
      BlockLoader<Object> closing =
          (hi, lo) -> {
            if (erased) {
              cache.erase(hi, lo);
            }
            scope.close();
            return block;
          };
      assertThatThrownBy(() -> scope.get(HI, 1, loaderOf(closing, 1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed=true");
      assertThat(cache.monitor().pinnedUsageBytes()).isZero();
      cache.erase(HI, 1);
      assertThat(block.timesFreed()).isEqualTo(1);
    }
  }

  @Test
  void aDisposerMayCloseTheScopeThatIsBeingClosed() {
    BlockCache<Object> cache = roomy(10);
    ReadScope<Object> scope = cache.openScope();
    List<Long> freed = new ArrayList<>();
    EntryType<Object> type =
        EntryType.named("closer")
            .disposer(
                (hi, lo, value) -> {
                  freed.add(lo);
                  scope.close();
                })
            .build();
    for (long key = 1; key <= 2; key++) {
      BlockLoader<Object> erased =
          (hi, lo) -> {
            cache.erase(hi, lo);
            return text(lo);
          };
      assertThat(scope.get(HI, key, BlockLoader.of(type, value -> 1, erased))).isEqualTo(text(key));
      assertThat(cache.contains(HI, key)).as("the handle alone keeps it").isFalse();
    }
    scope.close();
    assertThat(freed).containsExactlyInAnyOrder(1L, 2L);
    assertThat(cache.monitor().stats().callbackFailures()).isZero();
    assertThat(cache.monitor().stats().doubleCloses()).isZero();
    assertThat(cache.monitor().usageBytes()).isZero();
  }

  private static BlockLoader<Object> loaderOf(Block block, long charge) {
    return loaderOf((hi, lo) -> block, charge);
  }

  @SuppressWarnings("unchecked")
  private static BlockLoader<Object> loaderOf(BlockLoader<Object> loader, long charge) {
    return BlockLoader.of((EntryType<Object>) (EntryType<?>) Block.TYPE, value -> charge, loader);
  }
}
