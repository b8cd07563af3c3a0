/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

/**
 * What a {@link VersionedCache} holds and has done.
 *
 * <pre>{@code
 * VersionedStats stats = rows.monitor().stats();
 * if (stats.inDoubt() > 0) {
 *   askTheCoordinator();
 * }
 * }</pre>
 *
 * <p>Nothing here counts as a use of a key. All methods may be called by any thread at any time.
 *
 * @param <V> type of the values
 */
public interface VersionedMonitor<V> {
  /**
   * What the cache holds and has done.
   *
   * @return the figures
   */
  VersionedStats stats();

  /**
   * What one namespace holds.
   *
   * @param namespace in [0, number of namespaces)
   * @return its figures
   */
  NamespaceStats namespaceStats(int namespace);

  /**
   * Visits each key that has a version, as it is when it is met. What is added or removed meanwhile
   * may be seen or not.
   *
   * @param visitor called on this thread
   */
  void forEach(VersionVisitor<V> visitor);
}
