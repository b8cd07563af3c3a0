/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

/**
 * The cold word of a slot, kept out of the line that reads touch: pure functions on {@code long}.
 *
 * <pre>
 *    63      62           48  47   46                              0
 * +---------+---------------+----+----------------------------------+
 * |elsewhere|  entry type   |main|         charge in bytes          |
 * +---------+---------------+----+----------------------------------+
 * </pre>
 *
 * <p><b>main</b>: the entry has passed probation; see the adaptive replacement. It is in one word
 * with the charge so that a step from one class to the other and a change of the charge cannot
 * cross: the usage of both classes stays exact. It is never cleared.
 *
 * <p><b>elsewhere</b>: the entry is being moved to another table, or was, and its charge is not
 * here. In the slot it leaves the word is <em>forwarded</em>: instead of a charge it has the number
 * of the slot in the next table, plus one. In the slot it comes to the word is <em>unsettled</em>,
 * without a charge, until the thread that has forwarded delivers it. Both have <em>main</em> set,
 * so that no thread promotes them; the type stays. See [move] in {@code
 * core/docs/memory-ordering.md}.
 */
public final class ChargeWord {
  static final int CHARGE_BITS = 47;
  static final int TYPE_SHIFT = CHARGE_BITS + 1;
  static final long CHARGE_MASK = (1L << CHARGE_BITS) - 1;
  static final long MAIN = 1L << CHARGE_BITS;

  /** Largest charge of an entry. */
  public static final long MAX_CHARGE_BYTES = CHARGE_MASK;

  /** Left behind where an entry was torn down, so that no late promotion finds it. */
  public static final long GONE = MAIN;

  /** Largest number of entry types of one cache. */
  public static final int MAX_TYPES = 1 << (Long.SIZE - 1 - TYPE_SHIFT);

  private static final long ELSEWHERE = Long.MIN_VALUE;
  private static final long TYPE_MASK = ~ELSEWHERE & -1L << TYPE_SHIFT;

  private ChargeWord() {}

  /** Checks the charge of an entry of any cache. */
  public static void requireCharge(long chargeBytes) {
    if (chargeBytes < 0 || chargeBytes > MAX_CHARGE_BYTES) {
      throw new IllegalArgumentException(
          "chargeBytes must be in [0, " + MAX_CHARGE_BYTES + "]: chargeBytes=" + chargeBytes);
    }
  }

  public static long of(int typeId, long chargeBytes) {
    return (long) typeId << TYPE_SHIFT | chargeBytes;
  }

  /** The charge; 0 if that is elsewhere. */
  public static long chargeBytes(long cold) {
    return cold & CHARGE_MASK & ~(cold >> Long.SIZE - 1);
  }

  public static int typeId(long cold) {
    return (int) ((cold & TYPE_MASK) >>> TYPE_SHIFT);
  }

  /** Whether the charge is in another slot, or will be delivered to this one. */
  public static boolean isElsewhere(long cold) {
    return cold < 0;
  }

  /** Whether the entry has moved to a slot of the next table. */
  public static boolean isForwarded(long cold) {
    return cold < 0 && (cold & CHARGE_MASK) != 0;
  }

  /** Whether the charge of a moved entry is yet to be delivered here. */
  public static boolean isUnsettled(long cold) {
    return cold < 0 && (cold & CHARGE_MASK) == 0;
  }

  /** The word that an entry leaves behind that has moved. */
  public static long forwarded(long cold, int slot) {
    return unsettled(cold) | slot + 1;
  }

  /** The slot of the next table that a forwarded word names. */
  public static int slot(long forwarded) {
    return (int) (forwarded & CHARGE_MASK) - 1;
  }

  /** The first word of a moved entry in its new slot. */
  public static long unsettled(long cold) {
    return ELSEWHERE | cold & TYPE_MASK | MAIN;
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

  /** The word of an entry whose charge is known: it is not elsewhere. */
  public static long withCharge(long cold, long chargeBytes) {
    return cold & (TYPE_MASK | MAIN) | chargeBytes;
  }
}
