/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import static io.hyperclock.versioned.PrepareMode.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.CapacityMode;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.internal.versioned.VersionedInvariants;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two versions in a cache of several shards, which nobody sees from outside. */
@Tag("versioned")
class VersionedShardsTest {
  private static final int SHARDS = 4;
  private static final int CHARGE = 10;
  private static final int CAPACITY = SHARDS * 100 * CHARGE;
  private static final long HI = 3;

  /** Half of what fits, so that no shard is full. */
  private static final int KEYS = 200;

  private long now;

  private final VersionedCache<String> cache = cache(MetadataCharge.NONE, SHARDS);

  private VersionedCache<String> cache(MetadataCharge metadataCharge, int shards) {
    VersionedCacheBuilder<String> builder = VersionedCache.builder();
    return builder
        .capacityBytes(CAPACITY)
        .estimatedEntryCharge(CHARGE)
        .shards(shards)
        .metadataCharge(metadataCharge)
        .capacityMode(CapacityMode.STRICT)
        .hashSeed(HashSeed.fixed(7))
        .maxPreparedShare(1)
        .lease(Duration.ofNanos(1000))
        .nanoClock(() -> now)
        .build();
  }

  private void putAll() {
    for (int key = 0; key < KEYS; key++) {
      assertThat(cache.put(HI, key, "c" + key, CHARGE)).isEqualTo(WriteResult.INSERTED);
    }
  }

  private List<PrepareToken> prepareAll() {
    List<PrepareToken> tokens = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      tokens.add(cache.prepare(HI, key, "p" + key, 1, PLAIN).orThrow());
    }
    return tokens;
  }

  @AfterEach
  void whole() {
    assertThat(VersionedInvariants.violations(cache)).isEmpty();
  }

  @Test
  void everyKeyIsFoundWhereverItIs() {
    putAll();
    assertThat(cache.monitor().stats().items()).isEqualTo(KEYS);
    assertThat(cache.monitor().stats().evictions()).isZero();
    assertThat(cache.monitor().stats().usageBytes()).isEqualTo(KEYS * CHARGE);
    List<PrepareToken> tokens = prepareAll();
    for (int key = 0; key < KEYS; key++) {
      assertThat(cache.get(HI, key)).isEqualTo("c" + key);
      assertThat(cache.readForWrite(HI, key)).isEqualTo("p" + key);
      assertThat(cache.readVersions(HI, key).committed()).isEqualTo("c" + key);
    }
    assertThat(cache.monitor().stats().usageBytes()).isEqualTo(KEYS * (CHARGE + 1));
    for (int key = 0; key < KEYS; key++) {
      assertThat(cache.commit(tokens.get(key))).isEqualTo(Decision.OK);
      assertThat(cache.insert(HI, key, "x", CHARGE)).isEqualTo(WriteResult.KEPT_EXISTING);
      assertThat(cache.put(HI, key, "q" + key, CHARGE)).isEqualTo(WriteResult.REPLACED);
      assertThat(cache.get(HI, key)).isEqualTo("q" + key);
      assertThat(cache.replace(HI, key, "d" + key, CHARGE)).isEqualTo(WriteResult.REPLACED);
      assertThat(cache.get(HI, key)).isEqualTo("d" + key);
      assertThat(cache.erase(HI, key)).isEqualTo(WriteResult.ERASED);
    }
    assertThat(cache.monitor().stats().usageBytes()).isZero();
  }

  @Test
  void everyKeyMayBePreparedAlone() {
    List<PrepareToken> tokens = prepareAll();
    assertThat(cache.monitor().stats().occupancy()).isEqualTo(KEYS);
    for (int key = 0; key < KEYS; key++) {
      assertThat(cache.get(HI, key)).isNull();
      assertThat(cache.insert(HI, key, "c" + key, CHARGE)).isEqualTo(WriteResult.INSERTED);
      assertThat(cache.get(HI, key)).isEqualTo("c" + key);
    }
    for (int key = 0; key < KEYS; key++) {
      assertThat(cache.abort(tokens.get(key))).isEqualTo(Decision.OK);
      assertThat(cache.get(HI, key)).isEqualTo("c" + key);
    }
    assertThat(cache.monitor().stats().usageBytes()).isEqualTo(KEYS * CHARGE);
  }

  /** So many that some have the same tag. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keysThatShareAWordAreToldApart(boolean low) {
    PrepareGroup group = cache.newGroup();
    for (int i = 0; i < KEYS; i++) {
      long hi = low ? HI : i;
      long lo = low ? i : HI;
      cache.put(hi, lo, "c" + i, CHARGE);
      // Reads are to look at the prepared version.
      cache.prepare(hi, lo, "p" + i, 1, PLAIN, group).orThrow();
    }
    for (int i = 0; i < 10 * KEYS; i++) {
      long hi = low ? HI : i;
      long lo = low ? i : HI;
      boolean isThere = i < KEYS;
      assertThat(cache.get(hi, lo)).isEqualTo(isThere ? "c" + i : null);
      assertThat(cache.readForWrite(hi, lo)).isEqualTo(isThere ? "p" + i : null);
      assertThat(cache.readVersions(hi, lo).committed()).isEqualTo(isThere ? "c" + i : null);
      WriteResult expected = isThere ? WriteResult.IN_PROGRESS : WriteResult.NOT_PRESENT;
      assertThat(cache.erase(hi, lo)).isEqualTo(expected);
      assertThat(cache.replace(hi, lo, "x", CHARGE)).isEqualTo(expected);
    }
    assertThat(group.commit()).isEqualTo(Decision.OK);
    assertThat(cache.monitor().stats().items()).isEqualTo(KEYS);
  }

  @Test
  void everyKeyIsVisitedOnceByItsName() {
    putAll();
    cache.prepare(HI, 5, null, 0, PLAIN).orThrow();
    cache.prepare(HI, KEYS, "p", 1, PLAIN).orThrow();
    Set<Long> seen = new TreeSet<>();
    cache
        .monitor()
        .forEach(
            (hi, lo, versions) -> {
              assertThat(hi).isEqualTo(HI);
              assertThat(versions.committed()).isEqualTo(lo == KEYS ? null : "c" + lo);
              assertThat(seen.add(lo)).as("visited once: %d", lo).isTrue();
            });
    assertThat(seen).hasSize(KEYS + 1);
  }

  @Test
  void marksAndLeasesReachAllShards() {
    putAll();
    prepareAll();
    List<Long> asked = new ArrayList<>();
    int marked =
        cache.markInDoubt(
            (hi, lo) -> {
              assertThat(hi).isEqualTo(HI);
              asked.add(lo);
              return lo % 2 == 0;
            });
    assertThat(marked).isEqualTo(KEYS / 2);
    assertThat(asked).hasSize(KEYS).doesNotHaveDuplicates();
    assertThat(cache.monitor().stats().inDoubt()).isEqualTo(KEYS / 2);
    assertThatThrownBy(() -> cache.get(HI, 4))
        .isInstanceOf(InDoubtException.class)
        .hasMessageContaining("keyHi=" + HI + ", keyLo=4");
    assertThat(cache.get(HI, 5)).isEqualTo("c5");
    now = 1000;
    assertThat(cache.expireLeases()).isEqualTo(KEYS);
    assertThat(cache.monitor().stats().items()).isEqualTo(KEYS / 2);
    assertThat(cache.monitor().stats().prepares()).isZero();
    assertThat(cache.expireLeases()).isZero();
  }

  @Test
  void groupsSpanShards() {
    putAll();
    PrepareGroup group = cache.newGroup();
    for (int key = 0; key < KEYS; key++) {
      cache.prepare(HI, key, "p" + key, 1, PLAIN, group).orThrow();
    }
    assertThat(group.commit()).isEqualTo(Decision.OK);
    for (int key = 0; key < KEYS; key++) {
      assertThat(cache.get(HI, key)).isEqualTo("p" + key);
    }
    assertThat(cache.monitor().stats().commits()).isEqualTo(KEYS);
  }

  @Test
  void sizesAreThoseOfAllShards() {
    VersionedStats one = cache(MetadataCharge.NONE, 1).monitor().stats();
    VersionedStats stats = cache.monitor().stats();
    assertThat(stats.capacityBytes()).isEqualTo(CAPACITY);
    assertThat(stats.slots()).isBetween(one.slots(), one.slots() + SHARDS * 16L);
    assertThat(stats.maxPrepares()).isEqualTo(stats.slots());
    assertThat(stats.metadataBytes()).isZero();
  }

  @Test
  void slotsAreChargedIfThatIsWanted() {
    VersionedCacheBuilder<String> builder = VersionedCache.builder();
    VersionedCache<String> charged =
        builder.capacityBytes(100_000).estimatedEntryCharge(1000).shards(2).build();
    VersionedStats stats = charged.monitor().stats();
    assertThat(stats.metadataBytes()).isGreaterThanOrEqualTo(16 * stats.slots());
    assertThat(stats.usageBytes()).isEqualTo(stats.metadataBytes());
    charged.put(HI, 1, "c", 7);
    assertThat(charged.monitor().stats().usageBytes()).isEqualTo(stats.metadataBytes() + 7);
  }

  @Test
  void onePrepareIsAlwaysAllowed() {
    VersionedCacheBuilder<String> builder = VersionedCache.builder();
    VersionedCache<String> few =
        builder
            .capacityBytes(10_000)
            .estimatedEntryCharge(1000)
            .metadataCharge(MetadataCharge.NONE)
            .maxPreparedShare(1e-9)
            .nanoClock(() -> now)
            .build();
    assertThat(few.monitor().stats().maxPrepares()).isEqualTo(1);
    PrepareToken token = few.prepare(HI, 1, "p", 1, PLAIN).orThrow();
    assertThat(few.prepare(HI, 2, "p", 1, PLAIN).outcome()).isEqualTo(PrepareOutcome.NO_ROOM);
    assertThat(few.commit(token)).isEqualTo(Decision.OK);
    few.prepare(HI, 2, "p", 1, PLAIN).orThrow();
  }
}
