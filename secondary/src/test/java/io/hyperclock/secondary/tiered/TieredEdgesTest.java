/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static io.hyperclock.secondary.tiered.TieredRig.HI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.testing.Faults;
import io.hyperclock.secondary.testing.FaultySecondaryCache;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.NoOpSecondaryCache;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TieredEdgesTest {
  private final MapSecondaryCache tier = new MapSecondaryCache(1 << 20);

  @Test
  void keptBelowMovesUpAtOnceAndNotDownAgain() {
    KeepingTier keeping = new KeepingTier(1 << 20);
    try (TieredRig rig = new TieredRig(keeping)) {
      rig.insert(1);
      rig.evictAll();
      try (Handle<Blocks.Block> first = rig.lookup(1)) {
        assertThat(first.isStandalone()).isFalse();
        assertThat(first.type()).isSameAs(rig.blocks.data);
      }
      try (Handle<Blocks.Block> second = rig.lookup(1)) {
        assertThat(second.type()).isSameAs(rig.blocks.data);
      }
      assertThat(rig.cache.primary().monitor().stats().role(EntryRole.DATA_BLOCK).entries())
          .isEqualTo(1);
      rig.evictAll();
      assertThat(rig.total().keptBelow()).isEqualTo(1);
      assertThat(keeping.stats().accepted()).isEqualTo(1);
      assertThat(rig.version(1)).isZero();
      rig.put(1, 1);
      rig.evictAll();
      assertThat(keeping.stats().accepted()).isEqualTo(2);
      assertThat(rig.version(1)).isEqualTo(1);
    }
  }

  @Test
  void tierWithoutCapacityIsPassedByUntilItHasSome() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.evictAll();
      tier.setCapacity(0);
      assertThat(rig.version(1)).isEqualTo(-1);
      assertThat(rig.cache.states().get(0).mode()).isEqualTo(TierState.Mode.BYPASS);
      rig.insert(1);
      rig.evictAll();
      assertThat(rig.total().declined()).isEqualTo(1);
      assertThat(rig.version(1)).isEqualTo(-1);
      tier.setCapacity(1 << 20);
      rig.insert(1, 2, rig.blocks.data);
      rig.evictAll();
      assertThat(rig.version(1)).isEqualTo(2);
    }
  }

  @Test
  void strictPrimaryWithoutRoomGivesStandaloneEntries() {
    try (TieredRig rig = new TieredRig(CapacityMode.STRICT, builder -> {}, tier)) {
      rig.insert(1);
      rig.evictAll();
      rig.version(1);
      List<Handle<Blocks.Block>> pins = new ArrayList<>();
      for (long key = 100; key < 100 + TieredRig.CAPACITY / Blocks.CHARGE; key++) {
        pins.add(
            rig.cache.insertPinned(
                HI, key, rig.blocks.make(key, 0), rig.blocks.data, Blocks.CHARGE, Priority.LOW));
      }
      try (Handle<Blocks.Block> second = rig.lookup(1)) {
        assertThat(second).isNotNull();
        assertThat(second.isStandalone()).isTrue();
        assertThat(second.value().key).isEqualTo(1);
        assertThat(second.chargeBytes()).isZero();
      }
      Blocks.Block refused = rig.blocks.make(2, 0);
      assertThat(rig.cache.insert(HI, 2, refused, rig.blocks.data, Blocks.CHARGE, Priority.LOW))
          .isEqualTo(InsertResult.REFUSED);
      rig.blocks.giveUp(refused);
      pins.forEach(Handle::close);
    }
  }

  /**
   * A value that its tier keeps moves up under a type of its own, of which there may be no more.
   */
  @Test
  void primaryWithoutRoomForMoreTypesGivesStandaloneEntries() {
    try (TieredRig rig = new TieredRig(new KeepingTier(1 << 20))) {
      rig.insert(1);
      rig.evictAll();
      assertThatThrownBy(() -> useUpTypes(rig))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("32768 entry types");
      for (int i = 0; i < 2; i++) {
        try (Handle<Blocks.Block> handle = rig.lookup(1)) {
          assertThat(handle).isNotNull();
          assertThat(handle.isStandalone()).isTrue();
          assertThat(handle.type()).isSameAs(rig.blocks.data);
        }
      }
    }
  }

  private static void useUpTypes(TieredRig rig) {
    Blocks.Block block = rig.blocks.make(2, 0);
    try {
      for (int i = 0; i <= 1 << 15; i++) {
        EntryType<Blocks.Block> type = EntryType.of("type " + i);
        rig.cache.put(HI, 2, block, type, 0, Priority.LOW);
      }
    } finally {
      rig.blocks.giveUp(block);
    }
  }

  @Test
  void heldHandlesOutliveEvictionAndErase() {
    try (TieredRig rig = new TieredRig(tier)) {
      rig.insert(1);
      rig.evictAll();
      Handle<Blocks.Block> standalone = rig.lookup(1);
      Handle<Blocks.Block> real = rig.lookup(1);
      rig.erase(1);
      rig.evictAll();
      assertThat(standalone.value().isFreed()).isFalse();
      assertThat(real.value().isFreed()).isFalse();
      standalone.close();
      real.close();
      assertThat(rig.version(1)).isEqualTo(-1);
      assertThat(rig.blocks.live()).isZero();
    }
  }

  @Test
  void policiesSayWhatIsForced() {
    for (AdmissionPolicy policy : AdmissionPolicy.values()) {
      ForceRecorder recorder = new ForceRecorder();
      try (TieredRig rig = new TieredRig(builder -> builder.admission(policy), recorder)) {
        rig.insert(1);
        rig.insert(2);
        rig.version(2);
        rig.evictAll();
        switch (policy) {
          case SECOND_HIT -> assertThat(recorder.offers).containsExactly("1 false", "2 false");
          case HITS_ONLY -> assertThat(recorder.offers).containsExactly("1 false", "2 true");
          case ALL -> assertThat(recorder.offers).containsExactly("1 true", "2 true");
          case THREE_QUEUES -> assertThat(recorder.offers).containsExactly("1 false", "2 false");
        }
        assertThat(rig.total().offered()).isEqualTo(2);
      }
    }
  }

  @Test
  void worksWithoutTiersAndWithOneThatKeepsNothing() {
    try (TieredRig rig = new TieredRig()) {
      rig.insert(1);
      assertThat(rig.version(1)).isZero();
      rig.evictAll();
      assertThat(rig.version(1)).isEqualTo(-1);
      assertThat(rig.cache.startLookups(new long[] {HI, 1}, rig.blocks.data, null).get(0).await())
          .isNull();
    }
    try (TieredRig rig = new TieredRig(new NoOpSecondaryCache())) {
      rig.insert(1);
      rig.evictAll();
      assertThat(rig.version(1)).isEqualTo(-1);
      assertThat(rig.total().declined()).isEqualTo(1);
    }
  }

  @Test
  void failingTierIsAMiss() {
    FaultySecondaryCache faulty = new FaultySecondaryCache(tier, 1);
    try (TieredRig rig = new TieredRig(faulty)) {
      rig.insert(1);
      rig.evictAll();
      faulty.setFaults(Faults.NONE.withFail(1));
      assertThat(rig.version(1)).isEqualTo(-1);
      faulty.setFaults(Faults.NONE);
      assertThat(rig.version(1)).isZero();
      faulty.setFaults(Faults.NONE.withCorrupt(1));
      assertThat(rig.version(1)).isEqualTo(-1);
    }
  }

  @Test
  void blocksOfDroppedFilesDoNotMoveDown() {
    try (TieredRig rig = new TieredRig(tier)) {
      FileKey file = rig.cache.fileKeys().open("file");
      rig.cache.insert(
          file.hi(),
          file.lo(1),
          rig.blocks.make(1, 0),
          rig.blocks.data,
          Blocks.CHARGE,
          Priority.LOW);
      rig.cache.fileKeys().drop(file);
      rig.evictAll();
      assertThat(tier.stats().accepted()).isZero();
    }
  }
}
