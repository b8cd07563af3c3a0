/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

/**
 * The tail word of a slot: pure functions on {@code long}.
 *
 * <pre>
 *  63                                             1      0
 * +-----------------------------------------------+-----------+
 * |                 generation 63                 | erasing |
 * +-----------------------------------------------+-----------+
 * </pre>
 *
 * <ul>
 *   <li><b>generation</b>: grows by one each time a tenancy of the slot ends, before its data are
 *       touched. A reader that finds it unchanged has read one tenant's data.
 *   <li><b>erasing</b>: a thread is erasing the entry; it may still be found, but nothing new may
 *       be based on its presence. Falls with the end of the tenancy.
 * </ul>
 */
public final class GenerationWord {
  static final long ERASING = 1;
  static final int GENERATION_SHIFT = 1;

  private GenerationWord() {}

  public static long generation(long tail) {
    return tail >>> GENERATION_SHIFT;
  }

  public static boolean isErasing(long tail) {
    return (tail & ERASING) != 0;
  }

  public static boolean sameTenancy(long before, long after) {
    return generation(before) == generation(after);
  }

  /** The word of the next tenancy. */
  static long next(long tail) {
    return generation(tail) + 1 << GENERATION_SHIFT;
  }
}
