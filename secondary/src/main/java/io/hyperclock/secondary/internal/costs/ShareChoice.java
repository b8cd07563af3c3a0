/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.costs;

/**
 * Chooses the share of the nearest tier in a common budget: what costs the least time, as far as
 * returns and costs tell.
 *
 * <p>With a tier of T bytes in place of the present T<sub>0</sub>, the primary has d =
 * T<sub>0</sub> - T more. It then hits what comes back after at most d evicted bytes; where d is
 * negative, as many more miss it as come back right behind its end. The tier hits what comes back
 * later, but no later than after d + T / c bytes, where c is what compression leaves of a byte.
 * Each hit of the tier saves the difference between a load and a hit, each eviction costs an
 * encoding; where that is a loss, nothing would move and the tier is of no use.
 *
 * <p>The share goes half the way to the best, at least one step, if that is better by {@value
 * #LEAST_GAIN}: so it does not swing on a steady load. A tier that is of no use gives its room back
 * in any case.
 */
public final class ShareChoice {
  static final double STEP = 1.0 / 16;
  static final double MOST = 0.75;
  static final double LEAST_GAIN = 0.02;

  /** Fewer misses say nothing, sampled. */
  static final int LEAST_MISSES = 128;

  private static final double UNKNOWN_SHRINKING = 0.5;

  private ShareChoice() {}

  /**
   * Next step.
   *
   * @param bytes of both together
   * @param ratio present share of the tier
   * @return the share from now on
   */
  public static double next(long bytes, double ratio, Returns returns, Costs costs) {
    Mean mean = costs.mean(0);
    if (!mean.isKnown() || returns.misses() < LEAST_MISSES) {
      return ratio;
    }
    double best = ratio;
    double present = nanos(bytes, ratio, ratio, returns, mean);
    boolean isOfUse = saved(bytes, ratio, ratio, returns, mean) > 0;
    double least = isOfUse ? present * (1 - LEAST_GAIN) : Math.nextUp(present);
    for (double share = 0; share <= MOST; share += STEP) {
      double nanos = nanos(bytes, ratio, share, returns, mean);
      if (nanos < least) {
        least = nanos;
        best = share;
      }
    }
    double most = Math.max(STEP, Math.abs(best - ratio) / 2);
    double move = Math.max(-most, Math.min(most, best - ratio));
    return Math.max(0, Math.min(1, ratio + move));
  }

  /** Time that the misses of the primary would have taken. */
  private static double nanos(long bytes, double ratio, double share, Returns returns, Mean mean) {
    double loads = returns.misses() - above(bytes, ratio, share, returns);
    return mean.loadNanos() * loads - Math.max(0, saved(bytes, ratio, share, returns, mean));
  }

  /** Misses that the primary would have hit. */
  private static double above(long bytes, double ratio, double share, Returns returns) {
    double more = bytes * (ratio - share);
    return more >= 0 ? returns.within(more) : more * returns.density();
  }

  /** What the tier would have saved of that time. */
  private static double saved(long bytes, double ratio, double share, Returns returns, Mean mean) {
    double above = above(bytes, ratio, share, returns);
    double reach = bytes * (ratio - share) + bytes * share / mean.shrinking(UNKNOWN_SHRINKING);
    double below = share == 0 ? 0 : Math.max(0, returns.within(Math.max(0, reach)) - above);
    return below * (mean.loadNanos() - mean.hitNanos())
        - mean.encodeNanos() * Math.max(0, returns.evictions() - above);
  }

  /**
   * After how many evicted bytes a value that comes back is still in a tier.
   *
   * @param bytes capacity of the tier
   */
  public static double reachBytes(long bytes, Costs costs) {
    return bytes / Math.max(1e-3, costs.mean(0).shrinking(UNKNOWN_SHRINKING));
  }
}
