/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

/**
 * The cold word of a slot, kept out of the line that reads touch: pure functions on {@code long}.
 *
 * <pre>
 *  63           48  47   46                              0
 * +---------------+----+----------------------------------+
 * |  entry type   |main|         charge in bytes          |
 * +---------------+----+----------------------------------+
 * </pre>
 *
 * <p><b>main</b>: the entry has passed probation; see the adaptive replacement. It is in one word
 * with the charge so that a step from one class to the other and a change of the charge cannot
 * cross: the usage of both classes stays exact. It is never cleared.
 */
public final class ChargeWord {
  static final int CHARGE_BITS = 47;
  static final int MAIN_SHIFT = CHARGE_BITS;
  static final int TYPE_SHIFT = MAIN_SHIFT + 1;
  static final long CHARGE_MASK = (1L << CHARGE_BITS) - 1;
  static final long MAIN = 1L << MAIN_SHIFT;

  /** Largest charge of an entry. */
  public static final long MAX_CHARGE_BYTES = CHARGE_MASK;

  /** Left behind where an entry was torn down, so that no late promotion finds it. */
  public static final long GONE = MAIN;

  /** Largest number of entry types of one cache. */
  public static final int MAX_TYPES = 1 << (Long.SIZE - TYPE_SHIFT);

  private ChargeWord() {}

  public static long of(int typeId, long chargeBytes) {
    return (long) typeId << TYPE_SHIFT | chargeBytes;
  }

  public static long chargeBytes(long cold) {
    return cold & CHARGE_MASK;
  }

  public static int typeId(long cold) {
    return (int) (cold >>> TYPE_SHIFT);
  }

  /** Whether the entry has passed probation; true of {@link #GONE} too. */
  public static boolean isMain(long cold) {
    return (cold & MAIN) != 0;
  }

  public static long asMain(long cold) {
    return cold | MAIN;
  }

  /** Whether two words have the same type and charge, in any class. */
  public static boolean isSameKind(long cold, long other) {
    return ((cold ^ other) & ~MAIN) == 0;
  }

  public static long withCharge(long cold, long chargeBytes) {
    return cold & ~CHARGE_MASK | chargeBytes;
  }
}
