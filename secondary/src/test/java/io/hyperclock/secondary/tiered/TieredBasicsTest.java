/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static io.hyperclock.secondary.tiered.TieredRig.HI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TieredRoleStats;
import io.hyperclock.secondary.TieredStats;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TieredBasicsTest {
  private final MapSecondaryCache tier = new MapSecondaryCache(1 << 20);

  @Test
  void evictionMovesDownAndTwoLookupsMoveUp() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.evictAll();
      assertThat(rig.isInPrimary(1)).isFalse();
      assertThat(tier.stats().entries()).isEqualTo(1);

      try (Handle<Blocks.Block> first = rig.lookup(1)) {
        assertThat(first).isNotNull();
        assertThat(first.isStandalone()).isTrue();
        assertThat(first.value().key).isEqualTo(1);
        assertThat(first.type()).isSameAs(rig.blocks.data);
        assertThat(first.chargeBytes()).isEqualTo(Blocks.CHARGE);
      }
      assertThat(rig.isInPrimary(1)).isFalse();
      assertThat(rig.cache.primary().monitor().occupancy()).isEqualTo(1);
      assertThat(rig.cache.primary().monitor().usageBytes()).isZero();
      assertThat(tier.stats().entries()).isEqualTo(1);

      try (Handle<Blocks.Block> second = rig.lookup(1)) {
        assertThat(second).isNotNull();
        assertThat(second.isStandalone()).isFalse();
      }
      assertThat(rig.isInPrimary(1)).isTrue();
      assertThat(rig.cache.primary().monitor().occupancy()).isEqualTo(1);
      assertThat(tier.stats().entries()).isZero();

      long reads = tier.stats().count(TierOutcome.HIT);
      assertThat(rig.version(1)).isZero();
      assertThat(tier.stats().count(TierOutcome.HIT)).isEqualTo(reads);

      rig.evictAll();
      assertThat(tier.stats().entries()).isEqualTo(1);
    }
  }

  /** The second look, after the tiers, counts only what it finds. */
  @Test
  void aMissOfAValueThatIsFreedExplicitlyCountsOnceInThePrimary() {
    try (TieredRig rig = new TieredRig(tier)) {
      assertThat(rig.version(1)).isEqualTo(-1);
      assertThat(rig.version(2)).isEqualTo(-1);
      assertThat(rig.cache.stats().primary().misses()).isEqualTo(2);
    }
  }

  @Test
  void figuresFollowTheRolesAndAddUp() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1, 0, rig.blocks.data);
      rig.insert(2, 0, rig.blocks.index);
      rig.insert(3, 0, rig.blocks.filter);
      rig.evictAll();
      TieredRig.check(1, rig.cache.lookup(HI, 1, rig.blocks.data));
      TieredRig.check(2, rig.cache.lookup(HI, 2, rig.blocks.index));
      TieredRig.check(2, rig.cache.lookup(HI, 2, rig.blocks.index));
      TieredRig.check(3, rig.cache.lookup(HI, 3, rig.blocks.filter));
      TieredRig.check(4, rig.cache.lookup(HI, 4, rig.blocks.filter));
      TieredStats stats = rig.cache.stats();
      assertThat(stats.role(EntryRole.DATA_BLOCK).hits()).isEqualTo(1);
      assertThat(stats.role(EntryRole.DATA_BLOCK).firstTouches()).isEqualTo(1);
      assertThat(stats.role(EntryRole.INDEX_BLOCK).hits()).isEqualTo(2);
      assertThat(stats.role(EntryRole.INDEX_BLOCK).firstTouches()).isEqualTo(1);
      assertThat(stats.role(EntryRole.INDEX_BLOCK).promotions()).isEqualTo(1);
      assertThat(stats.role(EntryRole.FILTER_BLOCK).hits()).isEqualTo(1);
      assertThat(stats.role(EntryRole.FILTER_BLOCK).misses()).isEqualTo(1);
      assertThat(stats.role(EntryRole.MISC)).isEqualTo(TieredRoleStats.NONE);
      assertThat(stats.total().offered()).isEqualTo(3);
      assertThat(stats.total().accepted()).isEqualTo(tier.stats().accepted());
      assertThat(stats.total().hits()).isEqualTo(stats.tiers().get(0).hits());
      assertThat(stats.tiers().get(0).hits()).isEqualTo(tier.stats().count(TierOutcome.HIT));
      assertThat(stats.total().lookups())
          .isEqualTo(tier.stats().count(TierOutcome.HIT) + tier.stats().misses());
      assertThat(stats.primary().misses()).isGreaterThanOrEqualTo(stats.total().lookups());
      assertThat(stats.tiers().get(0).name()).isEqualTo("map");
      assertThat(rig.cache.states()).containsExactly(TierState.OPEN);
    }
  }

  @Test
  void entryRolesOfTheTierAddUpToo() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1, 0, rig.blocks.data);
      rig.insert(2, 0, rig.blocks.index);
      rig.evictAll();
      TieredRig.check(2, rig.cache.lookup(HI, 2, rig.blocks.index));
      TieredStats stats = rig.cache.stats();
      for (EntryRole role : EntryRole.values()) {
        assertThat(stats.role(role).accepted()).isEqualTo(tier.stats().role(role).accepted());
        assertThat(stats.role(role).hits()).isEqualTo(tier.stats().role(role).hits());
      }
    }
  }

  @Test
  void typeWithoutCodecNeverLeavesThePrimary() {
    io.hyperclock.entry.EntryType<Blocks.Block> local =
        io.hyperclock.entry.EntryType.<Blocks.Block>named("local").build();
    try (TieredRig rig = new TieredRig(tier)) {
      Blocks.Block block = rig.blocks.make(1, 0);
      rig.cache.insert(HI, 1, block, local, Blocks.CHARGE, Priority.LOW);
      rig.evictAll();
      assertThat(tier.stats().accepted()).isZero();
      assertThat(rig.cache.lookup(HI, 1, local)).isNull();
      assertThat(rig.cache.startLookup(HI, 1, local).await()).isNull();
      assertThat(tier.stats().misses()).isZero();
      rig.blocks.giveUp(block);
    }
  }

  @Test
  void wrongArgumentsAreRefused() {
    try (TieredRig rig = new TieredRig(tier)) {
      assertThatNullPointerException().isThrownBy(() -> rig.cache.lookup(HI, 1, null));
      assertThatNullPointerException().isThrownBy(() -> rig.cache.startLookup(HI, 1, null));
      assertThatThrownBy(() -> rig.cache.startLookups(new long[3], rig.blocks.data, null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("keys.length=3");
      assertThatThrownBy(() -> rig.cache.get(HI, 1, rig.blocks.data))
          .isInstanceOf(PinRequiredException.class);
    }
  }

  @Test
  void nullsOfManyLookupsAreRefusedByName() {
    try (TieredRig rig = new TieredRig(tier)) {
      Duration none = Duration.ZERO;
      AsyncLookup<Blocks.Block> lookup = rig.cache.startLookup(HI, 1, rig.blocks.data);
      refusesNull("keys", () -> rig.cache.startLookups(null, rig.blocks.data, null));
      refusesNull("type", () -> rig.cache.startLookups(new long[2], null, null));
      refusesNull("lookups", () -> rig.cache.waitAll(null));
      refusesNull("lookups", () -> rig.cache.waitAll(null, none));
      refusesNull("timeout", () -> rig.cache.waitAll(List.of(lookup), null));
      refusesNull("timeout", () -> lookup.await(null));
      assertThat(lookup.await()).isNull();
    }
  }

  private static void refusesNull(String name, ThrowingCallable call) {
    assertThatNullPointerException().isThrownBy(call).withMessage(name + " must not be null");
  }

  @Test
  void afterTheCloseLookupsAreRefusedHoweverManyTheyAre() {
    TieredRig rig = new TieredRig(tier);
    rig.cache.close();
    for (long[] keys : new long[][] {{}, {HI, 1}, {HI, 1, HI, 2}}) {
      assertThatThrownBy(() -> rig.cache.startLookups(keys, rig.blocks.data, null))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("cache must not be closed: closed=true");
    }
  }

  @Test
  void oneTouchByLookupIsNoneIfItWasOfNoUse() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.evictAll();
      Handle<Blocks.Block> first = rig.lookup(1);
      Handle<Blocks.Block> again = first.ref();
      first.discard();
      assertThat(rig.cache.primary().monitor().occupancy()).isEqualTo(1);
      again.discard();
      assertThat(rig.cache.primary().monitor().occupancy()).isZero();
      try (Handle<Blocks.Block> second = rig.lookup(1)) {
        assertThat(second.isStandalone()).isTrue();
      }
      try (Handle<Blocks.Block> third = rig.lookup(1)) {
        assertThat(third.isStandalone()).isFalse();
      }
    }
  }

  @Test
  void hitBitReachesTheListenerAndTheTier() {
    List<Boolean> hits = new ArrayList<>();
    try (TieredRig rig =
        new TieredRig(
            builder ->
                builder.evictionListener(
                    (hi, lo, value, type, charge, wasHit) -> {
                      hits.add(wasHit);
                      return false;
                    }),
            tier)) {
      rig.insert(1);
      rig.evictAll();
      rig.version(1);
      rig.version(1);
      rig.evictAll();
      rig.version(1);
      rig.version(1);
      rig.version(1);
      rig.evictAll();
      assertThat(hits).containsExactly(false, false, true);
    }
  }

  @Test
  void listenerMayTakeTheValueOver() {
    List<Blocks.Block> taken = new ArrayList<>();
    try (TieredRig rig =
        new TieredRig(
            builder ->
                builder.evictionListener(
                    (hi, lo, value, type, charge, wasHit) -> {
                      taken.add((Blocks.Block) value);
                      return true;
                    }),
            tier)) {
      rig.insert(1);
      rig.evictAll();
      assertThat(tier.stats().accepted()).isZero();
      assertThat(taken).hasSize(1);
      rig.blocks.giveUp(taken.get(0));
    }
  }

  @Test
  void marksAreSeenByNobody() {
    List<String> seen = new ArrayList<>();
    try (TieredRig rig =
        new TieredRig(
            builder ->
                builder.evictionListener(
                    (hi, lo, value, type, charge, wasHit) -> {
                      seen.add(type.name());
                      return false;
                    }),
            tier)) {
      rig.insert(1);
      rig.evictAll();
      rig.version(1);
      List<Long> visited = new ArrayList<>();
      rig.cache.forEachEntry((hi, lo, value, type, charge) -> visited.add(lo));
      assertThat(visited).isEmpty();
      assertThat(rig.cache.primary().monitor().occupancy()).isEqualTo(1);
      rig.evictAll();
      assertThat(seen).containsExactly("data");
      assertThat(tier.stats().accepted()).isEqualTo(1);
    }
  }

  @Test
  void erasedAndOverwrittenKeysAreGoneBelow() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.insert(2);
      rig.insert(3);
      rig.evictAll();
      assertThat(rig.erase(1)).isFalse();
      assertThat(rig.version(1)).isEqualTo(-1);
      assertThat(rig.put(2, 5)).isEqualTo(InsertResult.INSERTED);
      assertThat(rig.insert(3, 6, rig.blocks.data)).isEqualTo(InsertResult.INSERTED);
      assertThat(tier.stats().entries()).isZero();
      assertThat(rig.version(2)).isEqualTo(5);
      assertThat(rig.version(3)).isEqualTo(6);
      assertThat(rig.insert(3, 7, rig.blocks.data)).isEqualTo(InsertResult.KEPT_EXISTING);
      rig.evictAll();
      assertThat(rig.version(2)).isEqualTo(5);
      assertThat(rig.version(3)).isEqualTo(6);
    }
  }

  @Test
  void onlyWhatWasSeenIsReplaced() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.evictAll();
      Blocks.Block newer = rig.blocks.make(1, 1);
      try (Handle<Blocks.Block> standalone = rig.lookup(1)) {
        assertThat(
                rig.cache.compareAndReplace(
                    HI, 1, standalone.value(), newer, rig.blocks.data, Blocks.CHARGE))
            .isEqualTo(InsertResult.NOT_PRESENT);
      }
      try (Handle<Blocks.Block> present = rig.lookup(1)) {
        assertThat(
                rig.cache.compareAndReplace(
                    HI, 1, present.value(), newer, rig.blocks.data, Blocks.CHARGE))
            .isEqualTo(InsertResult.REPLACED);
      }
      assertThat(rig.version(1)).isEqualTo(1);
    }
  }

  @Test
  void onlyWhatWasSeenIsErased() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.evictAll();
      try (Handle<Blocks.Block> standalone = rig.lookup(1)) {
        assertThat(rig.cache.erase(HI, 1, standalone.value())).as("below only").isFalse();
      }
      assertThat(rig.version(1)).as("still below").isZero();
      try (Handle<Blocks.Block> present = rig.lookup(1)) {
        assertThat(present.isStandalone()).isFalse();
        Blocks.Block seen = present.value();
        Blocks.Block newer = rig.blocks.make(1, 1);
        assertThat(rig.cache.put(HI, 1, newer, rig.blocks.data, Blocks.CHARGE, Priority.LOW))
            .isEqualTo(InsertResult.REPLACED);
        assertThat(rig.cache.erase(HI, 1, seen)).as("overwritten").isFalse();
        assertThat(rig.version(1)).isEqualTo(1);
        assertThat(rig.cache.erase(HI, 1, newer)).isTrue();
      }
      assertThat(rig.isInPrimary(1)).isFalse();
      assertThat(tier.stats().entries()).isZero();
    }
  }
}
