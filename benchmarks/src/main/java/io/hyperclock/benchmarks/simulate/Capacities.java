/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import java.util.Arrays;
import java.util.List;

/** Which capacities to replay a trace with. */
public final class Capacities {
  /** Capacities that come from fractions are left out below this. */
  public static final long MIN_OF_FRACTION = 10;

  private Capacities() {}

  /**
   * Capacities that are fractions of what a trace asks for.
   *
   * @param trace the trace
   * @param fractions fractions of its distinct keys, of their sizes if it is weighted
   * @return capacities in order, each once, none below {@link #MIN_OF_FRACTION}
   */
  public static List<Long> of(Trace trace, double[] fractions) {
    return Arrays.stream(fractions)
        .mapToLong(fraction -> (long) (fraction * trace.totalSize()))
        .filter(capacity -> capacity >= MIN_OF_FRACTION)
        .distinct()
        .sorted()
        .boxed()
        .toList();
  }
}
