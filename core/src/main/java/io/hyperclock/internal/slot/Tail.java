/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

/**
 * The tail word of a slot: pure functions on {@code long}.
 *
 * <pre>
 *  63                    25     24     23   18 17   12 11    6 5     0
 * +------------------------+-----------+-------+-------+-------+-------+
 * |      generation 39     | condemned | lane 3| lane 2| lane 1| lane 0|
 * +------------------------+-----------+-------+-------+-------+-------+
 * </pre>
 *
 * <ul>
 *   <li><b>generation</b>: grows by one each time a tenancy of the slot ends, before its data are
 *       touched. A reader that finds it unchanged has read one tenant's data. It repeats after
 *       2<sup>39</sup> tenancies of one slot: a reader would have to pause for hours within one
 *       read.
 *   <li><b>condemned</b>: somebody is erasing the entry; it may still be found, but nothing new may
 *       be based on its presence. Falls with the end of the tenancy.
 *   <li><b>lanes</b>: displacements, the number of entries whose probe path passed this slot
 *       without stopping, counted apart for four kinds of hashes; a search ends at a slot where the
 *       count of its own lane is zero. A count that has reached {@link #STUCK} stays there for
 *       good: searches of its lane go on here, and find nothing less.
 * </ul>
 */
public final class Tail {
  /** Number of lanes, a power of two. */
  public static final int LANES = 4;

  static final int LANE_BITS = 6;
  static final long LANE_MASK = (1L << LANE_BITS) - 1;
  static final int CONDEMNED_SHIFT = LANES * LANE_BITS;
  static final long CONDEMNED = 1L << CONDEMNED_SHIFT;
  static final int GENERATION_SHIFT = CONDEMNED_SHIFT + 1;
  static final long GENERATION_ONE = 1L << GENERATION_SHIFT;

  /** From here on a count is neither raised nor lowered. */
  public static final int STUCK = (int) LANE_MASK;

  private Tail() {}

  /** Lane of a hash. */
  public static int lane(long hash) {
    return (int) hash & LANES - 1;
  }

  /** Displacements of one lane. */
  public static int displacements(long tail, int lane) {
    return (int) (tail >>> lane * LANE_BITS & LANE_MASK);
  }

  static long displacementOne(int lane) {
    return 1L << lane * LANE_BITS;
  }

  public static long generation(long tail) {
    return tail >>> GENERATION_SHIFT;
  }

  public static boolean isCondemned(long tail) {
    return (tail & CONDEMNED) != 0;
  }

  public static boolean sameTenancy(long before, long after) {
    return (before ^ after) >>> GENERATION_SHIFT == 0;
  }

  static boolean isStuck(long tail, int lane) {
    return displacements(tail, lane) == STUCK;
  }
}
