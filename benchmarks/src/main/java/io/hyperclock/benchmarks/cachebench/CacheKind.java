/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The caches that run the workload. */
enum CacheKind {
  PIN_FREE("HyperClock, reads without pins"),
  PINNED("HyperClock, reads with pins"),
  OFF_HEAP("HyperClock, reads without pins, slots off the heap"),
  PARITY("a model of RocksDB's rules under locks, not for measuring speed"),
  CAFFEINE("Caffeine"),
  CACHE2K("cache2k"),
  LRU("LinkedHashMap in the order of use, one lock");

  private final String title;

  CacheKind(String title) {
    this.title = title;
  }

  static CacheKind named(String name) {
    return Arrays.stream(values())
        .filter(kind -> kind.optionName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--cache must be one of " + names() + ": cache=" + name));
  }

  static String names() {
    return Arrays.stream(values()).map(CacheKind::optionName).collect(Collectors.joining(", "));
  }

  String optionName() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }

  String title() {
    return title;
  }

  boolean isHyperClock() {
    return compareTo(PARITY) < 0;
  }

  /** Whether it has a table of fixed size in shards, whose settings can be chosen. */
  boolean hasTable() {
    return isHyperClock() || this == PARITY;
  }
}
