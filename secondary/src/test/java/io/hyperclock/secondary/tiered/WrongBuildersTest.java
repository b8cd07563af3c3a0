/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.TieredBlockCacheBuilder;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Builders that are used again, or for what they are not made for. */
class WrongBuildersTest {
  private static final EntryType<byte[]> TYPE =
      EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();
  private static final int CAPACITY = 1 << 20;

  @RegisterExtension final DiskWriters writers = new DiskWriters();
  private final MapSecondaryCache tier = new MapSecondaryCache(CAPACITY);

  private static BlockCacheBuilder<byte[]> settings() {
    return BlockCache.<byte[]>builder().capacityBytes(CAPACITY);
  }

  private static void evictOne(BlockCache<byte[]> cache) {
    cache.insert(1, 2, new byte[] {3}, TYPE, 1000, Priority.LOW);
    cache.setCapacityBytes(1);
    assertThat(cache.contains(1, 2)).isFalse();
  }

  @Test
  void anotherCacheOfTheSameSettingsDoesNotMoveItsValuesIntoTheTiers() {
    BlockCacheBuilder<byte[]> primary = settings();
    try (TieredBlockCache<byte[]> tiered =
            TieredBlockCache.builder(primary)
                .tier(tier)
                .admission(AdmissionPolicy.ALL)
                .executor(Runnable::run)
                .build();
        BlockCache<byte[]> other = primary.build()) {
      evictOne(other);
      assertThat(tier.stats().entries()).isZero();
      assertThat(tiered.get(1, 2, TYPE)).isNull();
    }
  }

  @Test
  void aCacheThatCouldNotBeBuiltLeavesItsListenerNowhere() {
    BlockCacheBuilder<byte[]> primary = BlockCache.builder();
    TieredBlockCacheBuilder<byte[]> builder =
        TieredBlockCache.builder(primary).tier(tier).executor(Runnable::run);
    assertThatIllegalStateException().isThrownBy(builder::build);
    try (BlockCache<byte[]> other = primary.capacityBytes(CAPACITY).build()) {
      evictOne(other);
      assertThat(other.monitor().stats().callbackFailures()).isZero();
      assertThat(tier.stats().entries()).isZero();
    }
  }

  @Test
  void aBuilderBuildsOneCache() {
    TieredBlockCacheBuilder<byte[]> builder = TieredBlockCache.builder(settings()).tier(tier);
    try (TieredBlockCache<byte[]> cache = builder.build()) {
      assertThatIllegalStateException()
          .isThrownBy(builder::build)
          .withMessage("a builder must build one cache, which owns its tiers: built=true");
      assertThat(cache.states()).containsExactly(TierState.OPEN);
    }
  }

  @Test
  void aTierServesNoSecondCache() {
    TieredBlockCacheBuilder<byte[]> second =
        TieredBlockCache.builder(settings()).tier(new MapSecondaryCache(CAPACITY)).tier(tier);
    try (TieredBlockCache<byte[]> cache = TieredBlockCache.builder(settings()).tier(tier).build()) {
      assertThatIllegalStateException()
          .isThrownBy(second::build)
          .withMessage("a tier must serve one cache only: tier=" + tier.name());
      assertThat(cache.states()).containsExactly(TierState.OPEN);
    }
    assertThatIllegalStateException()
        .isThrownBy(second::build)
        .withMessage("a tier must be open: tier=" + tier.name());
  }

  @Test
  void aTierOfACacheThatCouldNotBeBuiltServesAnother() {
    MapSecondaryCache also = new MapSecondaryCache(CAPACITY);
    TieredBlockCache<byte[]> owner = TieredBlockCache.builder(settings()).tier(also).build();
    assertThatIllegalStateException()
        .isThrownBy(TieredBlockCache.builder(settings()).tier(tier).tier(also)::build);
    assertThatIllegalStateException()
        .isThrownBy(TieredBlockCache.builder(BlockCache.<byte[]>builder()).tier(tier)::build);
    try (owner;
        TieredBlockCache<byte[]> cache = TieredBlockCache.builder(settings()).tier(tier).build()) {
      assertThat(cache.states()).containsExactly(TierState.OPEN);
    }
  }

  @Test
  void aTierThatCannotTellItsStateServes() {
    HookedTier broken = new HookedTier(tier);
    broken.beforeState =
        () -> {
          throw new IllegalStateException("broken");
        };
    try (TieredBlockCache<byte[]> cache =
        TieredBlockCache.builder(settings()).tier(broken).build()) {
      assertThat(cache.tiers()).containsExactly(broken);
    }
  }

  private static void sharesNoTotal(SecondaryCache nearest) {
    assertThatIllegalStateException()
        .isThrownBy(
            TieredBlockCache.builder(settings()).tier(nearest).totalCapacityBytes(CAPACITY)::build)
        .withMessage(
            "the nearest tier must live in memory to share a total: tier=" + nearest.name());
    assertThat(nearest.state()).isEqualTo(TierState.OPEN);
    nearest.close();
  }

  /** Its file would be cut to a share of the memory. */
  @Test
  void aTierOnDiskSharesNoTotal(@TempDir Path directory) {
    sharesNoTotal(
        DiskSecondaryCache.builder()
            .directory(directory.resolve("tier"))
            .capacityBytes(1 << 20)
            .regionBytes(64 << 10)
            .build());
  }

  @Test
  void aTierOnAServerSharesNoTotal() {
    ScriptedTier server = new ScriptedTier();
    server.shared = true;
    sharesNoTotal(server);
  }
}
