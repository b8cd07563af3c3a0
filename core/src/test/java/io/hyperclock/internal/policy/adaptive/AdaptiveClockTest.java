/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.Priority;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.ChargeWord;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much an insert has to look at, over a table that is nothing but slots. */
class AdaptiveClockTest {
  private static final int ENTRIES = 1000;
  private static final int SLOTS = 1432;

  private final PolicyTable table = new PolicyTable(SLOTS, ENTRIES);

  private void assertWhole() {
    assertThat(PolicyInvariants.violations(table.clock)).isEmpty();
    assertThat(table.clock.usage.probation() + table.clock.usage.main())
        .isEqualTo(table.slotOf.size());
  }

  /** Hits of a workload where frequency is all that counts. */
  private static long hits(int underWay) {
    PolicyTable table = new PolicyTable(SLOTS, ENTRIES);
    table.underWay = underWay;
    long hits = 0;
    for (int i = 0; i < 300_000; i++) {
      double u = table.random.nextDouble();
      long key = (long) (u * u * u * 10 * ENTRIES);
      if (table.use(key)) {
        hits++;
      } else {
        table.insert(key, Priority.LOW);
      }
    }
    return hits;
  }

  /** Threads that were stopped amid an insert cost the others their room, and not more. */
  @Test
  void insertsUnderWayDoNotOpenMain() {
    assertThat(hits(8)).isGreaterThan(hits(0) * 98 / 100);
  }

  @Test
  void insertsLookAtFewEntries() {
    long most = 0;
    long inserts = 0;
    for (int i = 0; i < 200_000; i++) {
      double u = table.random.nextDouble();
      long key = (long) (u * u * u * 10 * ENTRIES);
      if (!table.use(key)) {
        most = Math.max(most, table.insert(key, Priority.LOW));
        inserts++;
      }
    }
    assertThat(most).isLessThanOrEqualTo(AdaptiveClock.LOOKS + 1);
    assertThat(table.looks / (double) inserts).isLessThan(8);
    assertThat(table.occupancy()).isBetween(ENTRIES - 3L, (long) ENTRIES);
    assertWhole();
  }

  /** The worst there is: everything was used since the last insert. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 100})
  void insertsLookAtFewEntriesEvenIfAllAreHot(int every) {
    table.deaths = 0;
    for (int key = 0; key < ENTRIES; key++) {
      table.insert(key, Priority.LOW);
    }
    long most = 0;
    for (int i = 0; i < 3000; i++) {
      if (i % every == 0) {
        table.slotOf.keySet().forEach(table::use);
      }
      most = Math.max(most, table.insert(ENTRIES + i, Priority.LOW));
      assertThat(table.occupancy()).isLessThanOrEqualTo(ENTRIES);
    }
    assertThat(most).isLessThanOrEqualTo(AdaptiveClock.LOOKS + 1);
    assertWhole();
  }

  /** A quarter is held, always the latest, so that every newcomer is when its turn comes. */
  @Test
  void insertsPassWhatIsHeldOnce() {
    int held = ENTRIES / 4;
    for (int key = 0; key < 20 * ENTRIES; key++) {
      table.insert(key, Priority.LOW);
      table.hold(key);
      if (key >= held) {
        table.release(key - held);
      }
    }
    assertThat(table.pinnedSeen / (20.0 * ENTRIES)).isLessThan(2);
    assertThat(table.slotsSeen / (20.0 * ENTRIES)).isLessThan(10);
    assertWhole();
  }

  /** All but some are held for good: main has nothing to give, what came since must make room. */
  @ParameterizedTest
  @ValueSource(ints = {10, 50, 200, 1000})
  void insertsFindTheFewThatAreNotHeld(int oneOf) {
    for (int key = 0; key < ENTRIES; key++) {
      table.insert(key, Priority.LOW);
    }
    int seen = 0;
    for (long key : List.copyOf(table.slotOf.keySet())) {
      if (seen++ % oneOf != 0) {
        table.hold(key);
      }
    }
    table.slotsSeen = 0;
    for (int key = ENTRIES; key < 20 * ENTRIES; key++) {
      table.insert(key, Priority.LOW);
      assertThat(table.occupancy()).isLessThanOrEqualTo(ENTRIES);
    }
    assertThat(table.slotsSeen / (19.0 * ENTRIES)).isLessThan(AdaptiveClock.LOOKS + 2);
    assertWhole();
  }

  @Test
  void highPriorityNeedsNoProbation() {
    for (int key = 0; key < 100; key++) {
      table.insert(key, Priority.HIGH);
    }
    assertThat(table.clock.usage.main()).isEqualTo(100);
    assertThat(table.ring().length).isZero();
    table.insert(100, Priority.BOTTOM);
    assertThat(table.clock.usage.probation()).isEqualTo(1);
  }

  @Test
  void fillingUpKeepsProbationAtItsShare() {
    for (int key = 0; key < ENTRIES - 10; key++) {
      table.insert(key, Priority.LOW);
    }
    assertThat(table.evictions).isZero();
    assertThat(table.clock.usage.probation()).isBetween(10L, 40L);
    assertWhole();
  }

  private static PolicyTable large() {
    return new PolicyTable(4 * SLOTS, 4 * ENTRIES);
  }

  /**
   * Main has few entries then that were not used, and each insert looks for one: the hand goes
   * round faster than the ring.
   *
   * @param check is run now and then
   */
  private static void useNearlyAll(PolicyTable large, long seed, Runnable check) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 2000 * ENTRIES; i++) {
      long key = random.nextInt(4 * ENTRIES * 11 / 10);
      if (!large.use(key)) {
        large.insert(key, Priority.LOW);
      }
      if (i % 100 == 0) {
        large.clock.learned.vote(0, 1); // So that all candidates are compared.
      }
      if (i % ENTRIES == 0) {
        check.run();
      }
    }
  }

  /** The entries that the ring has; those that have left are not counted. */
  private static int inRing(PolicyTable large, IntPredicate kept) {
    ProbationRing ring = large.ring();
    int entries = 0;
    for (int tokens = ring.length; tokens > 0; tokens--) {
      long token = ring.pop();
      int slot = ProbationRing.slot(token);
      if (ProbationRing.isTenant(token, large.store.tailAcquire(slot)) && kept.test(slot)) {
        entries++;
      }
      ring.push(token);
    }
    return entries;
  }

  private static boolean isMain(PolicyTable table, int slot) {
    return ChargeWord.isMain(table.store.coldAcquire(slot));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void whatTheRingHasIsNotAdoptedInALargeTable(long seed) {
    PolicyTable large = large();
    useNearlyAll(
        large,
        seed,
        () -> assertThat(inRing(large, slot -> isMain(large, slot))).as("seed=%d", seed).isZero());
    assertThat(PolicyInvariants.violations(large.clock)).isEmpty();
  }

  /** What no ring has is adopted all the same. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void whatTheRingHasLostIsAdoptedInALargeTable(long seed) {
    PolicyTable large = large();
    for (int key = 0; key < 4 * ENTRIES; key++) {
      large.insert(key, Priority.LOW);
    }
    while (large.ring().pop() != ProbationRing.NONE) {}
    assertThat(large.clock.usage.probation()).isPositive();
    useNearlyAll(large, seed, () -> {});
    assertThat((long) inRing(large, slot -> !isMain(large, slot)))
        .as("seed=%d", seed)
        .isEqualTo(large.clock.usage.probation());
  }

  /** What the ring has lost is adopted by main at the hand's second visit. */
  @Test
  void entriesThatTheRingHasLostAreNotLost() {
    for (int key = 0; key < ENTRIES; key++) {
      table.insert(key, Priority.LOW);
    }
    while (table.ring().pop() != ProbationRing.NONE) {}
    for (int key = ENTRIES; key < 30 * ENTRIES; key++) {
      table.insert(key, Priority.LOW);
    }
    assertThat(table.slotOf.keySet().stream().filter(key -> key < ENTRIES).count()).isLessThan(60);
    for (int i = 0; i < 60; i++) {
      for (int key = 0; key < ENTRIES; key++) {
        long other = 1_000_000 + key;
        if (!table.use(other)) {
          table.insert(other, Priority.LOW);
        }
      }
    }
    assertThat(table.slotOf.keySet().stream().filter(key -> key < ENTRIES)).isEmpty();
    assertWhole();
  }

  @Test
  void everyEntryLeavesIfItMust() {
    insertsLookAtFewEntries();
    EvictionRequest all = new EvictionRequest(0);
    all.ask(ENTRIES, 0, EvictionRequest.NO_EFFORT_CAP);
    long held = table.occupancy();
    table.clock.makeRoom(table, all);
    table.clock.flush(all);
    assertThat(all.freedEntries()).isEqualTo(held);
    assertThat(table.occupancy()).isZero();
    assertWhole();
  }

  @Test
  void looksStayPositiveInTheLargestTables() {
    assertThat(VictimSearch.looks(0, 100)).isEqualTo(AdaptiveClock.LOOKS);
    assertThat(VictimSearch.looks(3, 100)).isEqualTo(3 * AdaptiveClock.LOOKS);
    assertThat(VictimSearch.looks(1000, 100)).isEqualTo(100 * AdaptiveClock.LOOKS);
    assertThat(VictimSearch.looks(Long.MAX_VALUE, 1 << 26)).isEqualTo(Integer.MAX_VALUE);
    assertThat(VictimSearch.looks(Long.MAX_VALUE, 1 << 30)).isEqualTo(Integer.MAX_VALUE);
  }

  /** Not for the room of many entries: that search would go round a thin table for minutes. */
  @Test
  void moreIsLookedAtInThinTablesForFewEntries() {
    int looks = AdaptiveClock.LOOKS;
    assertThat(VictimSearch.looksWhereThin(looks, 1, 1000)).isEqualTo(looks);
    assertThat(VictimSearch.looksWhereThin(looks, 16, 1000)).isEqualTo(16 * looks);
    assertThat(VictimSearch.looksWhereThin(looks, 16, 128)).isEqualTo(128);
    assertThat(VictimSearch.looksWhereThin(3 * looks, 16, 1000)).isEqualTo(16 * looks);
    assertThat(VictimSearch.looksWhereThin(32_000, 16, 1000)).isEqualTo(32_000);
  }
}
