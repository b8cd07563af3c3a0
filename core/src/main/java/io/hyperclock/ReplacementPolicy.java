/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

/** How a cache chooses the entries that make room for others. */
public enum ReplacementPolicy {
  /**
   * Newcomers prove themselves in a small share of the capacity; whether recency or frequency
   * decides, how large that share is, and for how long it is remembered who left, is learnt from
   * the workload.
   */
  ADAPTIVE,

  /**
   * Generalized CLOCK as in RocksDB: each use adds one to a count of at most three, each visit of
   * the hand takes one, and an entry found at zero leaves.
   */
  CLASSIC
}
