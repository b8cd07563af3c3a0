/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.costs;

import java.util.concurrent.TimeUnit;

/**
 * A moving average of times or sizes. Thread-safe without locks: a sample that another overwrites
 * is lost, which costs nothing but precision.
 *
 * <p>A sample counts as no more than a few times the average, so that one pause of the machine does
 * not decide; of the first ones, which may be cold, the least counts; what is negative, as from a
 * clock that jumps back, counts not at all.
 */
final class Average {
  private static final int SAMPLES = 8;
  private static final int FADING = 16;
  private static final int MOST_TIMES = 8;
  private static final long MOST = TimeUnit.SECONDS.toNanos(60);
  private static final long NONE = -1;

  private volatile long average = NONE;
  private volatile int seen;

  void add(long sample) {
    if (sample < 0) {
      return;
    }
    long present = average;
    if (present == NONE) {
      average = Math.min(sample, MOST);
      return;
    }
    if (seen < SAMPLES) {
      seen++;
      average = Math.min(present, sample);
      return;
    }
    long believed = Math.min(Math.min(sample, MOST), MOST_TIMES * present + SAMPLES);
    long next = present + (believed - present) / SAMPLES;
    if (next != present) {
      average = next;
    }
  }

  /** Believes a little less than before, as what is known gets old. */
  void fade() {
    long present = average;
    if (present > 0) {
      average = present - (present + FADING - 1) / FADING;
    }
  }

  /** Believes a little more in another value than before. */
  void approach(long value) {
    long present = average;
    if (present != NONE && present != value) {
      long step = (value - present) / FADING;
      average = step == 0 ? value : present + step;
    }
  }

  boolean isKnown() {
    return average != NONE;
  }

  /** The average, or another number if there is no sample. */
  long or(long unknown) {
    long present = average;
    return present == NONE ? unknown : present;
  }
}
