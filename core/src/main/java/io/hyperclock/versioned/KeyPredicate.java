/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

/**
 * Chooses keys.
 *
 * <pre>{@code
 * int marked = rows.markInDoubt((hi, lo) -> hi == table);
 * }</pre>
 */
@FunctionalInterface
public interface KeyPredicate {
  /**
   * Whether a key is meant.
   *
   * @return true if so
   */
  boolean test(long keyHi, long keyLo);
}
