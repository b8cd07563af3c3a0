/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.sizing;

/**
 * The average charge of late writes: of half as many as there are entries, so that a few large ones
 * among many small count as often as they come. With fewer, most of the time none of them would be
 * among the late writes, and the next entries would be taken to be smaller.
 *
 * <p>Plain, for any thread: a step that is lost does no harm.
 */
public final class RecentCharge {
  /** Fewest samples that the average is of. */
  private static final int FEWEST = 64;

  /** Entries for each of the late writes. */
  private static final int ENTRIES_PER_WRITE = 2;

  private double average;

  /**
   * Counts a sample.
   *
   * @param chargeBytes of the write
   * @param writes that it stands for
   * @param usual writes that a sample stands for
   * @param entries in the table
   */
  public void add(long chargeBytes, int writes, int usual, long entries) {
    double before = average;
    double window = Math.max((double) FEWEST * usual, (double) entries / ENTRIES_PER_WRITE);
    average = before == 0 ? chargeBytes : before + (chargeBytes - before) * writes / window;
  }

  /** The average, or 0 if nothing is known. */
  public long bytes() {
    return (long) average;
  }
}
