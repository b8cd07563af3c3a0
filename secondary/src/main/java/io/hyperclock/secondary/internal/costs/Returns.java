/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.costs;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Remembers when some of the keys left the primary, and counts after how many evicted bytes they
 * come back: what more room would have hit. Thread-safe without locks; races cost a sample.
 *
 * <p>Keys are sampled by their hash. The table has a fixed number of cells, each a fingerprint and
 * the time of the last eviction or return, in evicted bytes; where the keys of {@value #REACH}
 * times the budget do not fit, fewer are sampled.
 */
public final class Returns {
  /** Distances are told up to so many times the budget. */
  static final int REACH = 4;

  private static final int BINS_PER_BUDGET = 16;
  static final int BINS = REACH * BINS_PER_BUDGET;
  private static final int CELLS = 1 << 14;
  private static final int LEAST_SHIFT = 2;
  private static final int MOST_SHIFT = 20;

  private final AtomicLongArray cells = new AtomicLongArray(CELLS);
  private final AtomicLongArray bins = new AtomicLongArray(BINS);
  private final AtomicLong far = new AtomicLong();
  private final AtomicLong evictions = new AtomicLong();

  /** Evicted bytes, about: each sampled eviction stands for as many as are not sampled. */
  private final AtomicLong clock = new AtomicLong();

  private final Average charge = new Average();
  private final long seed;
  private volatile int shift = LEAST_SHIFT;
  private volatile long binBytes;

  /**
   * Empty.
   *
   * @param budgetBytes what distances are compared with, greater than 0
   * @param seed to choose keys by
   */
  public Returns(long budgetBytes, long seed) {
    this.seed = seed;
    setBudget(budgetBytes);
  }

  /** Forgets what was counted in bins of another size, if it is. */
  private void setBudget(long budgetBytes) {
    long wanted = Math.max(1, budgetBytes / BINS_PER_BUDGET);
    if (wanted != binBytes) {
      binBytes = wanted;
      clear();
    }
  }

  private void clear() {
    for (int i = 0; i < CELLS; i++) {
      cells.set(i, 0);
    }
    decay(0);
  }

  private void decay(int by) {
    for (int i = 0; i < BINS; i++) {
      bins.set(i, by == 0 ? 0 : bins.get(i) / by);
    }
    far.set(by == 0 ? 0 : far.get() / by);
    evictions.set(by == 0 ? 0 : evictions.get() / by);
  }

  /**
   * Halves all counts, and samples fewer keys if there are too many for the table.
   *
   * @param budgetBytes as it is now
   */
  public void age(long budgetBytes) {
    setBudget(budgetBytes);
    decay(2);
    long keys = REACH * BINS_PER_BUDGET * binBytes / Math.max(1, charge.or(1));
    int wanted = LEAST_SHIFT;
    while (wanted < MOST_SHIFT && keys >> wanted > CELLS / 2) {
      wanted++;
    }
    if (wanted > shift) {
      shift = wanted;
      clear();
    }
  }

  private long hash(long hi, long lo) {
    long z = (hi ^ seed) * 0x9E3779B97F4A7C15L + lo;
    z = (z ^ z >>> 32) * 0xD6E8FEB86659FD93L;
    z = (z ^ z >>> 32) * 0xD6E8FEB86659FD93L;
    return z ^ z >>> 32;
  }

  private boolean isSampled(long hash) {
    return (hash & (1L << shift) - 1) == 0;
  }

  private static int place(long hash) {
    return (int) (hash >>> 40) & CELLS - 1;
  }

  /** The time in 32 bits, which wrap. */
  private int now() {
    return (int) (clock.get() / Math.max(1, binBytes / 64));
  }

  private static long cell(long hash, int time) {
    return (hash >>> 24 | 1) << 32 | Integer.toUnsignedLong(time);
  }

  /** A value left the primary; whether its key is one of the sampled. */
  public boolean evicted(long hi, long lo, long chargeBytes) {
    long hash = hash(hi, lo);
    if (!isSampled(hash)) {
      return false;
    }
    charge.add(chargeBytes);
    clock.addAndGet(chargeBytes << shift);
    evictions.incrementAndGet();
    cells.setOpaque(place(hash), cell(hash, now()));
    return true;
  }

  /**
   * A key was not found in the primary.
   *
   * @return after how many evicted bytes, -1 if that is not known, or the key is not sampled
   */
  public long returned(long hi, long lo) {
    long hash = hash(hi, lo);
    if (!isSampled(hash)) {
      return -1;
    }
    int time = now();
    long present = cells.get(place(hash));
    if (present >>> 32 != cell(hash, 0) >>> 32) {
      far.incrementAndGet();
      return -1;
    }
    long distance = Integer.toUnsignedLong(time - (int) present) * Math.max(1, binBytes / 64);
    cells.setOpaque(place(hash), cell(hash, time));
    long bin = distance / binBytes;
    if (bin >= BINS) {
      far.incrementAndGet();
    } else {
      bins.incrementAndGet((int) bin);
    }
    return distance;
  }

  /** Returns so far that came no later than after so many evicted bytes; sampled. */
  double within(double bytes) {
    double left = bytes / binBytes;
    double sum = 0;
    for (int i = 0; i < BINS && left > 0; i++, left--) {
      sum += bins.get(i) * Math.min(1, left);
    }
    return sum;
  }

  /** How many keys were not found in the primary; sampled. */
  double misses() {
    return within(Double.MAX_VALUE) + far.get();
  }

  /** How many values left the primary; sampled. */
  double evictions() {
    return evictions.get();
  }

  /** Returns per byte right behind the end of the primary. */
  double density() {
    return within(2.0 * binBytes) / (2.0 * binBytes);
  }
}
