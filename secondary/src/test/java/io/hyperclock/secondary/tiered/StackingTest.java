/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static io.hyperclock.secondary.tiered.TieredRig.HI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.ReadScope;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TestValues;
import org.junit.jupiter.api.Test;

/** Several tiers, the compressed tier, and the budget that it shares with the primary. */
class StackingTest {
  private static final long MIB = 1 << 20;

  @Test
  void nextTierServesAfterTheNearestGaveUp() {
    SpillingTier near = new SpillingTier(2 * Blocks.CHARGE);
    MapSecondaryCache deep = new MapSecondaryCache(MIB);
    try (TieredRig rig = new TieredRig(near, deep)) {
      for (long key = 1; key <= 5; key++) {
        rig.insert(key);
      }
      rig.evictAll();
      assertThat(near.stats().entries()).isEqualTo(2);
      assertThat(deep.stats().entries()).isEqualTo(3);
      for (long key = 1; key <= 5; key++) {
        try (Handle<Blocks.Block> first = rig.lookup(key)) {
          assertThat(first.isStandalone()).isTrue();
        }
        try (Handle<Blocks.Block> second = rig.lookup(key)) {
          assertThat(second.isStandalone()).isFalse();
        }
      }
      assertThat(near.stats().entries()).isZero();
      assertThat(deep.stats().entries()).isZero();
      assertThat(rig.cache.stats().tiers().get(0).hits()).isEqualTo(4);
      assertThat(rig.cache.stats().tiers().get(1).hits()).isEqualTo(6);
    }
  }

  @Test
  void erasedWhileFallingFromTierToTier() {
    SpillingTier near = new SpillingTier(Blocks.CHARGE);
    MapSecondaryCache deep = new MapSecondaryCache(MIB);
    try (TieredRig rig = new TieredRig(near, deep)) {
      rig.insert(1);
      rig.evictAll();
      rig.tasks.hold();
      Blocks.Block other = rig.blocks.make(2, 0);
      near.insert(HI, 2, other, rig.blocks.data, true);
      rig.blocks.giveUp(other);
      assertThat(rig.cache.stats().pendingOffers()).isEqualTo(1);
      rig.erase(1);
      rig.tasks.release();
      assertThat(deep.stats().accepted()).isZero();
      assertThat(rig.version(1)).isEqualTo(-1);
      assertThat(rig.version(2)).isZero();
    }
  }

  @Test
  void declinedByTheNearestGoesToTheNext() {
    MapSecondaryCache none = new MapSecondaryCache(0);
    MapSecondaryCache deep = new MapSecondaryCache(MIB);
    try (TieredRig rig = new TieredRig(none, deep)) {
      rig.insert(1);
      rig.evictAll();
      assertThat(deep.stats().entries()).isEqualTo(1);
      assertThat(rig.total().accepted()).isEqualTo(1);
    }
  }

  @Test
  void whatADeepTierKeepsIsOfferedToNearerOnes() {
    MapSecondaryCache near = new MapSecondaryCache(0);
    KeepingTier deep = new KeepingTier(MIB);
    try (TieredRig rig = new TieredRig(near, deep)) {
      rig.insert(1);
      rig.evictAll();
      near.setCapacity(MIB);
      assertThat(rig.version(1)).isZero();
      rig.evictAll();
      assertThat(near.stats().accepted()).isEqualTo(1);
      assertThat(deep.stats().accepted()).isEqualTo(1);
    }
  }

  @Test
  void valuesClimbThroughThreeQueues() {
    MapSecondaryCache near = new MapSecondaryCache(MIB);
    MapSecondaryCache deep = new MapSecondaryCache(MIB);
    try (TieredRig rig =
        new TieredRig(builder -> builder.admission(AdmissionPolicy.THREE_QUEUES), near, deep)) {
      rig.insert(1);
      assertThat(deep.stats().entries()).isEqualTo(1);
      assertThat(near.stats().entries()).isZero();
      rig.evictAll();
      assertThat(near.stats().entries()).isZero();
      assertThat(rig.version(1)).isZero();
      assertThat(near.stats().entries()).isEqualTo(1);
      assertThat(rig.version(1)).isZero();
      assertThat(rig.isInPrimary(1)).isTrue();
      rig.put(1, 1);
      assertThat(near.stats().entries()).isZero();
      rig.evictAll();
      assertThat(rig.version(1)).isEqualTo(1);
    }
  }

  /** The dummy of a tier that waits for a second eviction outlives the miss and the fill. */
  @Test
  void secondEvictionIsKept() {
    for (boolean byLoader : new boolean[] {true, false}) {
      CompressedSecondaryCache tier =
          CompressedSecondaryCache.builder().capacityBytes(MIB).estimatedEntryCharge(100).build();
      try (TieredRig rig =
          new TieredRig(builder -> builder.admission(AdmissionPolicy.SECOND_HIT), tier)) {
        rig.insert(1);
        rig.evictAll();
        assertThat(tier.stats().entries()).isZero();
        if (byLoader) {
          TieredRig.check(
              1,
              rig.cache.lookup(HI, 1, rig.blocks.data, null, (hi, lo) -> rig.blocks.make(lo, 0)));
        } else {
          assertThat(rig.version(1)).isEqualTo(-1);
          rig.insert(1);
        }
        rig.evictAll();
        assertThat(tier.stats().entries()).isEqualTo(1);

        assertThat(rig.version(1)).isZero();
        assertThat(rig.version(1)).isZero();
        assertThat(rig.isInPrimary(1)).isTrue();
        assertThat(tier.stats().entries()).isZero();
        rig.evictAll();
        assertThat(tier.stats().entries()).isEqualTo(1);
        assertThat(tier.stats().count(TierOutcome.HIT)).isEqualTo(2);
        assertThat(rig.total().firstTouches()).isEqualTo(1);
        assertThat(rig.total().promotions()).isEqualTo(1);
      }
    }
  }

  @Test
  void compressedTierPassesOnWhatItDrops() {
    CompressedSecondaryCache near =
        CompressedSecondaryCache.builder().capacityBytes(8_000).estimatedEntryCharge(100).build();
    MapSecondaryCache deep = new MapSecondaryCache(MIB);
    try (TieredRig rig = new TieredRig(near, deep)) {
      for (long key = 0; key < 200; key++) {
        rig.insert(key);
      }
      rig.evictAll();
      assertThat(near.stats().dropped()).isPositive();
      assertThat(deep.stats().entries()).isEqualTo(near.stats().dropped());
      int found = 0;
      for (long key = 0; key < 200; key++) {
        found += rig.version(key) == 0 ? 1 : 0;
      }
      assertThat(found).isEqualTo(200);
    }
  }

  @Test
  void budgetIsSplitAndFollowsReservations() {
    MapSecondaryCache tier = new MapSecondaryCache(0);
    try (TieredRig rig =
        new TieredRig(builder -> builder.totalCapacityBytes(100 * MIB, 0.3), tier)) {
      assertThat(rig.cache.primary().monitor().capacityBytes()).isEqualTo(70 * MIB);
      assertThat(tier.stats().capacityBytes()).isEqualTo(30 * MIB);
      rig.cache.reserve(10 * MIB);
      assertThat(rig.cache.primary().monitor().capacityBytes()).isEqualTo(63 * MIB);
      assertThat(tier.stats().capacityBytes()).isEqualTo(27 * MIB);
      rig.cache.release(10 * MIB);
      rig.cache.setTotalCapacityBytes(130 * MIB);
      assertThat(tier.stats().capacityBytes()).isEqualTo(39 * MIB);
      rig.cache.setSecondaryRatio(0.4);
      assertThat(tier.stats().capacityBytes()).isEqualTo(52 * MIB);
      assertThatIllegalStateException().isThrownBy(() -> rig.cache.setCapacityBytes(1));
    }
    try (TieredRig rig = new TieredRig(new MapSecondaryCache(0))) {
      assertThatIllegalStateException().isThrownBy(() -> rig.cache.reserve(1));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TieredBlockCache.builder(BlockCache.builder()).totalCapacityBytes(1, 2));
  }

  /** A scope keeps an evicted value; the key is erased before the eviction is reported. */
  @Test
  void erasedWhileAScopeHoldsTheEvictedValueBack() {
    MapSecondaryCache tier = new MapSecondaryCache(MIB);
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      try (ReadScope<?> scope = rig.cache.primary().openScope()) {
        rig.evictAll();
        assertThat(rig.cache.primary().monitor().scopeStats().retiredValues()).isEqualTo(1);
        rig.erase(1);
        rig.insert(2);
      }
      assertThat(rig.cache.primary().monitor().scopeStats().retiredValues()).isZero();
      assertThat(rig.version(1)).isEqualTo(-1);
      assertThat(rig.total().superseded()).isEqualTo(1);
    }
  }

  @Test
  void valuesOfTheCollectorAreReadWithoutHandles() {
    MapSecondaryCache tier = new MapSecondaryCache(MIB);
    try (TieredBlockCache<byte[]> cache =
        TieredBlockCache.builder(
                BlockCache.<byte[]>builder().capacityBytes(MIB).estimatedEntryCharge(1000))
            .tier(tier)
            .admission(AdmissionPolicy.ALL)
            .executor(Runnable::run)
            .build()) {
      byte[] value = TestValues.value(1, 0, 1000);
      cache.insert(HI, 1, value, TestValues.SHIFTED, 1000, Priority.LOW);
      assertThat(cache.get(HI, 1, TestValues.SHIFTED)).isSameAs(value);
      cache.setCapacityBytes(1);
      cache.setCapacityBytes(MIB);
      byte[] shifted = cache.get(HI, 1, TestValues.SHIFTED, (byte) 3);
      assertThat(shifted).isNotNull();
      assertThat(shifted[0]).isEqualTo((byte) (value[0] + 3));
      assertThat(cache.get(HI, 1, TestValues.SHIFTED)).isEqualTo(value);
      assertThat(cache.get(HI, 1, TestValues.SHIFTED)).isEqualTo(value);
      assertThat(cache.get(HI, 2, TestValues.SHIFTED)).isNull();
      assertThat(cache.primary().monitor().pinnedUsageBytes()).isZero();
    }
  }
}
