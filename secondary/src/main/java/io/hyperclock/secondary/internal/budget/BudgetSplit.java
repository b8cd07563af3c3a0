/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.budget;

import io.hyperclock.BlockCache;
import org.jspecify.annotations.Nullable;

/**
 * How a budget is split. The three parts always add up to the whole.
 *
 * @param totalBytes the whole, greater than 0
 * @param primaryBytes capacity of the primary cache, at least 1: no cache can do with less
 * @param belowBytes capacity of the tier below
 * @param chargedBytes what reservations take: whole steps of what is reserved, as far as the budget
 *     reaches
 */
public record BudgetSplit(long totalBytes, long primaryBytes, long belowBytes, long chargedBytes) {
  /** Size of a step, in bytes. */
  public static final long STEP_BYTES = 1 << 20;

  static BudgetSplit of(long totalBytes, double ratio, long reservedBytes) {
    long charged = Math.min(steps(reservedBytes) * STEP_BYTES, totalBytes - 1);
    long rest = totalBytes - charged;
    long below = Math.min(Math.round(rest * ratio), rest - 1);
    return new BudgetSplit(totalBytes, rest - below, below, charged);
  }

  /** By how much the steps of what is reserved exceed what the budget can give up. */
  static long overdraftBytes(long totalBytes, long reservedBytes) {
    return Math.max(0, steps(reservedBytes) * STEP_BYTES - (totalBytes - 1));
  }

  static long requireTotal(long totalBytes) {
    if (totalBytes <= 0 || totalBytes > BlockCache.MAX_CHARGE_BYTES) {
      throw new IllegalArgumentException(
          "totalBytes must be in [1, "
              + BlockCache.MAX_CHARGE_BYTES
              + "]: totalBytes="
              + totalBytes);
    }
    return totalBytes;
  }

  static double requireRatio(double ratio) {
    if (!(ratio >= 0 && ratio <= 1)) {
      throw new IllegalArgumentException("ratio must be in [0, 1]: ratio=" + ratio);
    }
    return ratio;
  }

  /** Written out: what the JDK makes of a record may keep this class and its loader for ever. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BudgetSplit split
        && totalBytes == split.totalBytes
        && primaryBytes == split.primaryBytes
        && belowBytes == split.belowBytes
        && chargedBytes == split.chargedBytes;
  }

  /** Steps that are needed for so many bytes. */
  static long steps(long bytes) {
    return (bytes + STEP_BYTES - 1) / STEP_BYTES;
  }
}
