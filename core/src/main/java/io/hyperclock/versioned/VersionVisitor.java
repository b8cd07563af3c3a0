/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

/**
 * Sees the keys of a cache one by one.
 *
 * <pre>{@code
 * rows.monitor().forEach((hi, lo, versions) -> log(lo + ": " + versions.prepared()));
 * }</pre>
 *
 * @param <V> type of the values
 */
@FunctionalInterface
public interface VersionVisitor<V> {
  /**
   * Called once per key that has a version.
   *
   * @param versions its versions, at least one of them present
   */
  void visit(long keyHi, long keyLo, Versions<V> versions);
}
