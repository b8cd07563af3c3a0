/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.internal.errors.Figure;
import io.hyperclock.versioned.NamespaceStats;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What a cache of two versions counts; and items and bytes of each namespace, exact when nothing is
 * under way.
 */
final class VersionedCounts {
  final Figure commits = new Figure();
  final Figure aborts = new Figure();
  final Figure expirations = new Figure();
  final Figure refusedInProgress = new Figure();
  final Figure refusedNoRoom = new Figure();
  final Figure evictions = new Figure();
  final Figure effortExceeded = new Figure();
  private final OfNamespace[] namespaces;

  /** What is counted of one namespace. */
  static final class OfNamespace {
    final Figure items = new Figure();
    final Figure itemBytes = new Figure();
    final Figure prepares = new Figure();
    final Figure preparedBytes = new Figure();
  }

  VersionedCounts(int namespaces) {
    this.namespaces = new OfNamespace[namespaces];
    Arrays.setAll(this.namespaces, i -> new OfNamespace());
  }

  /** A number, which is refused unless it is that of a namespace. */
  int requireNamespace(int namespace) {
    if (namespace < 0 || namespace >= namespaces.length) {
      throw new IllegalArgumentException(
          "namespace must be in [0, " + namespaces.length + "): namespace=" + namespace);
    }
    return namespace;
  }

  /** Items come or go. */
  void items(int namespace, int items, long bytes) {
    OfNamespace its = namespaces[namespace];
    if (items != 0) {
      its.items.add(items);
    }
    if (bytes != 0) {
      its.itemBytes.add(bytes);
    }
  }

  /** Prepares come or go. */
  void prepares(int namespace, int prepares, long bytes) {
    OfNamespace its = namespaces[namespace];
    its.prepares.add(prepares);
    its.preparedBytes.add(bytes);
  }

  NamespaceStats stats(int namespace) {
    OfNamespace its = namespaces[requireNamespace(namespace)];
    return new NamespaceStats(
        its.items.sum(), its.itemBytes.sum(), its.prepares.sum(), its.preparedBytes.sum());
  }

  /** Adds up a figure of all namespaces. */
  long sum(Function<OfNamespace, Figure> figure) {
    return Stream.of(namespaces).map(figure).mapToLong(Figure::sum).sum();
  }
}
