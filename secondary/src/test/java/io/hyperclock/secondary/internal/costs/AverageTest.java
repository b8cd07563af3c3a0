/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.costs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a cost is believed to be, sample by sample. */
class AverageTest {
  private static final int MANY = 200;
  private static final long NOT_KNOWN = 7;

  private final Average average = new Average();

  private long present() {
    return average.or(NOT_KNOWN);
  }

  private void add(int samples, long sample) {
    for (int i = 0; i < samples; i++) {
      average.add(sample);
    }
  }

  @Test
  void isKnownFromTheFirstSampleOnThatIsNotNegative() {
    assertThat(average.isKnown()).isFalse();
    average.add(-1);
    average.fade();
    average.approach(100);
    assertThat(average.isKnown()).isFalse();
    assertThat(present()).isEqualTo(NOT_KNOWN);
    average.add(0);
    assertThat(average.isKnown()).isTrue();
    assertThat(present()).isZero();
  }

  @Test
  void ofTheFirstSamplesTheLeastCounts() {
    average.add(5000);
    assertThat(present()).isEqualTo(5000);
    average.add(1000);
    average.add(2000);
    assertThat(present()).isEqualTo(1000);
  }

  @Test
  void goesWithTheSamplesUpAndDown() {
    add(MANY, 1000);
    add(1, 1800);
    assertThat(present()).isBetween(1001L, 1200L);
    add(MANY, 1800);
    assertThat(present()).isBetween(1790L, 1800L);
    add(1, 1000);
    assertThat(present()).isBetween(1600L, 1799L);
    add(MANY, 1000);
    assertThat(present()).isBetween(1000L, 1010L);
  }

  @Test
  void goesUpFromNothingToo() {
    add(MANY, 0);
    add(MANY, 1000);
    assertThat(present()).isBetween(990L, 1000L);
  }

  @Test
  void onePauseDoesNotDecide() {
    add(MANY, 1000);
    add(1, Long.MAX_VALUE);
    assertThat(present()).isBetween(1001L, 2000L);
  }

  @Test
  void neverExceedsAMinute() {
    long minute = TimeUnit.MINUTES.toNanos(1);
    average.add(Long.MAX_VALUE);
    assertThat(present()).isEqualTo(minute);
    add(MANY, Long.MAX_VALUE);
    assertThat(present()).isEqualTo(minute);
  }

  @Test
  void fadesAwaySlowly() {
    average.add(1000);
    average.fade();
    assertThat(present()).isBetween(900L, 999L);
    for (int i = 0; i < MANY; i++) {
      average.fade();
    }
    assertThat(average.isKnown()).isTrue();
    assertThat(present()).isZero();
  }

  @Test
  void approachesAValueSlowlyAndReachesIt() {
    average.add(1000);
    average.approach(500);
    assertThat(present()).isBetween(950L, 999L);
    approachOften(500);
    assertThat(present()).isEqualTo(500);
    average.approach(1500);
    assertThat(present()).isBetween(501L, 600L);
    approachOften(1500);
    assertThat(present()).isEqualTo(1500);
  }

  private void approachOften(long value) {
    for (int i = 0; i < MANY; i++) {
      average.approach(value);
    }
  }
}
