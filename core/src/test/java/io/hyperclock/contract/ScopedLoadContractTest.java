/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.ReadScope;
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
    io.hyperclock.BlockLoader<Object> loader = loaderOf(block, 1);
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

  @SuppressWarnings("unchecked")
  private static io.hyperclock.BlockLoader<Object> loaderOf(Block block, long charge) {
    return io.hyperclock.BlockLoader.of(
        (io.hyperclock.entry.EntryType<Object>) (io.hyperclock.entry.EntryType<?>) Block.TYPE,
        value -> charge,
        (hi, lo) -> block);
  }
}
