/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.versioned.Decision;
import io.hyperclock.versioned.NamespaceStats;
import io.hyperclock.versioned.PrepareGroup;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareOutcome;
import io.hyperclock.versioned.PrepareToken;
import io.hyperclock.versioned.VersionedCache;
import io.hyperclock.versioned.VersionedCacheBuilder;
import io.hyperclock.versioned.Versions;
import io.hyperclock.versioned.WriteResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where the keys of a cache of two versions lie, and under what it counts them. */
@Tag("versioned")
class DefaultVersionedCacheTest {
  private static final long HI = 3;
  private static final int KEYS = 10;

  private final DefaultVersionedCache<String> cache =
      new DefaultVersionedCache<>(StrictConfig.of(() -> 0));

  @AfterEach
  void isWhole() {
    assertThat(VersionedInvariants.violations(cache)).isEmpty();
  }

  @Test
  void aKeyIsInTheBucketsThatTheSeedOfTheSettingsTells() {
    VersionedTable table = cache.shards[0];
    Buckets seeded = new Buckets(table.store().slots() / SlotStore.BUCKET_SLOTS, 7);
    for (int key = 0; key < KEYS; key++) {
      cache.put(HI, key, "c", 10);
      int slot = table.pin(HI, key, seeded.hash(HI, key));
      assertThat(slot).as("slot of key %d", key).isNotNegative();
      table.release(slot, false);
    }
  }

  @Test
  void aSlotThatHadOtherKeysShowsBothVersionsOfItsOwn() {
    for (int key = 0; key < 20 * KEYS; key++) {
      cache.put(HI, key, "gone", 10);
      assertThat(cache.erase(HI, key)).isEqualTo(WriteResult.ERASED);
    }
    for (int key = 0; key < KEYS; key++) {
      cache.put(HI, key, "c", 10);
      assertThat(cache.readVersions(HI, key)).isEqualTo(new Versions<>("c", null));
    }
  }

  @Test
  void aPrepareKeptOutByAnotherIsNotOneWithoutRoom() {
    cache.prepare(HI, 1, "p", 10, PrepareMode.PLAIN).orThrow();
    assertThat(cache.prepare(HI, 1, "q", 10, PrepareMode.PLAIN).outcome())
        .isEqualTo(PrepareOutcome.IN_PROGRESS);
    assertThat(cache.monitor().stats().refusedInProgress()).isEqualTo(1);
    assertThat(cache.monitor().stats().refusedNoRoom()).isZero();
  }

  @Test
  void aGroupThatHasEndedTakesNoPrepareWhateverItsKeyHas() {
    PrepareGroup group = cache.newGroup();
    assertThat(group.abort()).isEqualTo(Decision.OK);
    PrepareToken other = cache.prepare(HI, 1, "p", 10, PrepareMode.PLAIN).orThrow();
    assertThat(cache.prepare(HI, 1, "q", 10, PrepareMode.PLAIN, group).outcome())
        .isEqualTo(PrepareOutcome.GROUP_ENDED);
    assertThat(cache.monitor().stats().refusedInProgress()).isZero();
    assertThat(cache.commit(other)).isEqualTo(Decision.OK);
    assertThat(cache.get(HI, 1)).isEqualTo("p");
  }

  @Test
  void anErasedValueIsNoLongerCountedInItsNamespace() {
    VersionedCacheBuilder<String> builder = VersionedCache.builder();
    VersionedCache<String> divided =
        builder
            .capacityBytes(10_000)
            .estimatedEntryCharge(100)
            .namespaces(2, (hi, lo) -> (int) hi)
            .build();
    divided.put(1, 7, "c", 10);
    assertThat(divided.monitor().namespaceStats(1)).isEqualTo(new NamespaceStats(1, 10, 0, 0));
    assertThat(divided.erase(1, 7)).isEqualTo(WriteResult.ERASED);
    for (int namespace = 0; namespace < 2; namespace++) {
      assertThat(divided.monitor().namespaceStats(namespace))
          .as("namespace %d", namespace)
          .isEqualTo(new NamespaceStats(0, 0, 0, 0));
    }
    assertThat(VersionedInvariants.violations(divided)).isEmpty();
  }
}
