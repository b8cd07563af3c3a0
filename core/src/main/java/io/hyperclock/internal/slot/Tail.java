/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

/**
 * The tail word of a slot: pure functions on {@code long}.
 *
 * <pre>
 *  63                              24 23                  0
 * +----------------------------------+---------------------+
 * |            generation 40         |    displacements 24 |
 * +----------------------------------+---------------------+
 * </pre>
 *
 * <ul>
 *   <li><b>generation</b>: grows by one each time a tenancy of the slot ends, before its data are
 *       touched. A reader that finds it unchanged has read one tenant's data. It repeats after
 *       2<sup>40</sup> tenancies of one slot: a reader would have to pause for hours within one
 *       read.
 *   <li><b>displacements</b>: number of entries whose probe path passed this slot without stopping;
 *       a search ends at a slot where it is zero. It sticks for good at {@link #STUCK}.
 * </ul>
 */
public final class Tail {
  static final int DISPLACEMENT_BITS = 24;
  static final long DISPLACEMENT_MASK = (1L << DISPLACEMENT_BITS) - 1;
  static final long DISPLACEMENT_ONE = 1L;
  static final long GENERATION_ONE = 1L << DISPLACEMENT_BITS;

  /** From here on the count is never lowered again. */
  static final int STUCK = 1 << (DISPLACEMENT_BITS - 1);

  /**
   * From here on it is not raised either. The gap to {@link #STUCK} is wider than any number of
   * threads that may be just about to lower it, so a count that was once not raised can never
   * become exact-looking again.
   */
  static final int FULL = STUCK + (STUCK >>> 1);

  private Tail() {}

  public static int displacements(long tail) {
    return (int) (tail & DISPLACEMENT_MASK);
  }

  public static long generation(long tail) {
    return tail >>> DISPLACEMENT_BITS;
  }

  public static boolean sameTenancy(long before, long after) {
    return (before ^ after) >>> DISPLACEMENT_BITS == 0;
  }

  static boolean isStuck(long tail) {
    return displacements(tail) >= STUCK;
  }

  static boolean isFull(long tail) {
    return displacements(tail) >= FULL;
  }
}
