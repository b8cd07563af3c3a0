/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A few shared numbers, each with cache lines of its own. All accesses are volatile; what they
 * order is for their users to say, and most order nothing. Every step is wait-free.
 */
public final class PaddedCounters {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int SPACING = 16;

  private final long[] cells;

  /** Counters 0 to {@code count} - 1, all 0. */
  public PaddedCounters(int count) {
    this.cells = new long[(count + 2) * SPACING];
  }

  /** Current value; decisions on it are compare-and-sets or tolerate staleness. */
  public long get(int counter) {
    // [sum] [pointer] a snapshot of a number that orders nothing else; [scope] acquires the steps
    // it sees.
    return (long) CELL.getVolatile(cells, index(counter));
  }

  /** Adds, possibly a negative amount, and returns what it was. */
  public long getAndAdd(int counter, long amount) {
    // [sum] [pointer] no step is lost; a number that orders nothing else; [scope] an end publishes.
    return (long) CELL.getAndAdd(cells, index(counter), amount);
  }

  /** Replaces a value if it is still what the decision was made on. */
  public boolean compareAndSet(int counter, long expected, long value) {
    // [sum] [pointer] no two threads may use the same room or the same place; [scope] the next
    // epoch.
    return CELL.compareAndSet(cells, index(counter), expected, value);
  }

  private static int index(int counter) {
    return (counter + 1) * SPACING;
  }
}
