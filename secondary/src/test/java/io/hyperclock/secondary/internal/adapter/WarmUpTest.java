/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rate of reads, by a clock that the test tells. */
class WarmUpTest {
  private static final long SECOND = 1_000_000_000;
  private static final long BLOCK = 16 << 10;
  private static final long RATE = 100 * BLOCK;

  /** A hundredth of a second is one block; slack of as much is allowed. */
  private static final long STEP = SECOND / 100;

  private long now = 5 * SECOND;
  private long answer = BLOCK;
  private final List<Long> read = new ArrayList<>();

  private WarmUp warmUp(int count) {
    RestartKeys keys = new RestartKeys();
    for (int i = 0; i < count; i++) {
      keys.add(1, i, 0);
    }
    return new WarmUp(keys, this::read, RATE, () -> now);
  }

  private long read(long hi, long lo, int type) {
    read.add(lo);
    return answer;
  }

  /** Steps while something is due; returns the wait. */
  private static long stepAll(WarmUp warmUp) {
    long wait;
    do {
      wait = warmUp.step();
    } while (wait == 0);
    return wait;
  }

  @Test
  void readsTheFirstFirstAndKeepsTheRate() {
    WarmUp warmUp = warmUp(1000);
    long begin = now;
    long wait = stepAll(warmUp);
    while (read.size() < 500) {
      assertThat(wait).isPositive();
      now += wait;
      wait = stepAll(warmUp);
      double allowed = (double) (now - begin + STEP) * RATE / SECOND + BLOCK;
      assertThat(read.size() * (double) BLOCK).isLessThanOrEqualTo(allowed);
    }
    assertThat((now - begin) / (double) SECOND).isBetween(4.9, 5.1);
    assertThat(read).startsWith(0L, 1L, 2L).isSorted();
  }

  @Test
  void aClockThatJumpsForwardBringsNoBurst() {
    WarmUp warmUp = warmUp(1000);
    stepAll(warmUp);
    int before = read.size();
    now += 3600 * SECOND;
    stepAll(warmUp);
    assertThat(read.size() - before).isLessThanOrEqualTo(2);
  }

  @Test
  void aClockThatJumpsBackDelaysByOneRead() {
    WarmUp warmUp = warmUp(1000);
    stepAll(warmUp);
    now -= 3600 * SECOND;
    long wait = stepAll(warmUp);
    assertThat(wait).isLessThanOrEqualTo(STEP);
    int before = read.size();
    now += wait;
    stepAll(warmUp);
    assertThat(read).hasSizeGreaterThan(before);
  }

  @Test
  void keysThatAreNotFoundTakeTimeToo() {
    answer = 0;
    WarmUp warmUp = warmUp(1000);
    long begin = now;
    while (stepAll(warmUp) != WarmUp.ENDED) {
      now += STEP / 10;
    }
    assertThat(read).hasSize(1000);
    assertThat((now - begin) / (double) SECOND).isGreaterThan(1000 * 4096 / (double) RATE - 0.1);
  }

  @Test
  void endsWhenThePrimaryIsFull() {
    WarmUp warmUp = warmUp(1000);
    stepAll(warmUp);
    answer = WarmUp.FULL;
    now += STEP;
    assertThat(stepAll(warmUp)).isEqualTo(WarmUp.ENDED);
    int tried = read.size();
    now += SECOND;
    assertThat(warmUp.step()).isEqualTo(WarmUp.ENDED);
    assertThat(read).hasSize(tried);
  }

  @Test
  void endsWhenItIsCancelledAndKnowsWhatIsLeft() {
    WarmUp warmUp = warmUp(10);
    stepAll(warmUp);
    warmUp.cancel();
    now += SECOND;
    assertThat(warmUp.step()).isEqualTo(WarmUp.ENDED);
    RestartKeys rest = new RestartKeys();
    warmUp.addRest(rest, 100);
    assertThat(rest.size()).isEqualTo(10 - read.size());
    assertThat(rest.lo(0)).isEqualTo(read.size());
    RestartKeys few = new RestartKeys();
    warmUp.addRest(few, 3);
    assertThat(few.size()).isEqualTo(3);
  }
}
