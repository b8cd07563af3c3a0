/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.costs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ReturnsTest {
  private static final long BUDGET = 1 << 20;
  private static final long CHARGE = 1 << 8;
  private static final int KEYS = (int) (BUDGET / CHARGE);

  private final Returns returns = new Returns(BUDGET, 1);

  private void evict(int from, int to) {
    for (int key = from; key < to; key++) {
      returns.evicted(1, key, CHARGE);
    }
  }

  @Test
  void tellsAfterHowManyBytesKeysComeBack() {
    evict(0, KEYS);
    int sampled = 0;
    for (int key = 0; key < KEYS; key++) {
      long distance = returns.returned(1, key);
      if (distance >= 0) {
        sampled++;
        double expected = (double) BUDGET * (KEYS - key) / KEYS;
        assertThat((double) distance).isCloseTo(expected, within(0.12 * BUDGET));
      }
    }
    assertThat(sampled).isBetween(KEYS / 8, KEYS / 2);
    assertThat(returns.within(BUDGET / 2.0)).isCloseTo(sampled / 2.0, within(0.1 * sampled));
    assertThat(returns.misses()).isGreaterThanOrEqualTo(sampled);
  }

  @Test
  void keysThatNeverLeftAreFar() {
    evict(0, KEYS);
    for (int key = KEYS; key < 2 * KEYS; key++) {
      assertThat(returns.returned(1, key)).isEqualTo(-1);
    }
    assertThat(returns.within(Returns.REACH * BUDGET)).isZero();
    assertThat(returns.misses()).isGreaterThan(KEYS / 8.0);
  }

  /** A return is a use: the next one is counted from it. */
  @Test
  void returnIsAUse() {
    evict(0, KEYS);
    for (int key = 0; key < KEYS; key++) {
      returns.returned(1, key);
      long again = returns.returned(1, key);
      assertThat(again).isLessThanOrEqualTo(BUDGET / 256);
    }
  }

  @Test
  void countsAgeAndABudgetOfAnotherSizeForgets() {
    evict(0, KEYS);
    for (int key = 0; key < KEYS; key++) {
      returns.returned(1, key);
    }
    double before = returns.misses();
    returns.age(BUDGET);
    assertThat(returns.misses()).isCloseTo(before / 2, within(Returns.BINS + 1.0));
    returns.age(2 * BUDGET);
    assertThat(returns.misses()).isZero();
  }

  /** More keys than cells: fewer are sampled, and what is told stays right. */
  @Test
  void manyKeysAreSampledMoreThinly() {
    Returns large = new Returns(1L << 30, 1);
    for (int round = 0; round < 3; round++) {
      for (int key = 0; key < 100_000; key++) {
        large.evicted(round, key, 1 << 10);
      }
      large.age(1L << 30);
    }
    int sampled = 0;
    for (int key = 0; key < 100_000; key++) {
      sampled += large.evicted(9, key, 1 << 10) ? 1 : 0;
    }
    assertThat(sampled).isBetween(100_000 / 1024, 100_000 / 64);
    double evicted = 100_000 * 1024.0;
    int told = 0;
    for (int key = 0; key < 100_000; key++) {
      long distance = large.returned(9, key);
      if (distance >= 0) {
        told++;
        assertThat((double) distance).isCloseTo(evicted - key * 1024.0, within(0.15 * evicted));
      }
    }
    assertThat(told).isBetween(sampled / 2, sampled);
  }
}
