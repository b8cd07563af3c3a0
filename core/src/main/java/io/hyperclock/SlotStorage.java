/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

/** Where the slot metadata lives. Values are ordinary references in both cases. */
public enum SlotStorage {
  /** In {@code long[]} arrays: fastest, counted in the Java heap, never traced by the collector. */
  HEAP,
  /** In direct buffers: adds nothing to the Java heap but the value references. */
  OFF_HEAP
}
