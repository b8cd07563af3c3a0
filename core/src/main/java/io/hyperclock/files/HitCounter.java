/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts what happens at each hit. A hit is loads that overlap those of the next hits; an atomic
 * step would make each wait for the last. So threads count apart without one, and two threads of
 * one place may lose a count where they meet.
 */
final class HitCounter {
  private static final int MAX_PLACES = 32;

  /** Longs of a place, so that no two are on a line. */
  private static final int STRIDE = 8;

  private static final int PLACES =
      Math.min(
          MAX_PLACES, Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors() - 1));

  private final AtomicLongArray counts = new AtomicLongArray((PLACES + 1) * STRIDE);

  /** A place for the calling thread, and for what it makes for itself. */
  static int place() {
    return ((int) Thread.currentThread().getId() & PLACES - 1) * STRIDE + STRIDE;
  }

  void add(int place, long hits) {
    // Opaque: one that is lost makes a figure too small.
    counts.setOpaque(place, counts.getOpaque(place) + hits);
  }

  long sum() {
    long sum = 0;
    for (int place = STRIDE; place < counts.length(); place += STRIDE) {
      // Opaque: a figure of some moment.
      sum += counts.getOpaque(place);
    }
    return sum;
  }
}
