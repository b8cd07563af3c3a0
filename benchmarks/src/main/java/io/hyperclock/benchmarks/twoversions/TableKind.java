/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.twoversions;

/** Which table is measured. */
public enum TableKind {
  /** One slot a key, with two versions. */
  VERSIONED,
  /** The plain cache; it has no prepared values. */
  PLAIN,
  /** Chains, walked to the end. */
  CHAINED_FULL,
  /** Chains, walked to the first committed match. */
  CHAINED_EARLY;

  private static final int BUCKETS = 100_000;

  TwoVersionTable newTable(int keys, int namespaces) {
    return switch (this) {
      case VERSIONED -> CacheTables.versioned(keys, namespaces);
      case PLAIN -> CacheTables.plain(keys);
      case CHAINED_FULL -> new ChainedTable(BUCKETS, keys, false);
      case CHAINED_EARLY -> new ChainedTable(BUCKETS, keys, true);
    };
  }
}
