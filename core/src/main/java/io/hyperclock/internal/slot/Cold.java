/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

/**
 * The cold word of a slot, kept out of the line that reads touch: pure functions on {@code long}.
 *
 * <pre>
 *  63           48 47                                     0
 * +---------------+----------------------------------------+
 * |  entry type   |            charge in bytes             |
 * +---------------+----------------------------------------+
 * </pre>
 */
public final class Cold {
  static final int CHARGE_BITS = 48;
  static final long CHARGE_MASK = (1L << CHARGE_BITS) - 1;

  /** Largest number of entry types of one cache. */
  public static final int MAX_TYPES = 1 << (Long.SIZE - CHARGE_BITS);

  private Cold() {}

  public static long of(int typeId, long chargeBytes) {
    return (long) typeId << CHARGE_BITS | chargeBytes;
  }

  public static long chargeBytes(long cold) {
    return cold & CHARGE_MASK;
  }

  public static int typeId(long cold) {
    return (int) (cold >>> CHARGE_BITS);
  }

  public static long withCharge(long cold, long chargeBytes) {
    return cold & ~CHARGE_MASK | chargeBytes;
  }
}
