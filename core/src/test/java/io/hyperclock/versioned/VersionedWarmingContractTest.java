/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import static io.hyperclock.versioned.Decision.OK;
import static io.hyperclock.versioned.PrepareMode.IN_DOUBT;
import static io.hyperclock.versioned.PrepareMode.PLAIN;
import static io.hyperclock.versioned.WriteResult.INSERTED;
import static io.hyperclock.versioned.WriteResult.IN_PROGRESS;
import static io.hyperclock.versioned.WriteResult.KEPT_EXISTING;
import static io.hyperclock.versioned.WriteResult.REPLACED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What every cache of two versions does with committed values that are brought in beside prepared
 * ones.
 */
abstract class VersionedWarmingContractTest extends VersionedCacheContractTest {
  private WriteResult insert(String value) {
    return cache.insert(HI, KEY, value, 30);
  }

  @Test
  void insertAddsWhatIsAbsentAndKeepsWhatIsThere() {
    assertThat(insert("c")).isEqualTo(INSERTED);
    assertForRead("c");
    assertThat(insert("d")).isEqualTo(KEPT_EXISTING);
    prepare(KEY, "p", PLAIN);
    assertThat(insert("d")).isEqualTo(KEPT_EXISTING);
    assertForRead("c");
    assertThat(cache.monitor().stats().itemBytes()).isEqualTo(30);
    assertThat(cache.monitor().stats().refusedInProgress()).isZero();
  }

  /** A cache is warmed: the prepared versions first, then what is committed. */
  @Test
  void warmupPendingAddedBeforeCommitted() {
    PrepareToken token = prepare(KEY, "p", PLAIN);
    assertThat(put(KEY, "x")).isEqualTo(IN_PROGRESS);
    assertForRead(null);
    assertThat(insert("c")).isEqualTo(INSERTED);
    assertForRead("c");
    assertForWrite("p");
    assertThat(cache.readVersions(HI, KEY))
        .isEqualTo(new Versions<>("c", new PreparedVersion<>("p", 20, PLAIN, false, token.id())));
    assertThat(insert("d")).isEqualTo(KEPT_EXISTING);
    // What was brought in counts as a committed value for every writer, too.
    assertThat(cache.replace(HI, KEY, "x", 10)).isEqualTo(IN_PROGRESS);
    assertThat(cache.erase(HI, KEY)).isEqualTo(IN_PROGRESS);
    assertFigures(1, 30, 1, 20);
  }

  private void assertFigures(long items, long itemBytes, long prepares, long preparedBytes) {
    VersionedStats stats = cache.monitor().stats();
    assertThat(stats.items()).isEqualTo(items);
    assertThat(stats.itemBytes()).isEqualTo(itemBytes);
    assertThat(stats.prepares()).isEqualTo(prepares);
    assertThat(stats.preparedBytes()).isEqualTo(preparedBytes);
    assertThat(stats.usageBytes()).isEqualTo(itemBytes + preparedBytes);
    assertThat(stats.occupancy()).isEqualTo(Math.max(items, prepares));
  }

  @Test
  void commitTakesThePlaceOfWhatWasBroughtIn() {
    PrepareToken token = prepare(KEY, "p", PLAIN);
    insert("c");
    assertThat(cache.commit(token)).isEqualTo(OK);
    assertForRead("p");
    assertFigures(1, 20, 0, 0);
    assertThat(insert("d")).isEqualTo(KEPT_EXISTING);
  }

  @Test
  void abortLeavesWhatWasBroughtIn() {
    PrepareToken token = prepare(KEY, "p", PLAIN);
    insert("c");
    assertThat(cache.abort(token)).isEqualTo(OK);
    assertForRead("c");
    assertForWrite("c");
    assertFigures(1, 30, 0, 0);
    assertThat(put(KEY, "d")).isEqualTo(REPLACED);
    assertFigures(1, 10, 0, 0);
  }

  @Test
  void committedDeleteRemovesWhatWasBroughtIn() {
    PrepareToken token = prepareDelete(KEY);
    insert("c");
    assertForRead("c");
    assertForWrite(null);
    cache.commit(token);
    assertForRead(null);
    assertFigures(0, 0, 0, 0);
  }

  @Test
  void whatIsInDoubtStaysSoAndIsForgottenWithWhatWasBroughtIn() {
    prepare(KEY, "p", IN_DOUBT);
    assertThat(insert("c")).isEqualTo(INSERTED);
    assertInDoubt(KEY);
    assertForWrite("p");
    now += LEASE_NANOS;
    assertForRead(null);
    assertFigures(0, 0, 0, 0);
    assertThat(insert("d")).isEqualTo(INSERTED);
    assertForRead("d");
  }

  @Test
  void marksAfterwardsPutInDoubtWhatWasBroughtIn() {
    PrepareToken token = prepare(KEY, "p", PLAIN);
    insert("c");
    assertForRead("c");
    assertThat(cache.markInDoubt((hi, lo) -> lo == KEY)).isEqualTo(1);
    assertInDoubt(KEY);
    cache.abort(token);
    assertForRead("c");
  }

  @Test
  void endOfALeaseLeavesWhatWasBroughtIn() {
    prepare(KEY, "p", PLAIN);
    insert("c");
    now += LEASE_NANOS;
    assertThat(cache.expireLeases()).isEqualTo(1);
    assertForRead("c");
    assertFigures(1, 30, 0, 0);
    prepare(OTHER, "q", PLAIN);
    now += LEASE_NANOS;
    assertThat(cache.insert(HI, OTHER, "e", 5)).isEqualTo(INSERTED);
    assertThat(cache.readVersions(HI, OTHER).prepared()).isNull();
    assertThat(cache.get(HI, OTHER)).isEqualTo("e");
  }

  @Test
  void whatWasBroughtInBesideAGroupIsDecidedWithIt() {
    for (boolean commits : new boolean[] {true, false}) {
      PrepareGroup group = cache.newGroup();
      cache.prepare(HI, KEY, "p", 20, PLAIN, group).orThrow();
      assertThat(insert("c")).isEqualTo(INSERTED);
      assertForRead("c");
      assertThat(commits ? group.commit() : group.abort()).isEqualTo(OK);
      assertForRead(commits ? "p" : "c");
      cache.erase(HI, KEY);
      assertFigures(0, 0, 0, 0);
    }
  }

  @Test
  void visitorsSeeWhatWasBroughtIn() {
    prepare(KEY, "p", PLAIN);
    insert("c");
    List<String> seen = new ArrayList<>();
    cache
        .monitor()
        .forEach(
            (hi, lo, versions) ->
                seen.add(versions.committed() + "/" + versions.prepared().value()));
    assertThat(seen).containsExactly("c/p");
    assertThat(cache.monitor().namespaceStats((int) (KEY % NAMESPACES)).items()).isEqualTo(1);
  }
}
