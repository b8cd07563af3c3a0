/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stats;

/** How a cache reaches the words of its slots, which decides what a read off the heap takes. */
public enum SlotAccess {
  /** In arrays on the heap. */
  ARRAY,
  /**
   * Off the heap, through buffers: each access checks bounds and alignment anew. It is what JDKs
   * before 22 can do, and later ones where the module has no native access.
   */
  BUFFER,
  /** Off the heap, at plain addresses: as fast as arrays. Needs JDK 22 and native access. */
  ADDRESS
}
