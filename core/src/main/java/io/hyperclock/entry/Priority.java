/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

/**
 * How long an entry that is never used again should outlive its peers. A hint for entries that
 * differ from the rest: what all entries have in common tells the cache nothing.
 *
 * <pre>{@code
 * cache.insert(file.hi(), file.lo(offset), bytes, INDEX, bytes.length, Priority.HIGH);
 * }</pre>
 *
 * <p>What it means depends on the {@link io.hyperclock.ReplacementPolicy}.
 *
 * <p>Source: RocksDB {@code Cache::Priority}.
 */
public enum Priority {
  /**
   * Index and filter blocks and the like. Adaptive: no probation, and a higher frequency to start
   * with. Classic: survives three visits of the clock hand unused.
   */
  HIGH,
  /**
   * Data blocks, the default. Adaptive: on probation until used again. Classic: survives two visits
   * unused.
   */
  LOW,
  /**
   * Read once and probably never again, such as scans. Adaptive: on probation with a lower
   * frequency, so that it loses against {@code LOW}. Classic: survives one visit unused.
   */
  BOTTOM
}
