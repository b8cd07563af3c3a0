/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import static io.hyperclock.versioned.Decision.OK;
import static io.hyperclock.versioned.Decision.STALE;
import static io.hyperclock.versioned.PrepareMode.IN_DOUBT;
import static io.hyperclock.versioned.PrepareMode.PLAIN;
import static io.hyperclock.versioned.WriteResult.ERASED;
import static io.hyperclock.versioned.WriteResult.INSERTED;
import static io.hyperclock.versioned.WriteResult.IN_PROGRESS;
import static io.hyperclock.versioned.WriteResult.NOT_PRESENT;
import static io.hyperclock.versioned.WriteResult.REPLACED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every cache of two versions does; where there is room for everything. */
abstract class VersionedCacheContractTest {
  static final int MAX_PREPARES = 4;
  static final long LEASE_NANOS = 1000;
  static final int NAMESPACES = 3;

  static final long HI = 7;
  static final long KEY = 1;
  static final long OTHER = 2;

  long now;

  final VersionedCache<String> cache = newCache();

  /** A cache whose clock is {@link #now}, with keys divided by their low word. */
  abstract VersionedCache<String> newCache();

  WriteResult put(long key, String value) {
    return cache.put(HI, key, value, 10);
  }

  PrepareToken prepare(long key, String value, PrepareMode mode) {
    return cache.prepare(HI, key, value, 20, mode).orThrow();
  }

  PrepareOutcome prepareOutcome(long key, String value) {
    return cache.prepare(HI, key, value, 20, PLAIN).outcome();
  }

  PrepareToken prepareDelete(long key) {
    return cache.prepare(HI, key, null, 0, PLAIN).orThrow();
  }

  void assertForRead(String value) {
    assertThat(cache.get(HI, KEY)).isEqualTo(value);
  }

  void assertForWrite(String value) {
    assertThat(cache.readForWrite(HI, KEY)).isEqualTo(value);
  }

  void assertInDoubt(long key) {
    assertThatThrownBy(() -> cache.get(HI, key)).isInstanceOf(InDoubtException.class);
  }

  @Test
  void pendingItemIsSeenByWritesOnly() {
    prepare(KEY, "p", PLAIN);
    assertForRead(null);
    assertForWrite("p");
  }

  @Test
  void committedItemIsSeenByBoth() {
    assertThat(put(KEY, "c")).isEqualTo(INSERTED);
    assertForRead("c");
    assertForWrite("c");
    assertThat(cache.readVersions(HI, KEY).prepared()).isNull();
  }

  @Test
  void ofBothWritesSeeThePreparedAndReadsTheCommittedOne() {
    put(KEY, "c");
    PrepareToken token = prepare(KEY, "p", PLAIN);
    assertForRead("c");
    assertForWrite("p");
    assertThat(cache.readVersions(HI, KEY))
        .isEqualTo(new Versions<>("c", new PreparedVersion<>("p", 20, PLAIN, false, token.id())));
  }

  /** A prepare that was there first, committed and followed by another one: no order matters. */
  @Test
  void preparedBeforeCommittedGivesTheSameAnswers() {
    cache.commit(prepare(KEY, "c", PLAIN));
    PrepareToken token = prepare(KEY, "p", PLAIN);
    assertForRead("c");
    assertForWrite("p");
    cache.abort(token);
    cache.erase(HI, KEY);
    prepare(KEY, "q", PLAIN);
    assertForRead(null);
    assertForWrite("q");
  }

  @Test
  void findsOnlyCommittedOrOnlyPrepared() {
    assertThat(cache.readVersions(HI, KEY)).isEqualTo(new Versions<>(null, null));
    put(KEY, "c");
    assertThat(cache.readVersions(HI, KEY).committed()).isEqualTo("c");
    assertThat(cache.readVersions(HI, KEY).prepared()).isNull();
    prepare(OTHER, "p", PLAIN);
    assertThat(cache.readVersions(HI, OTHER).committed()).isNull();
    assertThat(cache.readVersions(HI, OTHER).prepared().value()).isEqualTo("p");
  }

  @Test
  void commitThenWriteToTheSameKey() {
    assertThat(cache.commit(prepare(KEY, "p", PLAIN))).isEqualTo(OK);
    assertForRead("p");
    assertThat(put(KEY, "c")).isEqualTo(REPLACED);
    assertForRead("c");
    assertThat(cache.erase(HI, KEY)).isEqualTo(ERASED);
    assertForRead(null);
  }

  @Test
  void commitLoop() {
    for (int i = 0; i < 100; i++) {
      assertThat(cache.commit(prepare(KEY, "v" + i, PLAIN))).isEqualTo(OK);
      assertForRead("v" + i);
    }
    assertThat(cache.monitor().stats().commits()).isEqualTo(100);
    assertThat(cache.monitor().stats().items()).isEqualTo(1);
  }

  @Test
  void abortLoop() {
    put(KEY, "c");
    for (int i = 0; i < 100; i++) {
      assertThat(cache.abort(prepare(KEY, "v", i % 2 == 0 ? PLAIN : IN_DOUBT))).isEqualTo(OK);
      assertForRead("c");
      assertForWrite("c");
    }
    assertThat(cache.monitor().stats().prepares()).isZero();
  }

  @Test
  void abortOfAPrepareAloneLeavesNothing() {
    assertThat(cache.abort(prepare(KEY, "p", PLAIN))).isEqualTo(OK);
    assertForRead(null);
    assertForWrite(null);
    assertThat(cache.monitor().stats().occupancy()).isZero();
    assertThat(put(KEY, "c")).isEqualTo(INSERTED);
  }

  @Test
  void abortOfACommittedKeyFails() {
    PrepareToken token = prepare(KEY, "p", PLAIN);
    assertThat(cache.commit(token)).isEqualTo(OK);
    assertThat(cache.abort(token)).isEqualTo(STALE);
    assertForRead("p");
  }

  @Test
  void commitOfAnAbortedOneFails() {
    PrepareToken token = prepare(KEY, "p", PLAIN);
    cache.abort(token);
    assertThat(cache.commit(token)).isEqualTo(STALE);
    assertForRead(null);
  }

  @Test
  void decisionsAreIdempotentWhateverHappensAfter() {
    PrepareToken committed = prepare(KEY, "p", PLAIN);
    PrepareToken aborted = prepare(OTHER, "p", PLAIN);
    cache.commit(committed);
    cache.abort(aborted);
    put(KEY, "later");
    PrepareToken next = prepare(OTHER, "next", PLAIN);
    assertThat(cache.commit(committed)).isEqualTo(OK);
    assertThat(cache.abort(aborted)).isEqualTo(OK);
    assertForRead("later");
    assertThat(cache.readVersions(HI, OTHER).prepared().id()).isEqualTo(next.id());
    assertThat(cache.monitor().stats().commits()).isEqualTo(1);
  }

  @Test
  void prepareOverPrepareIsRefused() {
    prepare(KEY, "p", PLAIN);
    assertThat(prepareOutcome(KEY, "q")).isEqualTo(PrepareOutcome.IN_PROGRESS);
    assertForWrite("p");
  }

  @Test
  void writesOverPrepareAreRefused() {
    put(KEY, "c");
    prepare(KEY, "p", PLAIN);
    assertThat(put(KEY, "d")).isEqualTo(IN_PROGRESS);
    assertThat(cache.replace(HI, KEY, "d", 1)).isEqualTo(IN_PROGRESS);
    assertThat(cache.erase(HI, KEY)).isEqualTo(IN_PROGRESS);
    assertForRead("c");
    assertThat(cache.monitor().stats().refusedInProgress()).isEqualTo(3);
  }

  @Test
  void replaceOfAMissingKeyUnderAPrepareSaysMissing() {
    assertThat(cache.replace(HI, KEY, "d", 1)).isEqualTo(NOT_PRESENT);
    prepare(KEY, "p", PLAIN);
    assertThat(cache.replace(HI, KEY, "d", 1)).isEqualTo(NOT_PRESENT);
    assertThat(put(KEY, "d")).isEqualTo(IN_PROGRESS);
    assertThat(cache.erase(HI, KEY)).isEqualTo(IN_PROGRESS);
  }

  @Test
  void deleteIsCommitted() {
    put(KEY, "c");
    PrepareToken token = prepareDelete(KEY);
    assertForRead("c");
    assertForWrite(null);
    assertThat(cache.readVersions(HI, KEY).prepared().isDelete()).isTrue();
    assertThat(cache.commit(token)).isEqualTo(OK);
    assertForRead(null);
    assertThat(cache.monitor().stats().items()).isZero();
    assertThat(cache.monitor().stats().usageBytes())
        .isEqualTo(cache.monitor().stats().metadataBytes());
  }

  @Test
  void deleteOfAnAbsentKey() {
    PrepareToken token = prepareDelete(KEY);
    assertThat(put(KEY, "c")).isEqualTo(IN_PROGRESS);
    assertThat(cache.commit(token)).isEqualTo(OK);
    assertForRead(null);
    assertThat(put(KEY, "c")).isEqualTo(INSERTED);
  }

  @Test
  void inDoubtReadIsRefused() {
    put(KEY, "c");
    PrepareToken token = prepare(KEY, "p", IN_DOUBT);
    assertInDoubt(KEY);
    assertForWrite("p");
    assertThat(cache.readVersions(HI, KEY).committed()).isEqualTo("c");
    assertThat(cache.commit(token)).isEqualTo(OK);
    assertForRead("p");
  }

  @Test
  void inDoubtReadOfAnAbsentKeyIsRefusedToo() {
    PrepareToken token = prepare(KEY, "p", IN_DOUBT);
    assertInDoubt(KEY);
    cache.abort(token);
    assertForRead(null);
  }

  @Test
  void markedInDoubt() {
    put(KEY, "c");
    prepare(KEY, "p", PLAIN);
    PrepareToken other = prepare(OTHER, "q", PLAIN);
    assertThat(cache.markInDoubt((hi, lo) -> lo == KEY)).isEqualTo(1);
    assertInDoubt(KEY);
    assertThat(cache.get(HI, OTHER)).isNull();
    assertThat(cache.markInDoubt((hi, lo) -> true)).isEqualTo(1);
    assertInDoubt(OTHER);
    assertThat(cache.monitor().stats().inDoubt()).isEqualTo(2);
    assertThat(cache.commit(other)).isEqualTo(OK);
    assertThat(cache.get(HI, OTHER)).isEqualTo("q");
    assertThat(cache.monitor().stats().inDoubt()).isEqualTo(1);
  }

  @Test
  void preparesCountApart() {
    put(3, "c");
    prepare(3, "p", PLAIN);
    prepare(4, "q", PLAIN);
    assertThat(cache.monitor().namespaceStats(0)).isEqualTo(new NamespaceStats(1, 10, 1, 20));
    assertThat(cache.monitor().namespaceStats(1)).isEqualTo(new NamespaceStats(0, 0, 1, 20));
    assertThat(cache.monitor().namespaceStats(2)).isEqualTo(new NamespaceStats(0, 0, 0, 0));
    VersionedStats stats = cache.monitor().stats();
    assertThat(stats.items()).isEqualTo(1);
    assertThat(stats.prepares()).isEqualTo(2);
    assertThat(stats.usageBytes() - stats.metadataBytes()).isEqualTo(50);
    assertThat(stats.occupancy()).isEqualTo(2);
  }

  @Test
  void preparesInFlightAreCapped() {
    List<PrepareToken> tokens = new ArrayList<>();
    for (int key = 0; key < MAX_PREPARES; key++) {
      tokens.add(prepare(key, "p", PLAIN));
    }
    assertThat(prepareOutcome(100, "q")).isEqualTo(PrepareOutcome.NO_ROOM);
    cache.commit(tokens.get(0));
    assertThat(prepareOutcome(100, "q")).isEqualTo(PrepareOutcome.PREPARED);
    assertThat(cache.monitor().stats().maxPrepares()).isEqualTo(MAX_PREPARES);
    assertThat(cache.monitor().stats().refusedNoRoom()).isEqualTo(1);
  }

  @Test
  void expiredLeaseAborts() {
    put(KEY, "c");
    PrepareToken token = prepare(KEY, "p", PLAIN);
    now += LEASE_NANOS - 1;
    assertThat(put(KEY, "d")).isEqualTo(IN_PROGRESS);
    now++;
    assertForRead("c");
    assertThat(put(KEY, "d")).isEqualTo(REPLACED);
    assertThat(cache.commit(token)).isEqualTo(STALE);
    assertThat(cache.abort(token)).isEqualTo(STALE);
    assertForRead("d");
    assertThat(cache.monitor().stats().expirations()).isEqualTo(1);
  }

  @Test
  void commitAfterTheLeaseFailsThoughNobodyLookedAtIt() {
    PrepareToken token = prepare(KEY, "p", PLAIN);
    now += LEASE_NANOS;
    assertThat(cache.commit(token)).isEqualTo(STALE);
    assertForRead(null);
    assertThat(cache.monitor().stats().occupancy()).isZero();
  }

  @Test
  void commitBeforeTheLeaseStaysCommittedAfterIt() {
    PrepareToken token = prepare(KEY, "p", PLAIN);
    cache.commit(token);
    now += LEASE_NANOS;
    assertThat(cache.commit(token)).isEqualTo(OK);
  }

  /** Neither version can be relied on: both leave. */
  @Test
  void expiredLeaseInDoubtForgetsBothVersions() {
    put(KEY, "c");
    prepare(KEY, "p", IN_DOUBT);
    prepare(OTHER, "q", IN_DOUBT);
    now += LEASE_NANOS;
    assertForRead(null);
    assertThat(cache.expireLeases()).isEqualTo(1);
    assertThat(cache.monitor().stats().occupancy()).isZero();
    assertThat(cache.monitor().stats().items()).isZero();
  }

  @Test
  void expiredLeasesMakeRoomUnderTheCap() {
    for (int key = 0; key < MAX_PREPARES; key++) {
      prepare(key, "p", PLAIN);
      now += 10;
    }
    assertThat(prepareOutcome(100, "q")).isEqualTo(PrepareOutcome.NO_ROOM);
    now += LEASE_NANOS - 30;
    assertThat(prepareOutcome(100, "q")).isEqualTo(PrepareOutcome.PREPARED);
    assertThat(cache.monitor().stats().prepares()).isEqualTo(MAX_PREPARES - 1);
  }

  @Test
  void tokenOfAnotherCacheIsStale() {
    VersionedCache<String> another = newCache();
    PrepareToken foreign = another.prepare(HI, KEY, "p", 20, PLAIN).orThrow();
    prepare(KEY, "q", PLAIN);
    assertThat(cache.commit(foreign)).isEqualTo(STALE);
    assertThat(cache.abort(foreign)).isEqualTo(STALE);
    assertForWrite("q");
    assertThat(another.readVersions(HI, KEY).prepared()).isNotNull();
    PrepareToken forged =
        new PrepareToken() {
          @Override
          public long keyHi() {
            return HI;
          }

          @Override
          public long keyLo() {
            return KEY;
          }

          @Override
          public long id() {
            return 1;
          }
        };
    assertThat(cache.commit(forged)).isEqualTo(STALE);
  }
}
