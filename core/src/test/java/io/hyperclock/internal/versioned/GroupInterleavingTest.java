/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.interleaving.Scenario;
import io.hyperclock.interleaving.Woven;
import io.hyperclock.versioned.Decision;
import io.hyperclock.versioned.PrepareGroup;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareToken;
import io.hyperclock.versioned.VersionedCache;
import io.hyperclock.versioned.VersionedCacheBuilder;
import io.hyperclock.versioned.WriteResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** [two-versions] A group is decided once, with all that have joined it. */
@Tag("versioned")
@Woven({"versioned", "slot"})
class GroupInterleavingTest {
  private static final int PREEMPTIONS = 2;

  /** A group, and prepares that come to no slot. */
  private static final class Members {
    final DefaultVersionedCache<?> cache = (DefaultVersionedCache<?>) newCache();
    final Group group = (Group) cache.newGroup();
    final Prepare first = prepare(1);
    final Prepare second = prepare(2);
    volatile Decision decision;
    volatile boolean joined;

    private static VersionedCache<String> newCache() {
      VersionedCacheBuilder<String> builder = VersionedCache.builder();
      return builder
          .capacityBytes(1000)
          .estimatedEntryCharge(100)
          .shards(1)
          .nanoClock(() -> 0)
          .build();
    }

    private Prepare prepare(long lo) {
      VersionedShard shard = cache.shards[0];
      return new Prepare(shard, 0, lo, lo, "p", 0, 0, PrepareMode.PLAIN, Long.MAX_VALUE, group);
    }

    void joinBySecond() {
      joined = group.join(second);
    }

    /** As a prepare that another one of its key keeps out. */
    void joinBySecondInVain() {
      if (group.join(second)) {
        second.discard();
        group.leave(second);
      }
    }

    void commit() {
      decision = group.commit();
    }

    void abort() {
      decision = group.abort();
    }

    /** A group with a member on its way is not committed; who came too late knows it. */
    void checkCommit() {
      if (decision == Decision.IN_PROGRESS) {
        assertThat(joined).isTrue();
        assertThat(group.verdict()).isEqualTo(Prepare.PENDING);
      } else {
        assertThat(decision).isEqualTo(Decision.OK);
        assertThat(group.verdict()).isEqualTo(Prepare.COMMITTED);
        assertThat(joined).isFalse();
        assertThat(second.isNew()).isTrue();
      }
    }

    void checkAbort() {
      assertThat(decision).isEqualTo(Decision.OK);
      assertThat(group.verdict()).isEqualTo(Prepare.ABORTED);
      assertThat(second.isNew()).as("withdrawn if it had joined").isEqualTo(!joined);
    }

    void checkMembers() {
      group.abort();
      assertThat(first.isNew()).isFalse();
      assertThat(second.isNew()).isFalse();
    }
  }

  @Test
  void allWhoJoinedAreMembers() {
    new Scenario<Members>(
            "two join",
            Members::new,
            Members::checkMembers,
            members -> assertThat(members.group.join(members.first)).isTrue(),
            members -> assertThat(members.group.join(members.second)).isTrue())
        .explore(PREEMPTIONS);
  }

  @Test
  void whoJoinsACommittedGroupIsTooLate() {
    new Scenario<>(
            "commit", Members::new, Members::checkCommit, Members::commit, Members::joinBySecond)
        .explore(PREEMPTIONS);
  }

  @Test
  void whoJoinsAnAbortedGroupIsTooLateOrEnded() {
    new Scenario<>(
            "abort", Members::new, Members::checkAbort, Members::abort, Members::joinBySecond)
        .explore(PREEMPTIONS);
  }

  @Test
  void oneOfTwoDecisionsHolds() {
    new Scenario<Members>(
            "decisions",
            Members::new,
            members -> assertThat(members.group.verdict()).isNotEqualTo(Prepare.PENDING),
            Members::commit,
            members -> {
              if (members.group.abort() == Decision.STALE) {
                assertThat(members.group.verdict()).isEqualTo(Prepare.COMMITTED);
              }
            })
        .explore(PREEMPTIONS);
  }

  @Test
  void whoLeavesTakesNobodyWithIt() {
    new Scenario<Members>(
            "leave beside join",
            Members::new,
            members -> {
              assertThat(VersionedInvariants.members(members.group)).isEqualTo(1);
              assertThat(members.group.commit()).isEqualTo(Decision.IN_PROGRESS);
              members.group.abort();
              assertThat(members.first.isNew()).as("not withdrawn").isFalse();
            },
            members -> members.group.join(members.first),
            Members::joinBySecondInVain)
        .explore(PREEMPTIONS);
    new Scenario<Members>(
            "two leave",
            Members::new,
            members -> assertThat(VersionedInvariants.members(members.group)).isZero(),
            Members::joinBySecondInVain,
            members -> {
              assertThat(members.group.join(members.first)).isTrue();
              members.first.discard();
              members.group.leave(members.first);
            })
        .explore(PREEMPTIONS);
  }

  /** The commit waits for it, or does without it; once it has left, nothing is in the way. */
  @Test
  void whoLeavesADecidedGroupChangesNothing() {
    new Scenario<Members>(
            "commit beside leave",
            Members::new,
            members -> {
              assertThat(members.decision).isIn(Decision.OK, Decision.IN_PROGRESS);
              assertThat(members.group.commit()).isEqualTo(Decision.OK);
              assertThat(members.group.verdict()).isEqualTo(Prepare.COMMITTED);
            },
            Members::commit,
            Members::joinBySecondInVain)
        .explore(PREEMPTIONS);
    new Scenario<Members>(
            "abort beside leave",
            Members::new,
            members -> {
              assertThat(members.decision).isEqualTo(Decision.OK);
              assertThat(members.group.verdict()).isEqualTo(Prepare.ABORTED);
            },
            Members::abort,
            Members::joinBySecondInVain)
        .explore(PREEMPTIONS);
  }

  /** A key whose prepared version two threads decide. */
  private static final class Decided {
    final VersionedCache<String> cache = Members.newCache();
    final PrepareToken token = cache.prepare(1, 1, "p", 1, PrepareMode.PLAIN).orThrow();

    void commit() {
      cache.commit(token);
      assertThat(cache.monitor().stats().prepares()).isZero();
    }

    void abort() {
      cache.abort(token);
      assertThat(cache.monitor().stats().prepares()).isZero();
    }

    void check() {
      assertThat(VersionedInvariants.violations(cache)).isEmpty();
      boolean committed = cache.monitor().stats().commits() == 1;
      assertThat(cache.get(1, 1)).isEqualTo(committed ? "p" : null);
      assertThat(cache.monitor().stats().aborts()).isEqualTo(committed ? 0 : 1);
    }
  }

  @Test
  void whoDecidesReturnsWhenItIsWrittenDown() {
    new Scenario<>("verdicts", Decided::new, Decided::check, Decided::commit, Decided::abort)
        .explore(1);
  }

  /** A group that one thread aborts while another prepares in it. */
  private static final class Aborted {
    final VersionedCache<String> cache = Members.newCache();
    final PrepareGroup group = cache.newGroup();

    void prepare() {
      cache.prepare(1, 1, "p", 1, PrepareMode.PLAIN, group);
    }

    void check() {
      assertThat(cache.monitor().stats().prepares()).isZero();
      assertThat(VersionedInvariants.violations(cache)).isEmpty();
      assertThat(cache.put(1, 1, "q", 1)).isEqualTo(WriteResult.INSERTED);
    }
  }

  @Test
  void noMemberOutlivesItsGroup() {
    new Scenario<Aborted>(
            "abort beside prepare",
            Aborted::new,
            Aborted::check,
            Aborted::prepare,
            aborted -> aborted.group.abort())
        .explore(1);
  }
}
