/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.errors;

/**
 * Makes sure that the stack does not end in the middle of an operation: it ends here, before
 * anything has changed, or not at all.
 *
 * <p>A {@link StackOverflowError} strikes at the call of a method. So an operation whose steps must
 * not be torn apart first calls as deep as its own steps will: a chain of small methods, more of
 * them than the library has below the caller, whose frames take about as much as those of the
 * steps, interpreted or compiled. What the user's code needs is not in it; that is called where an
 * error does no harm. Not for hits: a call costs about a nanosecond.
 */
public final class StackReserve {
  /** Calls below an operation, those into the JDK included; the fault tests need fewer. */
  private static final int CALLS = 48;

  /** Calls below a few steps on a slot and its ledger. */
  private static final int FEW_CALLS = 16;

  private StackReserve() {}

  /**
   * Returns if there is room for the calls of an operation.
   *
   * @throws StackOverflowError if not
   */
  public static void require() {
    require(CALLS);
  }

  /**
   * Returns if there is room for a few steps that call no code of the user's.
   *
   * @throws StackOverflowError if not
   */
  public static void requireLittle() {
    require(FEW_CALLS);
  }

  private static void require(int calls) {
    if (call(calls, 1) == 0) {
      throw new AssertionError("calls must be counted: calls=" + calls);
    }
  }

  /** Not a loop, and not to be made one: the result is not that of the last call. */
  private static int call(int left, int one) {
    return left == 0 ? one : call(left - 1, one) + one;
  }
}
