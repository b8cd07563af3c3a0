/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.internal.errors.Figure;
import io.hyperclock.versioned.NamespaceStats;
import java.util.Arrays;

/**
 * What a cache of two versions counts; and items and bytes of each namespace, exact when nothing is
 * under way.
 */
final class VersionedCounts {
  private static final int ITEMS = 0;
  private static final int ITEM_BYTES = 1;
  private static final int PREPARES = 2;
  private static final int PREPARED_BYTES = 3;
  private static final int FIGURES = 4;

  final Figure commits = new Figure();
  final Figure aborts = new Figure();
  final Figure expirations = new Figure();
  final Figure refusedInProgress = new Figure();
  final Figure refusedNoRoom = new Figure();
  final Figure evictions = new Figure();
  final Figure effortExceeded = new Figure();
  private final Figure[] figures;

  VersionedCounts(int namespaces) {
    this.figures = new Figure[namespaces * FIGURES];
    Arrays.setAll(figures, i -> new Figure());
  }

  /** Refuses a number that is not that of a namespace. */
  void requireNamespace(int namespace) {
    if (namespace < 0 || namespace >= namespaces()) {
      throw new IllegalArgumentException(
          "namespace must be in [0, " + namespaces() + "): namespace=" + namespace);
    }
  }

  int namespaces() {
    return figures.length / FIGURES;
  }

  /** Items come or go. */
  void items(int namespace, int items, long bytes) {
    if (items != 0) {
      figures[FIGURES * namespace + ITEMS].add(items);
    }
    if (bytes != 0) {
      figures[FIGURES * namespace + ITEM_BYTES].add(bytes);
    }
  }

  /** Prepares come or go. */
  void prepares(int namespace, int prepares, long bytes) {
    figures[FIGURES * namespace + PREPARES].add(prepares);
    figures[FIGURES * namespace + PREPARED_BYTES].add(bytes);
  }

  NamespaceStats stats(int namespace) {
    int first = FIGURES * namespace;
    return new NamespaceStats(
        figures[first + ITEMS].sum(),
        figures[first + ITEM_BYTES].sum(),
        figures[first + PREPARES].sum(),
        figures[first + PREPARED_BYTES].sum());
  }
}
