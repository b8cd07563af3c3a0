/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.costs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.EntryType;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The share of the tier on loads that are made up: which way it goes, and that it stays there. */
class ShareChoiceTest {
  private static final EntryType<Object> TYPE = EntryType.of("block");
  private static final long BUDGET = 1 << 20;
  private static final long CHARGE = 1 << 8;

  private long now = 1;
  private final Costs costs = new Costs(1, true, () -> now, new SplittableRandom(1));
  private Returns returns = new Returns(BUDGET, 1);
  private long key;

  private void costs(long load, long hit, long encode, long shrinksTo) {
    for (int i = 0; i < 100; i++) {
      long begun = now;
      now += load;
      costs.loaded(TYPE, begun);
      begun = now;
      now += hit;
      costs.hit(0, TYPE, begun);
      begun = now;
      now += encode;
      costs.inserted(0, TYPE, begun);
      costs.sizes(TYPE, 1000, shrinksTo);
      costs.evicted(TYPE);
    }
  }

  /** Keys that come back after so many budgets of evicted bytes. */
  private void comeBackAfter(double budgets, int keys) {
    long gap = (long) (budgets * BUDGET / CHARGE);
    for (long i = 0; i < gap + keys; i++) {
      returns.evicted(1, key + i, CHARGE);
      if (i >= gap) {
        returns.returned(1, key + i - gap);
      }
    }
    key += gap + keys;
  }

  /** Where the share comes to rest if each key is used again after so many budgets of others. */
  private double settled(double from, double reuse) {
    double share = from;
    double before = Double.NaN;
    for (int i = 0; i < 40 && share != before; i++) {
      returns = new Returns(BUDGET, 1);
      double primary = 1 - share;
      if (reuse > primary) {
        comeBackAfter(reuse - primary, 8000);
      }
      before = share;
      share = ShareChoice.next(BUDGET, share, returns, costs);
      assertThat(Math.abs(share - before)).isLessThanOrEqualTo(ShareChoice.MOST / 2);
    }
    assertThat(share).as("is steady").isEqualTo(before);
    return share;
  }

  @Test
  void nothingIsMovedBeforeAnythingIsKnown() {
    assertThat(ShareChoice.next(BUDGET, 0.25, returns, costs)).isEqualTo(0.25);
    comeBackAfter(0.5, 4000);
    assertThat(ShareChoice.next(BUDGET, 0.25, returns, costs)).isEqualTo(0.25);
  }

  @Test
  void tierWhoseHitsCostMoreThanLoadsGetsNothing() {
    costs(10_000, 12_000, 1_000, 300);
    assertThat(settled(0.25, 1.2)).isZero();
    assertThat(settled(0.75, 1.2)).isZero();
  }

  @Test
  void whatDoesNotShrinkIsBetterAbove() {
    costs(100_000, 10_000, 5_000, 1000);
    assertThat(settled(0.25, 0.95)).isZero();
  }

  /** They come back beyond what the whole budget would hold plainly, and are costly to load. */
  @Test
  void slowLoadsAndLateReturnsFillTheTier() {
    costs(1_000_000, 10_000, 10_000, 250);
    assertThat(settled(0.25, 2.5)).isBetween(0.5, 0.6);
    assertThat(settled(0, 2.5)).as("from nothing").isBetween(0.5, 0.6);
  }

  @Test
  void goesHalfTheWayAndAtLeastAStep() {
    costs(1_000_000, 10_000, 10_000, 250);
    double best = settled(0, 2.5);
    returns = new Returns(BUDGET, 1);
    comeBackAfter(1.5, 8000);
    assertThat(ShareChoice.next(BUDGET, 0, returns, costs))
        .isBetween(best / 2 - ShareChoice.STEP, best / 2 + ShareChoice.STEP);
    assertThat(ShareChoice.next(BUDGET, best, returns, costs)).isEqualTo(best);
    costs(10_000, 12_000, 1_000, 300);
    assertThat(ShareChoice.next(BUDGET, ShareChoice.STEP / 2, returns, costs)).isZero();
  }

  @Test
  void fewerMissesThanCanBeTrustedMoveNothing() {
    costs(10_000, 12_000, 1_000, 300);
    comeBackAfter(0.1, 50);
    assertThat(ShareChoice.next(BUDGET, 0.25, returns, costs)).isEqualTo(0.25);
  }

  /** A tier without room is not measured: what was wrong about it must not stay for ever. */
  @Test
  void whatWasMeasuredOfATierWithoutRoomFades() {
    costs(1_000_000, 10_000, 5_000_000, 250);
    assertThat(settled(0.25, 2.5)).isZero();
    for (int look = 0; look < 200; look++) {
      costs.fade(0);
    }
    assertThat(settled(0, 2.5)).isGreaterThanOrEqualTo(0.5);
  }

  /** What comes later may shrink: nothing else would tell, since nothing is stored any more. */
  @Test
  void thatValuesDidNotShrinkFadesToo() {
    costs(1_000_000, 10_000, 10_000, 1000);
    assertThat(settled(0.25, 0.95)).isZero();
    for (int look = 0; look < 200; look++) {
      costs.fade(0);
    }
    assertThat(settled(0, 1.4)).isGreaterThanOrEqualTo(0.3);
  }
}
