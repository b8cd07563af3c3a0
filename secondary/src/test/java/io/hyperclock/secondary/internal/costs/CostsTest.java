/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.costs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.EntryType;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is decided, with a clock that the test moves. */
class CostsTest {
  private static final EntryType<Object> TYPE = EntryType.of("block");
  private static final EntryType<Object> OTHER = EntryType.of("other");
  private static final int END = 1;
  private static final int TRIES = 10_000;
  private static final int LOOKUPS = 600;

  /** Many times as many as it takes at most. */
  private static final int FOR_EVER = 1_000_000;

  private long now = 1_000_000;
  private final Costs costs = new Costs(1, true, () -> now, new SplittableRandom(1));

  private void load(long nanos) {
    long begun = costs.now();
    now += nanos;
    costs.loaded(TYPE, begun);
  }

  private void hit(long nanos) {
    long begun = costs.now();
    now += nanos;
    costs.hit(0, TYPE, begun);
  }

  private void encode(long nanos) {
    long begun = costs.now();
    now += nanos;
    costs.inserted(0, TYPE, begun);
  }

  /** So many values leave, of which every so manieth comes back. */
  private void leave(int evictions, int everyOneComesBack) {
    for (int i = 0; i < evictions; i++) {
      costs.evicted(TYPE);
      if (everyOneComesBack > 0 && i % everyOneComesBack == 0) {
        costs.returned(TYPE, 0);
      }
    }
  }

  /** How many of so many values move that leave at some distance in time. */
  private int moved() {
    return movedEach(Costs.NANOS_BETWEEN_MOVES);
  }

  private int movedEach(long nanos) {
    int moved = 0;
    for (int i = 0; i < TRIES; i++) {
      now += nanos;
      moved += costs.destination(TYPE, END) < END ? 1 : 0;
    }
    return moved;
  }

  /** Of so few that what is known does not fade much meanwhile. */
  private int passed() {
    int passed = 0;
    for (int i = 0; i < LOOKUPS; i++) {
      passed += costs.passesBy(0, TYPE) ? 1 : 0;
    }
    return passed;
  }

  private void assertPassedBy() {
    assertThat(passed()).isBetween(LOOKUPS * 9 / 10, LOOKUPS - 1);
  }

  private static void assertTrickle(int count) {
    assertThat(count).isBetween(TRIES / Costs.PROBE / 2, TRIES / Costs.PROBE * 2);
  }

  @Test
  void whatIsNotKnownMoves() {
    assertThat(moved()).isEqualTo(TRIES);
    leave(1000, 0);
    assertThat(moved()).as("no load is known").isEqualTo(TRIES);
    load(1000);
    assertTrickle(moved());
  }

  @Test
  void movesWhatSavesMoreThanItsEncoding() {
    load(100_000);
    hit(10_000);
    encode(5_000);
    leave(1000, 10);
    assertThat(moved()).as("0.1 * 90 > 5 µs").isEqualTo(TRIES);
    for (int i = 0; i < 100; i++) {
      encode(15_000);
    }
    assertTrickle(moved());
    for (int i = 0; i < 100; i++) {
      load(1_000_000);
    }
    assertThat(moved()).as("loads have become slow").isEqualTo(TRIES);
  }

  @Test
  void whatDoesNotComeBackIsLeftAndTakenUpAgain() {
    load(100_000);
    hit(10_000);
    encode(5_000);
    leave(5000, 0);
    assertTrickle(moved());
    leave(5000, 2);
    assertThat(moved()).isEqualTo(TRIES);
  }

  @Test
  void howeverManyLeaveTheTrickleIsBoundedInTime() {
    load(100_000);
    leave(1000, 0);
    int times = 20;
    now += Costs.NANOS_BETWEEN_MOVES;
    assertThat(movedEach(times * Costs.NANOS_BETWEEN_MOVES / TRIES))
        .isBetween(times / 2, times + 1);
  }

  @Test
  void whatComesBackTooLateDoesNotCount() {
    load(100_000);
    costs.setReach(1000);
    for (int i = 0; i < 1000; i++) {
      costs.evicted(TYPE);
      costs.returned(TYPE, 1001);
    }
    assertTrickle(moved());
  }

  @Test
  void incompressibleTypesAreLeft() {
    load(1_000_000);
    leave(1000, 1);
    costs.sizes(TYPE, 1000, 870);
    assertThat(moved()).isEqualTo(TRIES);
    for (int i = 0; i < 100; i++) {
      costs.sizes(TYPE, 1000, 1000);
    }
    assertTrickle(moved());
  }

  @Test
  void tierThatIsSlowerThanLoadsIsPassedByUntilThatChanges() {
    load(100_000);
    hit(90_000);
    assertThat(passed()).isZero();
    for (int i = 0; i < 100; i++) {
      hit(200_000);
    }
    assertPassedBy();
    leave(1000, 1);
    assertTrickle(moved());
    for (int i = 0; i < 100; i++) {
      load(600_000);
    }
    assertThat(passed()).isZero();
    assertThat(moved()).isEqualTo(TRIES);
  }

  /** In between it stays as it is: asked if it was, passed by if it was. */
  @Test
  void decisionsDoNotSwing() {
    load(100_000);
    hit(105_000);
    assertThat(passed()).isZero();
    for (int i = 0; i < 200; i++) {
      hit(300_000);
    }
    assertPassedBy();
    for (int i = 0; i < 200; i++) {
      hit(101_000);
    }
    assertThat(costs.passesBy(0, TYPE) || costs.passesBy(0, TYPE)).isTrue();
  }

  @Test
  void tierThatIsPassedByGetsAnotherChance() {
    load(100_000);
    hit(300_000);
    int lookups = 0;
    while (passed() > 0) {
      lookups += LOOKUPS;
      assertThat(lookups).isLessThan(100 * LOOKUPS);
    }
    assertThat(lookups).isGreaterThan(LOOKUPS);
  }

  /** How many lookups it takes until it is asked again, which then is in vain. */
  private int lookupsUntilAChance() {
    TypeCosts known = costs.of(TYPE);
    assertThat(known.passesBy(0)).isTrue();
    int lookups = 0;
    while (known.passesBy(0) && lookups < FOR_EVER) {
      costs.passesBy(0, TYPE);
      lookups++;
    }
    assertThat(known.passesBy(0)).as("no chance in %d lookups", lookups).isFalse();
    while (!known.passesBy(0)) {
      hit(300_000);
    }
    return lookups;
  }

  @Test
  void chancesInVainMakeTheNextOnesRare() {
    load(100_000);
    hit(300_000);
    int first = lookupsUntilAChance();
    assertThat(first).isBetween(500, 4_000);
    for (int i = 0; i < 5; i++) {
      lookupsUntilAChance();
    }
    for (int i = 0; i < 5; i++) {
      assertThat(lookupsUntilAChance()).isBetween(4_000, 16_000);
    }
    for (int i = 0; i < 100; i++) {
      load(1_000_000);
    }
    assertThat(passed()).as("loads have become slow").isZero();
    for (int i = 0; i < 20; i++) {
      hit(100_000);
    }
    for (int i = 0; i < 100; i++) {
      load(100_000);
      hit(300_000);
    }
    assertThat(lookupsUntilAChance()).as("it had proved to pay").isLessThan(2 * first);
  }

  @Test
  void typesAreJudgedApart() {
    load(1000);
    leave(1000, 0);
    assertTrickle(moved());
    assertThat(costs.destination(OTHER, END)).isZero();
  }

  /** One pause, one jump of the clock: nothing is decided by either. */
  @Test
  void clockThatJumpsDecidesNothing() {
    for (int i = 0; i < 100; i++) {
      load(100_000);
      hit(10_000);
    }
    hit(Long.MAX_VALUE / 4);
    hit(-1_000_000_000_000L);
    assertThat(passed()).isZero();
    load(-5);
    hit(Long.MIN_VALUE / 4);
    assertThat(passed()).isZero();
  }

  @Test
  void callersLoadsAreTimedFromMissToInsert() {
    hit(50_000);
    for (int key = 0; key < 1000; key++) {
      costs.missed(1, key);
      now += 10_000;
      costs.filled(1, key, TYPE);
      costs.filled(1, key, TYPE);
    }
    assertPassedBy();
  }

  @Test
  void noInsertWithoutAMissIsALoad() {
    for (int key = 0; key < 1000; key++) {
      costs.filled(0, key, TYPE);
      costs.filled(key, 0, TYPE);
    }
    assertThat(costs.of(TYPE).load.isKnown()).isFalse();
  }

  @Test
  void moreTypesThanAreToldApartShareTheirFigures() {
    for (int i = 0; i < 1000; i++) {
      EntryType<Object> type = EntryType.of("type " + i);
      costs.evicted(type);
      assertThat(costs.destination(type, END)).isZero();
    }
  }

  /** Of two tiers, with a type that is asked for again each time; loads take 1 ms, hits 10 µs. */
  private Costs twoTiers(boolean sharesMemory, long firstEncodes, long secondEncodes) {
    Costs two = new Costs(2, sharesMemory, () -> now, new SplittableRandom(1));
    TypeCosts type = two.of(TYPE);
    type.load.add(1_000_000);
    type.hit[0].add(10_000);
    type.hit[1].add(10_000);
    type.encode[0].add(firstEncodes);
    type.encode[1].add(secondEncodes);
    for (int i = 0; i < 1000; i++) {
      two.evicted(TYPE);
      two.returned(TYPE, 0);
    }
    return two;
  }

  @Test
  void valuesGoToTheFirstTierThatIsWorthIt() {
    long tooMuch = 5_000_000;
    assertThat(twoTiers(true, 1_000, 1_000).destination(TYPE, 2)).isZero();
    Costs second = twoTiers(true, tooMuch, 1_000);
    assertThat(second.destination(TYPE, 2)).isEqualTo(1);
    assertThat(second.destination(TYPE, 1)).as("the second has it").isEqualTo(1);
    assertThat(twoTiers(true, tooMuch, tooMuch).destination(TYPE, 2)).isEqualTo(2);
  }

  /** In the nearest, if it has its room from the primary, they take as much as they had above. */
  @Test
  void incompressibleTypesGoToTiersWithRoomOfTheirOwn() {
    for (boolean sharesMemory : new boolean[] {true, false}) {
      Costs two = twoTiers(sharesMemory, 1_000, 1_000);
      two.sizes(TYPE, 1000, 1000);
      assertThat(two.destination(TYPE, 2)).isEqualTo(sharesMemory ? 1 : 0);
    }
  }
}
