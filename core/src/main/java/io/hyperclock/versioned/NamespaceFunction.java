/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

/** Tells to which namespace a key belongs. Must give the same answer for a key each time. */
@FunctionalInterface
public interface NamespaceFunction {
  /**
   * Namespace of a key.
   *
   * @param keyHi high word of the key
   * @param keyLo low word of the key
   * @return in [0, number of namespaces)
   */
  int namespaceOf(long keyHi, long keyLo);
}
