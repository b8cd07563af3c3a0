/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.HashSeed;
import io.hyperclock.InsertResult;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.internal.versioned.VersionedInvariants;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Of values without prepares the same ones stay as in a plain cache. */
@Tag("versioned")
class VersionedReplacementTest {
  private static final int ENTRIES = 400;
  private static final int CHARGE = 10;
  private static final int STEPS = 40_000;
  private static final long SEED = 7;

  /** Fewer than may be prepared. */
  private static final int GROUPED = 20;

  private final SplittableRandom random = new SplittableRandom(SEED);

  private static VersionedCache<Long> versioned(ReplacementPolicy policy, CapacityMode mode) {
    VersionedCacheBuilder<Long> builder = VersionedCache.builder();
    return builder
        .capacityBytes(ENTRIES * CHARGE)
        .estimatedEntryCharge(CHARGE)
        .shards(1)
        .metadataCharge(MetadataCharge.NONE)
        .replacementPolicy(policy)
        .capacityMode(mode)
        .hashSeed(HashSeed.fixed(SEED))
        .nanoClock(() -> 0)
        .build();
  }

  private static BlockCache<Long> plain(ReplacementPolicy policy, CapacityMode mode) {
    return BlockCache.<Long>builder()
        .capacityBytes(ENTRIES * CHARGE)
        .estimatedEntryCharge(CHARGE)
        .shards(1)
        .metadataCharge(MetadataCharge.NONE)
        .replacementPolicy(policy)
        .capacityMode(mode)
        .hashSeed(HashSeed.fixed(SEED))
        .build();
  }

  /** Few keys often, many seldom, and some in a row. */
  private long key(int step) {
    if (step % 4000 < 600) {
      return 1_000_000 + step;
    }
    double skewed = Math.pow(random.nextDouble(), 4);
    return (long) (skewed * 5 * ENTRIES);
  }

  @ParameterizedTest
  @EnumSource(CapacityMode.class)
  void theClassicClockKeepsTheSame(CapacityMode mode) {
    VersionedCache<Long> versioned = versioned(ReplacementPolicy.CLASSIC, mode);
    try (BlockCache<Long> plain = plain(ReplacementPolicy.CLASSIC, mode)) {
      for (int step = 0; step < STEPS; step++) {
        long key = key(step);
        Long found = plain.get(0, key);
        assertThat(versioned.get(0, key)).as("step %d", step).isEqualTo(found);
        if (found == null) {
          assertThat(plain.insert(0, key, key, CHARGE)).isEqualTo(InsertResult.INSERTED);
          assertThat(versioned.insert(0, key, key, CHARGE)).isEqualTo(WriteResult.INSERTED);
        }
      }
      assertThat(versioned.monitor().stats().occupancy()).isEqualTo(plain.monitor().occupancy());
      assertThat(versioned.monitor().stats().usageBytes()).isEqualTo(plain.monitor().usageBytes());
      assertThat(versioned.monitor().stats().evictions())
          .isEqualTo(plain.monitor().stats().evictions());
    }
    assertThat(VersionedInvariants.violations(versioned)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(CapacityMode.class)
  void theAdaptiveClockFindsAsMuch(CapacityMode mode) {
    VersionedCache<Long> versioned = versioned(ReplacementPolicy.ADAPTIVE, mode);
    int hits = 0;
    int plainHits = 0;
    try (BlockCache<Long> plain = plain(ReplacementPolicy.ADAPTIVE, mode)) {
      for (int step = 0; step < STEPS; step++) {
        long key = key(step);
        if (plain.get(0, key) == null) {
          plain.insert(0, key, key, CHARGE);
        } else {
          plainHits++;
        }
        if (versioned.get(0, key) == null) {
          versioned.insert(0, key, key, CHARGE);
        } else {
          hits++;
        }
      }
    }
    assertThat(plainHits).isGreaterThan(STEPS / 4);
    assertThat(hits).isBetween(plainHits - STEPS / 100, plainHits + STEPS / 100);
    assertThat(VersionedInvariants.violations(versioned)).isEmpty();
  }

  /** Such reads look at the prepared version first. */
  @Test
  void readsOfKeysOfAGroupCountAsUses() {
    VersionedCache<Long> cache = versioned(ReplacementPolicy.CLASSIC, CapacityMode.NON_STRICT);
    // The hand goes round until all countdowns have ended.
    for (long key = 0; key <= ENTRIES; key++) {
      cache.put(0, key, key, CHARGE);
    }
    PrepareGroup group = cache.newGroup();
    List<Long> read = new ArrayList<>();
    List<Long> unread = new ArrayList<>();
    for (long key = 0; read.size() + unread.size() < GROUPED; key++) {
      if (cache.readForWrite(0, key) != null) {
        cache.prepare(0, key, -key, 0, PrepareMode.PLAIN, group).orThrow();
        (key % 2 == 0 ? read : unread).add(key);
      }
    }
    for (int i = 0; i < 3; i++) {
      read.forEach(key -> assertThat(cache.get(0, key)).isEqualTo(key));
    }
    assertThat(group.abort()).isEqualTo(Decision.OK);
    for (long key = 2 * ENTRIES; present(cache, unread) > unread.size() / 5; key++) {
      cache.put(0, key, key, CHARGE);
    }
    assertThat(present(cache, read)).isGreaterThan(read.size() * 4 / 5);
  }

  private static long present(VersionedCache<Long> cache, List<Long> keys) {
    return keys.stream().filter(key -> cache.readForWrite(0, key) != null).count();
  }

  /** With values that take no room the slots are the limit. */
  @ParameterizedTest
  @EnumSource(CapacityMode.class)
  void slotsAreKeptFreeAsInAPlainCache(CapacityMode mode) {
    VersionedCache<Long> versioned = versioned(ReplacementPolicy.CLASSIC, mode);
    try (BlockCache<Long> plain = plain(ReplacementPolicy.CLASSIC, mode)) {
      for (long key = 0; key < 5 * ENTRIES; key++) {
        plain.insert(0, key, key, 0);
        versioned.insert(0, key, key, 0);
        assertThat(versioned.monitor().stats().occupancy()).isEqualTo(plain.monitor().occupancy());
      }
      assertThat(versioned.monitor().stats().evictions()).isPositive();
      assertThat(versioned.monitor().stats().evictions())
          .isEqualTo(plain.monitor().stats().evictions());
    }
    assertThat(VersionedInvariants.violations(versioned)).isEmpty();
  }
}
