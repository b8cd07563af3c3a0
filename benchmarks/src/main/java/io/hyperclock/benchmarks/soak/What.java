/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

/** A part of the mix. */
public enum What {
  /** Block caches: reads, writes, handles, scopes, files, reservations, capacity, visits. */
  BLOCKS,
  /** Loading reads of block caches, beside all that {@link #BLOCKS} does. */
  LOADS,
  /** Caches of two versions of each key. */
  VERSIONED,
  /** Caches with tiers below them. */
  TIERED
}
