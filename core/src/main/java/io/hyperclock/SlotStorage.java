/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

/** Where the slot metadata lives. Values are ordinary references in both cases. */
public enum SlotStorage {
  /** In {@code long[]} arrays: fastest, counted in the Java heap, never traced by the collector. */
  HEAP,
  /**
   * In memory of direct buffers. On the Java heap remain the value reference of each slot and, with
   * {@link ReplacementPolicy#ADAPTIVE}, 8 bytes a slot. On JDK 22 and later with native access
   * reads without a pin are as fast as on the heap, and pinned reads take a little longer;
   * elsewhere all are slower; see {@link io.hyperclock.stats.CacheStats#slotAccess}.
   */
  OFF_HEAP
}
