/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

/** A cache that can be made to evict although its capacity is not used up. */
public interface EarlyEviction {
  /**
   * Evicts a small part of one shard, of another one each time. Evicts nothing if only pinned
   * entries are met, and in a callback of an eviction.
   *
   * @param leastBytes charge to free, if that is more than the small part
   * @throws IllegalStateException if the cache is closed
   */
  void evictSome(long leastBytes);
}
