/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SizingRuleTest {
  private static final long CAPACITY = 64L << 20;
  private static final int MOST = 1 << 20;

  private static SizingRule rule(long entries, long charge, long recent, int slots) {
    return new SizingRule(entries, entries * charge, CAPACITY, recent, slots, 0, 64, MOST);
  }

  private static int wanted(long entries, long charge, int slots) {
    return rule(entries, charge, charge, slots).wanted();
  }

  @Test
  void growsInEqualStepsToTheSizeOfAFullCache() {
    int slots = 256;
    long moved = 0;
    List<Integer> sizes = new ArrayList<>();
    for (long entries = 1; entries <= CAPACITY / 1024; entries++) {
      int wanted = wanted(entries, 1024, slots);
      if (wanted != 0) {
        assertThat(wanted).isBetween(slots * 5 / 4, slots * 4);
        moved += entries;
        slots = wanted;
        sizes.add(slots);
      }
    }
    assertThat(sizes).hasSize(5);
    assertThat(CAPACITY / 1024 / (double) slots).as("load when full").isBetween(0.63, 0.65);
    assertThat(sizes.get(3) / (double) slots).isBetween(0.249, 0.26);
    assertThat(moved / (CAPACITY / 1024.0)).as("moves of an entry").isLessThan(0.36);
  }

  @Test
  void growsEarlierWhereTheStepIsLarge() {
    assertThat(wanted(16_800, 1024, 25_448)).isZero();
    assertThat(wanted(17_000, 1024, 25_448)).isBetween(100_000, 102_000);
    assertThat(wanted(CAPACITY / 1024 / 4 * 3, 1024, 65_536)).as("a small step").isZero();
  }

  @Test
  void growsToWhatIsNeededWhenItIsFull() {
    long entries = CAPACITY / 1024;
    int grown = wanted(entries, 1024, (int) (entries / 0.81) / 8 * 8);
    assertThat(entries / (double) grown).isBetween(0.55, 0.66);
  }

  @Test
  void growsFasterWhereEntriesGetSmaller() {
    long entries = CAPACITY / 1024;
    int slots = (int) (entries / 0.81) / 8 * 8;
    assertThat(rule(entries, 1024, 64, slots).wanted())
        .isGreaterThan(rule(entries, 1024, 1024, slots).wanted());
  }

  @Test
  void staysInBetween() {
    long entries = CAPACITY / 1024;
    for (double load = 0.40; load <= 0.75; load += 0.03) {
      assertThat(wanted(entries, 1024, (int) (entries / load) / 8 * 8))
          .as("load %s", load)
          .isZero();
    }
  }

  @Test
  void shrinksWhenFullOfFewEntries() {
    long entries = CAPACITY / (1 << 20);
    assertThat(wanted(entries, 1 << 20, 65_536)).isEqualTo(65_536 / 16);
    assertThat(wanted(entries, 1 << 20, 512)).isEqualTo(104);
    assertThat(wanted(entries, 1 << 20, 104)).isZero();
  }

  @Test
  void keepsRoomForSmallerEntriesThatCome() {
    long entries = CAPACITY / (1 << 20);
    assertThat(rule(entries, 1 << 20, 1 << 20, 200).wanted()).isEqualTo(104);
    assertThat(rule(entries, 1 << 20, 900_000, 200).wanted()).as("by chance").isEqualTo(104);
    assertThat(rule(entries, 1 << 20, 700_000, 200).wanted()).isZero();
    assertThat(rule(entries, 1 << 20, 700_000, 512).wanted()).isEqualTo(160);
    assertThat(rule(entries, 1 << 20, 10, 512).wanted()).as("twice as many").isEqualTo(208);
    assertThat(rule(entries, 1 << 20, 4 << 20, 512).wanted()).as("larger ones").isEqualTo(104);
  }

  @Test
  void keepsRoomForWhatIsFree() {
    SizingRule half = new SizingRule(100, CAPACITY / 2, CAPACITY, 0, 600, 0, 64, MOST);
    assertThat(half.wanted()).isEqualTo(320);
    assertThat(new SizingRule(100, CAPACITY / 2, CAPACITY, 0, 512, 0, 64, MOST).wanted()).isZero();
    assertThat(new SizingRule(100, CAPACITY / 2 - 1, CAPACITY, 0, 600, 0, 64, MOST).wanted())
        .as("less than half in use")
        .isZero();
    SizingRule more = new SizingRule(100, CAPACITY / 4 * 3, CAPACITY, 0, 600, 0, 64, MOST);
    assertThat(more.wanted()).isEqualTo(216);
    SizingRule over = new SizingRule(100, 2 * CAPACITY, CAPACITY, 0, 600, 0, 64, MOST);
    assertThat(over.wanted()).as("what is held stays").isEqualTo(160);
  }

  @Test
  void growsForSmallerEntriesThatCome() {
    int slots = 1000;
    long entries = 800;
    long charge = CAPACITY / entries;
    assertThat(rule(entries, charge, charge, slots).wanted()).isEqualTo(1256);
    assertThat(rule(entries, charge, charge * 10 / 11, slots).wanted()).isEqualTo(1256);
    assertThat(rule(entries, charge, charge * 2 / 3, slots).wanted()).isEqualTo(1864);
    assertThat(rule(entries, charge, charge / 5, slots).wanted()).isEqualTo(2488);
  }

  @Test
  void doesNotShrinkBelowTheLeast() {
    assertThat(wanted(4, 16L << 20, 64)).isZero();
    assertThat(wanted(4, 16L << 20, 128)).isEqualTo(64);
  }

  @Test
  void doesNotShrinkWhileBytesAreFree() {
    assertThat(wanted(0, 1024, 65_536)).isZero();
    assertThat(wanted(CAPACITY / 1024 / 4, 1024, 1 << 20)).isZero();
  }

  @Test
  void shrinksWhereSlotsTakeMuchOfALowerCapacity() {
    SizingRule rule = new SizingRule(0, 0, CAPACITY, 0, 4096, 0, 64, 8192);
    assertThat(rule.wanted()).isZero();
    assertThat(rule.wantedAfterShrinking()).isEqualTo(256);
    assertThat(new SizingRule(0, 0, CAPACITY, 0, 2048, 0, 64, 8192).wantedAfterShrinking())
        .isZero();
  }

  @Test
  void growsAfterALowerCapacityAsEver() {
    for (int most = 3000; most <= 30_000; most *= 10) {
      SizingRule rule = new SizingRule(800, CAPACITY, CAPACITY, 0, 1000, 0, 64, most);
      assertThat(rule.wantedAfterShrinking()).isEqualTo(rule.wanted()).isEqualTo(1256);
    }
  }

  /** What is held takes more than the capacity: no full cache has so few entries. */
  @Test
  void growsForEntriesThatAreHeldBeyondTheCapacity() {
    assertThat(new SizingRule(840, 2 * CAPACITY, CAPACITY, 0, 1000, 0, 64, MOST).wanted())
        .isEqualTo(1312);
  }

  @Test
  void boundsThemselves() {
    assertThat(growing(756, 1000, MOST)).as("grows above, not at it").isZero();
    assertThat(growing(757, 1000, MOST)).isEqualTo(1256);
    assertThat(new SizingRule(740, CAPACITY / 2, CAPACITY, 0, 1000, 0, 64, 2000).wanted())
        .as("a step of two is large")
        .isEqualTo(2000);
    assertThat(growing(2576, 3200, 5000)).as("no more than nearly the most").isEqualTo(4000);
    assertThat(growing(2577, 3200, 5000)).isEqualTo(5000);
    assertThat(growing(385, 1000, MOST)).as("shrinks below, not at it").isZero();
    assertThat(growing(384, 1000, MOST)).isEqualTo(616);
    long charge = 12 * CAPACITY / 9600;
    assertThat(rule(800, charge, charge * 10 / 12, 1000).wanted())
        .as("smaller by more than chance")
        .isEqualTo(1496);
  }

  /** The wanted slots where what is held takes twice the capacity: the entries alone tell. */
  private static int growing(long entries, int slots, int most) {
    return new SizingRule(entries, 2 * CAPACITY, CAPACITY, 0, slots, 0, 64, most).wanted();
  }

  @Test
  void goesNoFartherThanTheMost() {
    assertThat(new SizingRule(1 << 20, 1 << 20, CAPACITY, 1, 1 << 20, 0, 64, MOST).wanted())
        .isZero();
    assertThat(new SizingRule(900_000, 1, CAPACITY, 0, 800_000, 0, 64, MOST).wanted())
        .isEqualTo(MOST);
    assertThat(new SizingRule(900_000, 1, CAPACITY, 0, 1_000_000, 0, 64, MOST).wanted())
        .as("a step that is not worth its metadata")
        .isZero();
  }

  @Test
  void takesTheMostAtOnceWhereNearlyAsManyAreWanted() {
    long entries = (long) (0.9 * MOST * 0.644 / 4);
    SizingRule rule = new SizingRule(entries, CAPACITY / 4, CAPACITY, 0, MOST / 4, 0, 64, MOST);
    assertThat(rule.wanted()).isZero();
    SizingRule full = new SizingRule(200_000, CAPACITY / 4, CAPACITY, 0, MOST / 4, 0, 64, MOST);
    assertThat(full.wanted()).isEqualTo(MOST);
  }

  /**
   * Where slots share the capacity with the entries: what a size leaves for these must not make the
   * next size.
   */
  @Test
  void comesToRestWhereSlotsAreCharged() {
    int slotCharge = 53;
    int most = (int) (CAPACITY / 2 / slotCharge) / 8 * 8;
    for (long charge = 16; charge <= 1 << 20; charge += 1 + charge / 16) {
      int slots = 256;
      List<Integer> sizes = new ArrayList<>();
      long entries = 0;
      for (int next = slots; next != 0; ) {
        slots = next;
        sizes.add(slots);
        assertThat(sizes).as("charge %s", charge).hasSizeLessThan(15);
        long room = CAPACITY - (long) slots * slotCharge;
        next = 0;
        for (long n = entries; next == 0 && n * charge < room && n < 0.85 * slots; n++) {
          next = charged(n, charge, room, slots, slotCharge, most).wanted();
          entries = n;
        }
        if (next == 0) {
          entries = (long) Math.min(room / charge, 0.85 * slots);
          next = charged(entries, charge, room, slots, slotCharge, most).wanted();
        }
      }
      assertThat(sizes.subList(0, sizes.size() - 1))
          .as("never too large")
          .allMatch(size -> size <= Math.max(256, slotsOf(sizes)));
      double best = CAPACITY / (slotCharge / SizingRule.TARGET_LOAD + charge);
      assertThat((double) entries)
          .as("charge %s, sizes %s", charge, sizes)
          .isGreaterThan(0.9 * Math.min(best, 0.85 * most));
    }
  }

  private static int slotsOf(List<Integer> sizes) {
    return sizes.get(sizes.size() - 1);
  }

  private static SizingRule charged(
      long entries, long charge, long room, int slots, int slotCharge, int most) {
    return new SizingRule(entries, entries * charge, room, charge, slots, slotCharge, 64, most);
  }

  /** Nothing it does makes it do something else at once. */
  @Test
  void comesToRest() {
    for (long charge = 1; charge <= 1 << 20; charge *= 2) {
      for (int slots = 64; slots <= MOST; slots *= 2) {
        long entries = CAPACITY / charge;
        int present = slots;
        int steps = 0;
        for (int next; (next = wanted(entries, charge, present)) != 0; present = next) {
          assertThat(++steps).as("charge %s, slots %s", charge, slots).isLessThan(30);
        }
      }
    }
  }
}
