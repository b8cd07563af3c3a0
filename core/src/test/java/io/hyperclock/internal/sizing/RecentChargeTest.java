/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RecentChargeTest {
  private static final int USUAL = 16;
  private static final long LARGE = 4 << 20;

  private final RecentCharge recent = new RecentCharge();

  @Test
  void firstSampleIsTheAverage() {
    assertThat(recent.bytes()).isZero();
    recent.add(100, USUAL, USUAL, 1_000_000);
    assertThat(recent.bytes()).isEqualTo(100);
  }

  /** One in 10,000 of 4 MiB: it is seen each time, but stands for itself alone. */
  @Test
  void fewLargeOnesCountAsOftenAsTheyCome() {
    SplittableRandom random = new SplittableRandom(1);
    double sum = 0;
    for (int write = 1; write < 4_000_000; write++) {
      int entries = Math.min(write, 300_000);
      if (write % 10_000 == 0) {
        recent.add(LARGE, 1, USUAL, entries);
      } else if (random.nextInt(USUAL) == 0) {
        recent.add(64, USUAL, USUAL, entries);
      }
      if (write > 1_000_000) {
        assertThat(recent.bytes()).as("write %s", write).isBetween(400L, 600L);
        sum += recent.bytes();
      }
    }
    assertThat(sum / 3e6).isBetween(64 + LARGE / 10_000 - 10.0, 64 + LARGE / 10_000 + 10.0);
  }

  @Test
  void followsSoonWhereEntriesAreFew() {
    recent.add(1 << 20, 1, 1, 64);
    for (int write = 0; write < 128; write++) {
      recent.add(64, 1, 1, 64);
    }
    assertThat(recent.bytes()).isBetween(64L, 1L << 18);
  }

  /** Samples that stand for many writes each: the average is of as many samples as ever. */
  @Test
  void oneSampleOfFewEntriesMovesTheAverageLittle() {
    recent.add(6400, USUAL, USUAL, 64);
    recent.add(0, USUAL, USUAL, 64);
    assertThat(recent.bytes()).isEqualTo(6300);
  }

  @Test
  void nothingIsLostByRounding() {
    for (int write = 0; write < 100_000; write++) {
      recent.add(write < 10_000 ? 1000 : 900, USUAL, USUAL, 10_000);
    }
    assertThat(recent.bytes()).isBetween(899L, 901L);
  }
}
