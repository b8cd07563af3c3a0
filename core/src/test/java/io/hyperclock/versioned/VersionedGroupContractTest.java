/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import static io.hyperclock.versioned.Decision.OK;
import static io.hyperclock.versioned.Decision.STALE;
import static io.hyperclock.versioned.PrepareMode.IN_DOUBT;
import static io.hyperclock.versioned.PrepareMode.PLAIN;
import static io.hyperclock.versioned.WriteResult.REPLACED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every cache of two versions does, with groups and visitors too. */
abstract class VersionedGroupContractTest extends VersionedWarmingContractTest {
  @Test
  void visitorSeesBothVersions() {
    put(1, "c");
    PrepareToken first = prepare(1, "p", PLAIN);
    PrepareToken second = prepare(2, "q", IN_DOUBT);
    put(3, "d");
    List<String> seen = new ArrayList<>();
    cache
        .monitor()
        .forEach(
            (hi, lo, versions) ->
                seen.add(
                    lo
                        + versions.committed()
                        + (versions.prepared() == null ? "" : versions.prepared().id())));
    assertThat(seen).containsExactlyInAnyOrder("1c" + first.id(), "2null" + second.id(), "3d");
  }

  @Test
  void groupIsCommittedAtOnce() {
    put(1, "a");
    put(2, "b");
    PrepareGroup group = cache.newGroup();
    cache.prepare(HI, 1, "A", 20, PLAIN, group).orThrow();
    cache.prepare(HI, 2, null, 0, PLAIN, group).orThrow();
    cache.prepare(HI, 3, "C", 20, PLAIN, group).orThrow();
    assertThat(List.of(cache.get(HI, 1), cache.get(HI, 2))).containsExactly("a", "b");
    assertThat(cache.get(HI, 3)).isNull();
    assertThat(group.commit()).isEqualTo(OK);
    assertThat(List.of(cache.get(HI, 1), cache.get(HI, 3))).containsExactly("A", "C");
    assertThat(cache.get(HI, 2)).isNull();
    assertThat(group.commit()).isEqualTo(OK);
    assertThat(group.abort()).isEqualTo(STALE);
    assertThat(cache.monitor().stats().prepares()).isZero();
    assertThat(cache.monitor().stats().commits()).isEqualTo(3);
    assertThat(put(1, "later")).isEqualTo(REPLACED);
  }

  @Test
  void groupIsAborted() {
    put(1, "a");
    PrepareGroup group = cache.newGroup();
    cache.prepare(HI, 1, "A", 20, PLAIN, group).orThrow();
    cache.prepare(HI, 2, "B", 20, IN_DOUBT, group).orThrow();
    assertInDoubt(2);
    assertThat(group.abort()).isEqualTo(OK);
    assertThat(cache.get(HI, 1)).isEqualTo("a");
    assertThat(cache.get(HI, 2)).isNull();
    assertThat(group.commit()).isEqualTo(STALE);
    assertThat(group.abort()).isEqualTo(OK);
    assertThat(cache.monitor().stats().occupancy()).isEqualTo(1);
  }

  @Test
  void groupThatHasEndedTakesNoMore() {
    PrepareGroup group = cache.newGroup();
    assertThat(group.commit()).isEqualTo(OK);
    assertThat(cache.prepare(HI, 1, "A", 20, PLAIN, group).outcome())
        .isEqualTo(PrepareOutcome.GROUP_ENDED);
    assertThat(cache.monitor().stats().prepares()).isZero();
    assertThat(cache.monitor().stats().occupancy()).isZero();
  }

  @Test
  void memberOfAGroupIsNotDecidedAlone() {
    PrepareGroup group = cache.newGroup();
    PrepareToken token = cache.prepare(HI, 1, "A", 20, PLAIN, group).orThrow();
    assertThatThrownBy(() -> cache.commit(token)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> cache.abort(token)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> newCache().prepare(HI, 1, "A", 20, PLAIN, group))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void groupEndsWithItsFirstLease() {
    put(1, "a");
    PrepareGroup group = cache.newGroup();
    cache.prepare(HI, 1, "A", 20, PLAIN, group).orThrow();
    now += LEASE_NANOS / 2;
    cache.prepare(HI, 2, "B", 20, PLAIN, group).orThrow();
    now += LEASE_NANOS / 2;
    assertThat(group.commit()).isEqualTo(STALE);
    assertThat(cache.get(HI, 1)).isEqualTo("a");
    assertThat(cache.get(HI, 2)).isNull();
    assertThat(cache.monitor().stats().expirations()).isEqualTo(2);
  }

  @Test
  void prepareThatFailsLeavesItsGroupAlone() {
    prepare(1, "p", PLAIN);
    PrepareGroup group = cache.newGroup();
    assertThat(cache.prepare(HI, 1, "A", 20, PLAIN, group).outcome())
        .isEqualTo(PrepareOutcome.IN_PROGRESS);
    cache.prepare(HI, 2, "B", 20, PLAIN, group).orThrow();
    assertThat(group.commit()).isEqualTo(OK);
    assertThat(cache.get(HI, 2)).isEqualTo("B");
    assertForWrite("p");
  }
}
