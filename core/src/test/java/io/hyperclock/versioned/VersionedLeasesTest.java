/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import static io.hyperclock.versioned.PrepareMode.IN_DOUBT;
import static io.hyperclock.versioned.PrepareMode.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.SlotStorage;
import io.hyperclock.internal.versioned.VersionedInvariants;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases by any clock, and what ends a prepare while somebody looks at its lease. */
@Tag("versioned")
class VersionedLeasesTest {
  private static final long HI = 7;
  private static final long LEASE = VersionedCacheContractTest.LEASE_NANOS;
  private static final int CAP = VersionedCacheContractTest.MAX_PREPARES;

  private long now;

  /** Run once, at the reading of the clock with this number, counted from one. */
  private @Nullable Runnable whenRead;

  private int reading;

  private VersionedCache<String> newCache() {
    return VersionedCaches.forContract(SlotStorage.HEAP, this::read);
  }

  private long read() {
    Runnable action = whenRead;
    if (action != null && --reading == 0) {
      whenRead = null;
      action.run();
    }
    return now;
  }

  private void atReading(int number, Runnable action) {
    reading = number;
    whenRead = action;
  }

  private static PrepareOutcome prepareOutcome(VersionedCache<String> cache, long key) {
    return cache.prepare(HI, key, "p", 20, PLAIN).outcome();
  }

  private static void assertWhole(VersionedCache<String> cache) {
    assertThat(VersionedInvariants.violations(cache)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1_000_000, -1_000_000_000, Long.MAX_VALUE - LEASE / 2, Long.MIN_VALUE})
  void clockMayBeginAnywhere(long origin) {
    now = origin;
    VersionedCache<String> cache = newCache();
    for (int key = 0; key < CAP; key++) {
      assertThat(prepareOutcome(cache, key)).isEqualTo(PrepareOutcome.PREPARED);
    }
    now += LEASE - 1;
    assertThat(prepareOutcome(cache, CAP)).isEqualTo(PrepareOutcome.NO_ROOM);
    assertThat(cache.expireLeases()).isZero();
    now++;
    assertThat(prepareOutcome(cache, CAP)).isEqualTo(PrepareOutcome.PREPARED);
    assertThat(cache.monitor().stats().expirations()).isEqualTo(CAP);
    assertWhole(cache);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1_000_000_000, Long.MAX_VALUE - 1, Long.MIN_VALUE})
  void aLeaseOfAnyLengthLastsForCenturies(long origin) {
    now = origin;
    VersionedCache<String> cache =
        VersionedCache.<String>builder()
            .capacityBytes(10_000)
            .estimatedEntryCharge(100)
            .lease(Duration.ofSeconds(Long.MAX_VALUE))
            .nanoClock(this::read)
            .build();
    PrepareToken token = cache.prepare(HI, 1, "p", 20, PLAIN).orThrow();
    now += Duration.ofDays(100 * 365).toNanos();
    assertThat(cache.expireLeases()).isZero();
    assertThat(cache.commit(token)).isEqualTo(Decision.OK);
    assertThat(cache.get(HI, 1)).isEqualTo("p");
    assertWhole(cache);
  }

  /** Whichever of them lies last in the table. */
  @Test
  void endOfTheFirstLeaseMakesRoomAtOnceUnderTheCap() {
    for (int round = 0; round < 10; round++) {
      now = 0;
      VersionedCache<String> cache = newCache();
      for (int key = 0; key < CAP; key++) {
        cache.prepare(HI, key, "p", 20, PLAIN).orThrow();
        now += 10;
      }
      assertThat(prepareOutcome(cache, 100)).isEqualTo(PrepareOutcome.NO_ROOM);
      for (int key = 0; key < CAP; key++) {
        now = LEASE + 10 * key - 1;
        assertThat(prepareOutcome(cache, 100 + key)).isEqualTo(PrepareOutcome.NO_ROOM);
        now++;
        assertThat(prepareOutcome(cache, 100 + key)).isEqualTo(PrepareOutcome.PREPARED);
        assertThat(cache.monitor().stats().expirations()).isEqualTo(key + 1);
      }
      assertWhole(cache);
    }
  }

  @Test
  void leaseOfAMemberThatWasRefusedDoesNotEndItsGroup() {
    VersionedCache<String> cache = newCache();
    cache.prepare(HI, 1, "o", 20, PLAIN).orThrow();
    for (boolean commits : new boolean[] {true, false}) {
      PrepareGroup group = cache.newGroup();
      assertThat(cache.prepare(HI, 1, "p", 20, PLAIN, group).outcome())
          .isEqualTo(PrepareOutcome.IN_PROGRESS);
      now += LEASE - 1;
      cache.prepare(HI, 2, "p", 20, PLAIN, group).orThrow();
      now++;
      assertThat(commits ? group.commit() : group.abort()).isEqualTo(Decision.OK);
      cache.expireLeases();
      cache.erase(HI, 2);
      cache.prepare(HI, 1, "o", 20, PLAIN).orThrow();
    }
    assertWhole(cache);
  }

  @Test
  void visitorDoesNotSeeWhatItsLookForgets() {
    VersionedCache<String> cache = newCache();
    cache.put(HI, 1, "c", 10);
    cache.prepare(HI, 1, "p", 20, IN_DOUBT).orThrow();
    cache.prepare(HI, 2, "p", 20, PLAIN).orThrow();
    cache.put(HI, 3, "d", 10);
    cache.prepare(HI, 3, "p", 20, PLAIN).orThrow();
    now += LEASE;
    List<String> seen = new ArrayList<>();
    cache.monitor().forEach((hi, lo, versions) -> seen.add(lo + ":" + versions));
    assertThat(seen).containsExactly("3:" + new Versions<>("d", null));
    assertThat(cache.readVersions(HI, 1)).isEqualTo(new Versions<>(null, null));
    assertThat(cache.monitor().stats().expirations()).isEqualTo(3);
    assertThat(cache.monitor().stats().occupancy()).isEqualTo(1);
    assertWhole(cache);
  }

  @Test
  void readForAWriteEndsALeaseThatHasEnded() {
    VersionedCache<String> cache = newCache();
    cache.put(HI, 1, "c", 10);
    cache.prepare(HI, 1, "p", 20, PLAIN).orThrow();
    assertThat(cache.readForWrite(HI, 1)).isEqualTo("p");
    now += LEASE;
    assertThat(cache.readForWrite(HI, 1)).isEqualTo("c");
    assertThat(cache.monitor().stats().expirations()).isEqualTo(1);
    assertThat(cache.monitor().stats().prepares()).isZero();
    assertWhole(cache);
  }

  @Test
  void markDoesNotCountWhatIsDecidedMeanwhile() {
    VersionedCache<String> cache = newCache();
    cache.put(HI, 1, "c", 10);
    PrepareToken token = cache.prepare(HI, 1, "p", 20, PLAIN).orThrow();
    int marked =
        cache.markInDoubt(
            (hi, lo) -> {
              assertThat(cache.commit(token)).isEqualTo(Decision.OK);
              return true;
            });
    assertThat(marked).isZero();
    assertThat(cache.get(HI, 1)).isEqualTo("p");
    assertThat(cache.monitor().stats().inDoubt()).isZero();
    assertWhole(cache);
  }

  /** The clock is read for the lease of the prepare in the way, when the member has joined. */
  @Test
  void groupIsNotCommittedWhileAMemberIsOnItsWay() {
    VersionedCache<String> cache = newCache();
    PrepareToken inTheWay = cache.prepare(HI, 1, "o", 20, PLAIN).orThrow();
    PrepareGroup group = cache.newGroup();
    cache.prepare(HI, 2, "p", 20, PLAIN, group).orThrow();
    AtomicReference<Decision> early = new AtomicReference<>();
    atReading(2, () -> early.set(group.commit()));
    assertThat(cache.prepare(HI, 1, "p", 20, PLAIN, group).outcome())
        .isEqualTo(PrepareOutcome.IN_PROGRESS);
    assertThat(early).hasValue(Decision.IN_PROGRESS);
    assertThat(cache.get(HI, 2)).isNull();
    assertThat(group.commit()).isEqualTo(Decision.OK);
    assertThat(cache.get(HI, 2)).isEqualTo("p");
    assertThat(cache.abort(inTheWay)).isEqualTo(Decision.OK);
    assertWhole(cache);
  }

  /** The prepare in the way ends, so that the member finds its place when the group is over. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void memberOnItsWayComesTooLateToAGroupThatIsAborted(boolean alone) {
    VersionedCache<String> cache = newCache();
    if (!alone) {
      cache.put(HI, 1, "c", 10);
    }
    cache.prepare(HI, 1, "o", 20, PLAIN).orThrow();
    now += LEASE;
    PrepareGroup group = cache.newGroup();
    cache.prepare(HI, 2, "p", 20, PLAIN, group).orThrow();
    AtomicReference<Decision> early = new AtomicReference<>();
    atReading(2, () -> early.set(group.abort()));
    assertThat(cache.prepare(HI, 1, "p", 20, PLAIN, group).outcome())
        .isEqualTo(PrepareOutcome.GROUP_ENDED);
    assertThat(early).hasValue(Decision.OK);
    assertThat(cache.get(HI, 1)).isEqualTo(alone ? null : "c");
    assertThat(cache.readForWrite(HI, 1)).isEqualTo(alone ? null : "c");
    assertThat(cache.get(HI, 2)).isNull();
    VersionedStats stats = cache.monitor().stats();
    assertThat(stats.prepares()).isZero();
    assertThat(stats.preparedBytes()).isZero();
    assertThat(stats.aborts()).as("those that were prepared").isEqualTo(1);
    assertThat(stats.expirations()).isEqualTo(1);
    assertThat(stats.usageBytes()).isEqualTo(alone ? 0 : 10);
    assertWhole(cache);
  }

  @Test
  void memberOnItsWayKeepsNoGroupFromEndingWithALease() {
    VersionedCache<String> cache = newCache();
    PrepareGroup group = cache.newGroup();
    cache.prepare(HI, 2, "p", 20, PLAIN, group).orThrow();
    now += 1;
    PrepareToken inTheWay = cache.prepare(HI, 1, "o", 20, PLAIN).orThrow();
    AtomicReference<Decision> late = new AtomicReference<>();
    atReading(
        2,
        () -> {
          now = LEASE;
          late.set(group.commit());
        });
    assertThat(cache.prepare(HI, 1, "p", 20, PLAIN, group).outcome())
        .isEqualTo(PrepareOutcome.IN_PROGRESS);
    assertThat(late).hasValue(Decision.STALE);
    assertThat(cache.get(HI, 2)).isNull();
    assertThat(cache.monitor().stats().expirations()).isEqualTo(1);
    assertThat(cache.commit(inTheWay)).isEqualTo(Decision.OK);
    assertWhole(cache);
  }
}
