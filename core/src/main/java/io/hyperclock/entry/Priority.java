/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

/**
 * How long an entry that is never used again should outlive its peers. It sets the countdown a new
 * entry starts with; uses raise every entry to the same maximum.
 *
 * <pre>{@code
 * cache.insert(file.hi(), file.lo(offset), bytes, INDEX, bytes.length, Priority.HIGH);
 * }</pre>
 *
 * <p>Source: RocksDB {@code Cache::Priority}.
 */
public enum Priority {
  /** Index and filter blocks and the like: survives three visits of the clock hand unused. */
  HIGH,
  /** Data blocks, the default: survives two visits of the clock hand unused. */
  LOW,
  /** Read once and probably never again, such as scans: survives one visit unused. */
  BOTTOM
}
