/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.CountingSlotStore;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.versioned.Decision;
import io.hyperclock.versioned.PrepareGroup;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareOutcome;
import io.hyperclock.versioned.Versions;
import io.hyperclock.versioned.WriteResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A group has its verdict, and the thread that gave it has stopped before the first member has it
 * written down: other threads find all members decided, and write down what is in their way.
 */
@Tag("versioned")
@Timeout(60)
class DecidedGroupTest {
  private static final long HI = 3;
  private static final long ALONE = 1;
  private static final long PRESENT = 2;

  private Runnable other = () -> {};
  private final DefaultVersionedCache<String> cache =
      new DefaultVersionedCache<>(
          StrictConfig.of(() -> 0), slots -> new CountingSlotStore(slots, this::access));
  private final PrepareGroup group = cache.newGroup();

  private void access() {
    Runnable once = other;
    other = () -> {};
    once.run();
  }

  /** Prepares a value, or a delete, of a key without one, and a value of a key with one. */
  private void prepare(String valueOfAlone) {
    cache.put(HI, PRESENT, "c", 10);
    int charge = valueOfAlone == null ? 0 : 20;
    cache.prepare(HI, ALONE, valueOfAlone, charge, PrepareMode.PLAIN, group).orThrow();
    cache.prepare(HI, PRESENT, "p", 20, PrepareMode.PLAIN, group).orThrow();
  }

  private void decide(boolean commits, Runnable within) {
    boolean[] ran = {false};
    other =
        () -> {
          ran[0] = true;
          within.run();
        };
    assertThat(commits ? group.commit() : group.abort()).isEqualTo(Decision.OK);
    assertThat(ran[0]).isTrue();
    assertThat(cache.monitor().stats().prepares()).isZero();
    assertThat(cache.monitor().stats().refusedInProgress()).isZero();
    assertThat(VersionedInvariants.violations(cache)).isEmpty();
  }

  @Test
  void writersOfCommittedMembersGoOn() {
    prepare("p");
    decide(
        true,
        () -> {
          assertThat(cache.get(HI, ALONE)).isEqualTo("p");
          assertThat(cache.readVersions(HI, ALONE)).isEqualTo(new Versions<>("p", null));
          assertThat(cache.put(HI, PRESENT, "v", 30)).isEqualTo(WriteResult.REPLACED);
          assertThat(cache.insert(HI, ALONE, "w", 40)).isEqualTo(WriteResult.KEPT_EXISTING);
          assertThat(cache.replace(HI, ALONE, "x", 50)).isEqualTo(WriteResult.REPLACED);
        });
    assertThat(cache.get(HI, ALONE)).isEqualTo("x");
    assertThat(cache.get(HI, PRESENT)).isEqualTo("v");
  }

  @Test
  void writersOfAbortedMembersGoOn() {
    prepare("p");
    decide(
        false,
        () -> {
          assertThat(cache.get(HI, PRESENT)).isEqualTo("c");
          assertThat(cache.erase(HI, ALONE)).isEqualTo(WriteResult.NOT_PRESENT);
          assertThat(cache.insert(HI, ALONE, "w", 40)).isEqualTo(WriteResult.INSERTED);
        });
    assertThat(cache.get(HI, ALONE)).isEqualTo("w");
    assertThat(cache.get(HI, PRESENT)).isEqualTo("c");
  }

  /** What is inserted after a delete was committed is not deleted by it. */
  @Test
  void anInsertAfterADeleteStays() {
    prepare(null);
    decide(
        true,
        () -> {
          assertThat(cache.get(HI, PRESENT)).as("the group is committed").isEqualTo("p");
          assertThat(cache.insert(HI, ALONE, "w", 40)).isEqualTo(WriteResult.INSERTED);
          assertThat(cache.get(HI, ALONE)).isEqualTo("w");
        });
    assertThat(cache.get(HI, ALONE)).isEqualTo("w");
  }

  @Test
  void theNextPrepareFollowsAtOnce() {
    prepare("p");
    PrepareOutcome[] outcome = new PrepareOutcome[1];
    other = () -> outcome[0] = cache.prepare(HI, PRESENT, "q", 60, PrepareMode.PLAIN).outcome();
    assertThat(group.commit()).isEqualTo(Decision.OK);
    assertThat(outcome[0]).isEqualTo(PrepareOutcome.PREPARED);
    assertThat(cache.get(HI, PRESENT)).isEqualTo("p");
    assertThat(cache.monitor().stats().prepares()).isEqualTo(1);
    assertThat(VersionedInvariants.violations(cache)).isEmpty();
  }

  /** It had joined the group before the verdict: it comes too late, and in nobody's place. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMemberOnItsWayTakesNoPlaceOfAnother(boolean isPresent) {
    long lo = 4;
    if (isPresent) {
      cache.put(HI, lo, "c", 10);
    }
    Prepare late = member(lo);
    assertThat(((Group) group).join(late)).isTrue();
    cache.prepare(HI, lo, "p", 20, PrepareMode.PLAIN, group).orThrow();
    prepare("p");
    long hash = new Buckets(Buckets.LEAST, 7).hash(HI, lo);
    decide(
        false,
        () ->
            assertThat(cache.shards[0].prepare(hash, late)).isEqualTo(PrepareOutcome.GROUP_ENDED));
    assertThat(cache.get(HI, lo)).isEqualTo(isPresent ? "c" : null);
  }

  private Prepare member(long lo) {
    return new Prepare(
        cache.shards[0], HI, lo, 99, "q", 0, 0, PrepareMode.PLAIN, Long.MAX_VALUE, (Group) group);
  }
}
