/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import static io.hyperclock.internal.versioned.VersionedInvariants.members;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.versioned.Decision;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareOutcome;
import io.hyperclock.versioned.PrepareToken;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A group has the prepares that its decision is about, however often others were tried in vain. */
@Tag("versioned")
class GroupMembersTest {
  private static final long HI = 3;
  private static final long HELD = 1;
  private static final long FIRST = 2;
  private static final long SECOND = 4;
  private static final int TIMES = 10_000;

  private final DefaultVersionedCache<String> cache =
      new DefaultVersionedCache<>(StrictConfig.of(() -> 0));
  private final Group group = (Group) cache.newGroup();

  @AfterEach
  void isWhole() {
    assertThat(cache.monitor().stats().prepares()).isZero();
    assertThat(VersionedInvariants.violations(cache)).isEmpty();
  }

  private PrepareOutcome prepare(long lo, long chargeBytes) {
    return cache.prepare(HI, lo, "p" + lo, chargeBytes, PrepareMode.PLAIN, group).outcome();
  }

  private Group newGroupWithMember(long lo) {
    Group other = (Group) cache.newGroup();
    cache.prepare(HI, lo, "q" + lo, 20, PrepareMode.PLAIN, other).orThrow();
    return other;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void thoseKeptOutByAnotherLeaveAndTheOthersAreDecided(boolean commits) {
    PrepareToken other = cache.prepare(HI, HELD, "q", 20, PrepareMode.PLAIN).orThrow();
    assertThat(prepare(FIRST, 20)).isEqualTo(PrepareOutcome.PREPARED);
    for (int i = 0; i < TIMES; i++) {
      assertThat(prepare(HELD, 20)).isEqualTo(PrepareOutcome.IN_PROGRESS);
      if (i == TIMES / 2) {
        assertThat(prepare(SECOND, 20)).isEqualTo(PrepareOutcome.PREPARED);
      }
    }
    assertThat(members(group)).isEqualTo(2);
    assertThat(cache.abort(other)).isEqualTo(Decision.OK);
    assertThat(prepare(HELD, 20)).isEqualTo(PrepareOutcome.PREPARED);
    assertThat(members(group)).isEqualTo(3);
    assertThat(commits ? group.commit() : group.abort()).isEqualTo(Decision.OK);
    for (long lo : new long[] {HELD, FIRST, SECOND}) {
      assertThat(cache.get(HI, lo)).isEqualTo(commits ? "p" + lo : null);
    }
  }

  @Test
  void thoseWithoutRoomLeave() {
    for (int i = 0; i < TIMES; i++) {
      assertThat(prepare(FIRST, 1_000_000_000)).isEqualTo(PrepareOutcome.NO_ROOM);
    }
    assertThat(members(group)).isZero();
    assertThat(group.commit()).isEqualTo(Decision.OK);
  }

  /** Each leaves when another one has joined after it. */
  @Test
  void thoseWhoTakeTurnsLeave() {
    Prepare live = newPrepare(0);
    assertThat(group.join(live)).isTrue();
    Prepare last = newPrepare(1);
    assertThat(group.join(last)).isTrue();
    for (int i = 2; i < TIMES; i++) {
      Prepare next = newPrepare(i);
      assertThat(group.join(next)).isTrue();
      last.discard();
      group.leave(last);
      last = next;
    }
    assertThat(members(group)).isEqualTo(2);
    assertThat(group.commit()).as("two are on their way").isEqualTo(Decision.IN_PROGRESS);
    last.discard();
    group.leave(last);
    assertThat(group.commit()).as("one is on its way").isEqualTo(Decision.IN_PROGRESS);
    live.discard();
    group.leave(live);
    assertThat(group.commit()).isEqualTo(Decision.OK);
  }

  private Prepare newPrepare(long lo) {
    return new Prepare(
        cache.shards[0], HI, lo, lo, "p", 0, 0, PrepareMode.PLAIN, Long.MAX_VALUE, group);
  }

  @Test
  void whoComesAfterTheDecisionIsNoMember() {
    Group other = newGroupWithMember(HELD);
    assertThat(group.abort()).isEqualTo(Decision.OK);
    assertThat(prepare(HELD, 20)).isEqualTo(PrepareOutcome.GROUP_ENDED);
    assertThat(members(group)).isZero();
    assertThat(members(other)).isEqualTo(1);
    assertThat(other.commit()).isEqualTo(Decision.OK);
    assertThat(members(other)).as("to write down").isEqualTo(1);
    assertThat(cache.get(HI, HELD)).isEqualTo("q" + HELD);
  }
}
