/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.scope;

import io.hyperclock.internal.slot.PaddedCounters;
import java.lang.invoke.VarHandle;

/**
 * Counts the read scopes that are open, by the epoch they were opened in.
 *
 * <p>There is one epoch number, and a counter for each pair of stripe and parity of the epoch. A
 * scope belongs to the epoch that its opening saw before <em>and</em> after it counted. The epoch
 * goes from e to e + 1 only while all counters of the parity of e - 1 are zero. So:
 *
 * <ul>
 *   <li>while a scope of epoch s is open, the epoch is s or s + 1;
 *   <li>a value torn down in epoch r can be seen in scopes of r - 1 and r only, and all of these
 *       have ended once the epoch is r + 2.
 * </ul>
 *
 * <p>The argument is edge [scope] of {@code core/docs/memory-ordering.md}. A scope may be opened
 * and ended by different stripes' threads: it is counted where its cell says, not by its thread.
 * Every step but the retries of an opening is wait-free; each of those means that the epoch moved.
 */
public final class ReadEpochs {
  /** Result of {@link #tryEnter}: the epoch moved meanwhile, nothing is counted. */
  public static final int MOVED = -1;

  private static final int MIN_STRIPES = 4;
  private static final int MAX_STRIPES = 64;
  private static final int EPOCH = 0;

  /** Even, so that the lowest bit of a cell is the parity it counts. */
  private static final int FIRST_CELL = 2;

  private final int stripes;
  private final PaddedCounters counters;

  /** Whether any scope was ever opened; never cleared. */
  private volatile boolean used;

  /** Epochs with stripes enough for so many processors. */
  public ReadEpochs(int processors) {
    int wanted = Math.max(MIN_STRIPES, Math.min(MAX_STRIPES, 2 * processors));
    this.stripes = Integer.highestOneBit(2 * wanted - 1);
    this.counters = new PaddedCounters(FIRST_CELL + 2 * stripes);
  }

  /**
   * Tries to open a scope.
   *
   * @param threadId chooses the stripe; any number
   * @return the cell to {@link #exit}, or {@link #MOVED}; the caller then tries again and acts as
   *     after an exit
   */
  public int tryEnter(long threadId) {
    // [scope] set before the fence; pairs with that of isAnyOpen.
    if (!used) {
      used = true;
    }
    // [scope] seen before the fence: what was torn down in an earlier epoch is gone from the slots.
    long epoch = counters.get(EPOCH);
    int cell = FIRST_CELL + 2 * ((int) threadId & stripes - 1) + parity(epoch);
    // [scope] counts; pairs with the scan of isAnyOpen and tryAdvance.
    counters.getAndAdd(cell, 1);
    // [scope] counting comes before the second look, and before every read of a slot in this scope.
    VarHandle.fullFence();
    if (counters.get(EPOCH) == epoch) {
      return cell;
    }
    // [scope] nothing was read: there is nothing to publish.
    counters.getAndAdd(cell, -1);
    return MOVED;
  }

  public void exit(int cell) {
    // [scope] publishes the last use of all values read in the scope to the scan of tryAdvance.
    counters.getAndAdd(cell, -1);
  }

  /**
   * Whether a scope may be open that can see a value whose slot the caller has taken before this
   * call. Costs a fence and one load in a cache that never opened a scope.
   */
  public boolean isAnyOpen() {
    // [scope] the take comes before the flag and the scan; pairs with the fence of tryEnter.
    VarHandle.fullFence();
    if (!used) {
      return false;
    }
    return isCounted(0) || isCounted(1);
  }

  /** The epoch in which a value retires whose generation the caller has ended before this call. */
  long epochOfRetirement() {
    // [scope] the end of the generation comes before the look; pairs with the fence of tryEnter.
    VarHandle.fullFence();
    return counters.get(EPOCH);
  }

  public long epoch() {
    return counters.get(EPOCH);
  }

  /** Whether scopes counted by this cell keep the present epoch from ending. */
  boolean isBehind(int cell) {
    return (cell & 1) != parity(epoch());
  }

  /** Goes to the next epoch unless scopes of the last one are open, or another thread does. */
  public boolean tryAdvance() {
    long epoch = counters.get(EPOCH);
    // [scope] the look at the epoch comes before the scan; pairs with the fence of tryEnter.
    VarHandle.fullFence();
    if (isCounted(parity(epoch - 1))) {
      return false;
    }
    // [scope] follows the scan: acquired the exits, publishes them to each thread that sees the new
    // epoch.
    return counters.compareAndSet(EPOCH, epoch, epoch + 1);
  }

  private boolean isCounted(int parity) {
    for (int cell = FIRST_CELL + parity; cell < FIRST_CELL + 2 * stripes; cell += 2) {
      if (counters.get(cell) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Number of open scopes, those included that are about to be opened again. */
  public long open() {
    long open = 0;
    for (int cell = FIRST_CELL; cell < FIRST_CELL + 2 * stripes; cell++) {
      open += counters.get(cell);
    }
    return open;
  }

  private static int parity(long epoch) {
    return (int) epoch & 1;
  }
}
