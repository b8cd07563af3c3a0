/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.CapacityMode;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.internal.versioned.VersionedInvariants;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Versions in a cache that is full: what is evicted, what is charged, what is refused. */
@Tag("versioned")
class VersionedRoomTest {
  private static final int ENTRIES = 100;
  private static final int CHARGE = 100;

  private VersionedCache<String> cache = cache(CapacityMode.STRICT);

  private static VersionedCacheBuilder<String> builder(CapacityMode mode) {
    return VersionedCache.<String>builder()
        .capacityBytes(ENTRIES * CHARGE)
        .estimatedEntryCharge(CHARGE)
        .metadataCharge(MetadataCharge.NONE)
        .nanoClock(() -> 0)
        .capacityMode(mode);
  }

  private static VersionedCache<String> cache(CapacityMode mode) {
    return builder(mode).maxPreparedShare(0.5).hashSeed(HashSeed.fixed(7)).build();
  }

  @AfterEach
  void whole() {
    assertThat(VersionedInvariants.violations(cache)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(CapacityMode.class)
  void preparedKeysAreSkippedWhenOthersAreEvicted(CapacityMode mode) {
    cache = cache(mode);
    PrepareToken[] tokens = new PrepareToken[20];
    for (int key = 0; key < tokens.length; key++) {
      cache.put(0, key, "c" + key, CHARGE);
      tokens[key] = cache.prepare(0, key, "p" + key, CHARGE, PrepareMode.PLAIN).orThrow();
    }
    for (int key = 1000; key < 1000 + 10 * ENTRIES; key++) {
      assertThat(cache.put(0, key, "other", CHARGE)).isEqualTo(WriteResult.INSERTED);
    }
    assertThat(cache.monitor().stats().evictions()).isGreaterThan(8 * ENTRIES);
    assertThat(cache.monitor().stats().usageBytes()).isLessThanOrEqualTo(ENTRIES * CHARGE);
    for (int key = 0; key < tokens.length; key++) {
      assertThat(cache.readVersions(0, key).committed()).isEqualTo("c" + key);
      assertThat(cache.readForWrite(0, key)).isEqualTo("p" + key);
      assertThat(cache.commit(tokens[key])).isEqualTo(Decision.OK);
      assertThat(cache.get(0, key)).isEqualTo("p" + key);
    }
  }

  @Test
  void bothVersionsAreChargedUntilTheCommit() {
    cache.put(0, 1, "c", 30);
    PrepareToken token = cache.prepare(0, 1, "p", 50, PrepareMode.PLAIN).orThrow();
    assertThat(cache.monitor().stats().usageBytes()).isEqualTo(80);
    cache.commit(token);
    assertThat(cache.monitor().stats().usageBytes()).isEqualTo(50);
    assertThat(cache.put(0, 1, "d", 20)).isEqualTo(WriteResult.REPLACED);
    assertThat(cache.monitor().stats().usageBytes()).isEqualTo(20);
  }

  @Test
  void strictCapacityRefusesAPrepareThatDoesNotFit() {
    cache.put(0, 1, "c", CHARGE);
    assertThat(cache.prepare(0, 1, "p", ENTRIES * CHARGE + 1, PrepareMode.PLAIN).outcome())
        .isEqualTo(PrepareOutcome.NO_ROOM);
    cache.prepare(0, 2, "p", ENTRIES * CHARGE - 10, PrepareMode.PLAIN).orThrow();
    assertThat(cache.prepare(0, 3, "p", 11, PrepareMode.PLAIN).outcome())
        .isEqualTo(PrepareOutcome.NO_ROOM);
    assertThat(cache.put(0, 3, "c", 11)).isEqualTo(WriteResult.REFUSED);
    assertThat(cache.get(0, 2)).isNull();
  }

  /** What makes room for a prepared version is not the committed one of its key. */
  @ParameterizedTest
  @EnumSource(CapacityMode.class)
  void aPrepareKeepsTheCommittedValueOfItsKey(CapacityMode mode) {
    cache = cache(mode);
    for (int key = 0; key < 2 * ENTRIES; key++) {
      for (int other = 1000; other < 1000 + ENTRIES; other++) {
        cache.put(0, other, "other", CHARGE);
      }
      assertThat(cache.put(0, key, "c", CHARGE)).isEqualTo(WriteResult.INSERTED);
      PrepareToken token =
          cache.prepare(0, key, "p", (ENTRIES - 1) * CHARGE, PrepareMode.PLAIN).orThrow();
      assertThat(cache.get(0, key)).isEqualTo("c");
      assertThat(cache.abort(token)).isEqualTo(Decision.OK);
      assertThat(cache.erase(0, key)).isEqualTo(WriteResult.ERASED);
    }
  }

  @Test
  void strictCapacityRefusesAPrepareThatDoesNotFitBesideTheCommittedValue() {
    cache.put(0, 1, "c", CHARGE);
    assertThat(cache.prepare(0, 1, "p", (ENTRIES - 1) * CHARGE + 1, PrepareMode.PLAIN).outcome())
        .isEqualTo(PrepareOutcome.NO_ROOM);
    assertThat(cache.get(0, 1)).isEqualTo("c");
    assertThat(cache.monitor().stats().usageBytes()).isEqualTo(CHARGE);
    assertThat(cache.erase(0, 1)).isEqualTo(WriteResult.ERASED);
    cache.prepare(0, 1, "p", (ENTRIES - 1) * CHARGE + 1, PrepareMode.PLAIN).orThrow();
  }

  /** It is in progress, whether there would be room for the second or not. */
  @ParameterizedTest
  @EnumSource(CapacityMode.class)
  void nothingIsEvictedForASecondPrepare(CapacityMode mode) {
    cache = cache(mode);
    for (int key = 0; key < ENTRIES / 2; key++) {
      cache.put(0, key, "c", CHARGE);
    }
    PrepareToken token =
        cache.prepare(0, 1, "p", ENTRIES / 2 * CHARGE, PrepareMode.PLAIN).orThrow();
    assertThat(cache.prepare(0, 1, "q", ENTRIES * CHARGE, PrepareMode.PLAIN).outcome())
        .isEqualTo(PrepareOutcome.IN_PROGRESS);
    assertThat(cache.monitor().stats().evictions()).isZero();
    assertThat(cache.monitor().stats().refusedInProgress()).isEqualTo(1);
    assertThat(cache.commit(token)).isEqualTo(Decision.OK);
    assertThat(cache.get(0, 1)).isEqualTo("p");
  }

  @Test
  void strictCapacityRefusesALargerValueAndKeepsTheOlder() {
    cache.put(0, 1, "c", CHARGE);
    assertThat(cache.put(0, 1, "d", ENTRIES * CHARGE + 1)).isEqualTo(WriteResult.REFUSED);
    assertThat(cache.get(0, 1)).isEqualTo("c");
  }

  @Test
  void whatIsLargerThanTheCapacityIsDroppedWithTheOlder() {
    cache = cache(CapacityMode.NON_STRICT);
    cache.put(0, 1, "c", CHARGE);
    assertThat(cache.put(0, 1, "d", ENTRIES * CHARGE + 1)).isEqualTo(WriteResult.DROPPED);
    assertThat(cache.get(0, 1)).isNull();
    assertThat(cache.prepare(0, 1, "p", ENTRIES * CHARGE + 1, PrepareMode.PLAIN).outcome())
        .isEqualTo(PrepareOutcome.NO_ROOM);
  }

  @ParameterizedTest
  @EnumSource(CapacityMode.class)
  void whatFitsExactlyIsTaken(CapacityMode mode) {
    cache = cache(mode);
    assertThat(cache.put(0, 1, "c", ENTRIES * CHARGE)).isEqualTo(WriteResult.INSERTED);
    assertThat(cache.get(0, 1)).isEqualTo("c");
    assertThat(cache.put(0, 1, "d", 1)).isEqualTo(WriteResult.REPLACED);
    assertThat(cache.put(0, 1, "e", ENTRIES * CHARGE)).isEqualTo(WriteResult.REPLACED);
    assertThat(cache.get(0, 1)).isEqualTo("e");
    assertThat(cache.erase(0, 1)).isEqualTo(WriteResult.ERASED);
    cache.prepare(0, 1, "p", ENTRIES * CHARGE, PrepareMode.PLAIN).orThrow();
  }

  @Test
  void theSlotsLeaveLessRoom() {
    VersionedCacheBuilder<String> builder = VersionedCache.builder();
    cache = builder.capacityBytes(100_000).estimatedEntryCharge(1000).shards(1).build();
    long left = 100_000 - cache.monitor().stats().metadataBytes();
    assertThat(cache.put(0, 1, "c", left + 1)).isEqualTo(WriteResult.DROPPED);
    assertThat(cache.put(0, 1, "c", left)).isEqualTo(WriteResult.INSERTED);
    assertThat(cache.monitor().stats().usageBytes()).isEqualTo(100_000);
  }

  /** What is brought in beside a prepare needs room as everything else. */
  @ParameterizedTest
  @EnumSource(CapacityMode.class)
  void whatIsBroughtInMustFitToo(CapacityMode mode) {
    cache = cache(mode);
    boolean isStrict = mode == CapacityMode.STRICT;
    PrepareToken token = cache.prepare(0, 1, "p", CHARGE, PrepareMode.PLAIN).orThrow();
    assertThat(cache.insert(0, 1, "c", ENTRIES * CHARGE + 1))
        .isEqualTo(isStrict ? WriteResult.REFUSED : WriteResult.DROPPED);
    assertThat(cache.get(0, 1)).isNull();
    assertThat(cache.monitor().stats().usageBytes()).isEqualTo(CHARGE);
    assertThat(VersionedInvariants.violations(cache)).isEmpty();
    if (isStrict) {
      assertThat(cache.insert(0, 1, "c", (ENTRIES - 1) * CHARGE + 1))
          .isEqualTo(WriteResult.REFUSED);
      assertThat(VersionedInvariants.violations(cache)).isEmpty();
    }
    assertThat(cache.insert(0, 1, "c", (ENTRIES - 1) * CHARGE)).isEqualTo(WriteResult.INSERTED);
    assertThat(cache.monitor().stats().usageBytes()).isEqualTo(ENTRIES * CHARGE);
    assertThat(cache.commit(token)).isEqualTo(Decision.OK);
    assertThat(cache.get(0, 1)).isEqualTo("p");
    assertThat(cache.monitor().stats().usageBytes()).isEqualTo(CHARGE);
  }

  @Test
  void whatIsBroughtInMakesRoom() {
    for (int key = 100; key < 100 + 2 * ENTRIES; key++) {
      cache.put(0, key, "other", CHARGE);
    }
    cache.prepare(0, 1, "p", CHARGE, PrepareMode.PLAIN).orThrow();
    long before = cache.monitor().stats().evictions();
    assertThat(cache.insert(0, 1, "c", 10 * CHARGE)).isEqualTo(WriteResult.INSERTED);
    assertThat(cache.monitor().stats().evictions()).isGreaterThanOrEqualTo(before + 10);
    assertThat(cache.monitor().stats().usageBytes()).isLessThanOrEqualTo(ENTRIES * CHARGE);
  }

  /** Prepared keys are not evicted, so that they may fill all slots. */
  @ParameterizedTest
  @EnumSource(CapacityMode.class)
  void keysFindNoSlotAmongPreparedOnes(CapacityMode mode) {
    cache = builder(mode).maxPreparedShare(1).build();
    int prepared = 0;
    for (int key = 0; key < 10 * ENTRIES; key++) {
      PrepareResult result = cache.prepare(0, key, "p", 0, PrepareMode.PLAIN);
      assertThat(result.outcome()).isIn(PrepareOutcome.PREPARED, PrepareOutcome.NO_ROOM);
      prepared += result.token() == null ? 0 : 1;
    }
    assertThat(prepared).isGreaterThan(ENTRIES);
    VersionedStats full = cache.monitor().stats();
    assertThat(full.prepares()).isEqualTo(prepared);
    assertThat(full.occupancy()).isEqualTo(prepared);
    assertThat(full.refusedNoRoom()).isEqualTo(10 * ENTRIES - prepared);
    WriteResult expected = mode == CapacityMode.STRICT ? WriteResult.REFUSED : WriteResult.DROPPED;
    for (int key = 10 * ENTRIES; key < 11 * ENTRIES; key++) {
      assertThat(cache.put(0, key, "c", 1)).isEqualTo(expected);
      assertThat(cache.insert(0, key, "c", 1)).isEqualTo(expected);
    }
    assertThat(cache.monitor().stats().occupancy()).isEqualTo(prepared);
    assertThat(cache.monitor().stats().usageBytes()).isZero();
    assertThat(cache.markInDoubt((hi, lo) -> true)).isEqualTo(prepared);
  }

  /** The older value goes with it; the key was there. */
  @Test
  void aReplacementLargerThanTheCapacityIsDroppedWithTheOlder() {
    cache = cache(CapacityMode.NON_STRICT);
    cache.put(0, 1, "c", CHARGE);
    assertThat(cache.replace(0, 1, "d", ENTRIES * CHARGE + 1)).isEqualTo(WriteResult.DROPPED);
    assertThat(cache.get(0, 1)).isNull();
    assertThat(cache.replace(0, 1, "d", ENTRIES * CHARGE + 1)).isEqualTo(WriteResult.NOT_PRESENT);
  }

  /** A writer that is kept out anyway is told so, and makes no room first. */
  @Test
  void aWriterOfAPreparedKeyAsksForNoRoom() {
    cache.put(0, 1, "c", CHARGE);
    cache.prepare(0, 1, "p", (ENTRIES - 2) * CHARGE, PrepareMode.PLAIN).orThrow();
    cache.prepare(0, 2, "p", 0, PrepareMode.PLAIN).orThrow();
    cache.put(0, 3, "other", CHARGE);
    assertThat(cache.put(0, 1, "d", 3 * CHARGE)).isEqualTo(WriteResult.IN_PROGRESS);
    assertThat(cache.replace(0, 1, "d", 2 * CHARGE)).isEqualTo(WriteResult.IN_PROGRESS);
    assertThat(cache.replace(0, 2, "d", 2 * CHARGE)).isEqualTo(WriteResult.NOT_PRESENT);
    assertThat(cache.get(0, 3)).isEqualTo("other");
  }

  /** Prepares may lead beyond a capacity that is not strict; what needs no room evicts nothing. */
  @Test
  void anOverwriteOfTheSameSizeEvictsNothing() {
    cache = cache(CapacityMode.NON_STRICT);
    List<PrepareToken> tokens = new ArrayList<>();
    for (int key = 0; key < ENTRIES / 2 + 5; key++) {
      tokens.add(cache.prepare(0, key, "p", 2 * CHARGE, PrepareMode.PLAIN).orThrow());
    }
    tokens.forEach(token -> assertThat(cache.commit(token)).isEqualTo(Decision.OK));
    assertThat(cache.monitor().stats().usageBytes()).isGreaterThan(ENTRIES * CHARGE);
    assertThat(cache.put(0, 1, "d", 2 * CHARGE)).isEqualTo(WriteResult.REPLACED);
    assertThat(cache.put(0, 2, "d", CHARGE)).isEqualTo(WriteResult.REPLACED);
    assertThat(cache.monitor().stats().evictions()).isZero();
    assertThat(cache.put(0, 2, "d", 2 * CHARGE)).isEqualTo(WriteResult.REPLACED);
    assertThat(cache.monitor().stats().evictions()).isPositive();
  }

  @ParameterizedTest
  @EnumSource(CapacityMode.class)
  void givingUpASearchForRoomAmongPreparedKeysIsCounted(CapacityMode mode) {
    cache = cache(mode);
    for (int key = 0; key < ENTRIES / 2; key++) {
      cache.prepare(0, key, "p", 2 * CHARGE, PrepareMode.PLAIN).orThrow();
    }
    assertThat(cache.monitor().stats().evictionEffortExceeded()).isZero();
    WriteResult result = cache.put(0, ENTRIES, "c", CHARGE);
    boolean isStrict = mode == CapacityMode.STRICT;
    assertThat(result).isEqualTo(isStrict ? WriteResult.REFUSED : WriteResult.INSERTED);
    assertThat(cache.monitor().stats().evictionEffortExceeded()).isEqualTo(isStrict ? 0 : 1);
  }

  @Test
  void evictionsAreThoseOfANamespace() {
    cache = builder(CapacityMode.NON_STRICT).namespaces(3, (hi, lo) -> (int) hi).build();
    for (int key = 0; key < 5 * ENTRIES; key++) {
      cache.put(2, key, "c", CHARGE);
    }
    long left = cache.monitor().stats().occupancy();
    assertThat(left).isBetween(1L, (long) ENTRIES);
    assertThat(cache.monitor().namespaceStats(2))
        .isEqualTo(new NamespaceStats(left, left * CHARGE, 0, 0));
    assertThat(cache.monitor().namespaceStats(0)).isEqualTo(new NamespaceStats(0, 0, 0, 0));
  }

  @ParameterizedTest
  @EnumSource(CapacityMode.class)
  void theLastOfAllNamespacesIsChargedAndCounted(CapacityMode mode) {
    int last = VersionedCacheBuilder.MAX_NAMESPACES - 1;
    cache = builder(mode).namespaces(last + 1, (hi, lo) -> (int) hi).build();
    cache.put(last, 0, "c", CHARGE);
    assertThat(cache.put(last, 0, "d", CHARGE)).isEqualTo(WriteResult.REPLACED);
    assertNamespace(last, 1);
    assertThat(cache.erase(last, 0)).isEqualTo(WriteResult.ERASED);
    assertNamespace(last, 0);
    for (int key = 0; key < 5 * ENTRIES; key++) {
      assertThat(cache.put(last, key, "c", CHARGE)).isEqualTo(WriteResult.INSERTED);
    }
    long left = cache.monitor().stats().occupancy();
    assertThat(left).isBetween(ENTRIES / 2L, (long) ENTRIES);
    assertNamespace(last, left);
    PrepareToken token = cache.prepare(last, -1, "p", CHARGE, PrepareMode.PLAIN).orThrow();
    assertThat(cache.commit(token)).isEqualTo(Decision.OK);
    assertNamespace(last, cache.monitor().stats().occupancy());
    for (int key = -1; key < 5 * ENTRIES; key++) {
      cache.erase(last, key);
    }
    assertNamespace(last, 0);
  }

  /** Only one namespace has entries. */
  private void assertNamespace(int namespace, long items) {
    assertThat(cache.monitor().namespaceStats(namespace))
        .isEqualTo(new NamespaceStats(items, items * CHARGE, 0, 0));
    assertThat(cache.monitor().stats().usageBytes()).isEqualTo(items * CHARGE);
  }

  @Test
  void argumentsAreChecked() {
    assertThatThrownBy(() -> cache.put(0, 1, "c", -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("chargeBytes=-1");
    assertThatThrownBy(() -> cache.prepare(0, 1, null, 1, PrepareMode.PLAIN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("chargeBytes=1");
    assertThatThrownBy(() -> cache.monitor().namespaceStats(1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("namespace=1");
    assertThatThrownBy(() -> VersionedCache.builder().build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("capacityBytes must be set: capacityBytes=0");
    assertThatThrownBy(() -> VersionedCache.builder().maxPreparedShare(0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
