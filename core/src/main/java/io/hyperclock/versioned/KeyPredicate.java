/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

/** Chooses keys. */
@FunctionalInterface
public interface KeyPredicate {
  /**
   * Whether a key is meant.
   *
   * @param keyHi high word of the key
   * @param keyLo low word of the key
   * @return true if so
   */
  boolean test(long keyHi, long keyLo);
}
