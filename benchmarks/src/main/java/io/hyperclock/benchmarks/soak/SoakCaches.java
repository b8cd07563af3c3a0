/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.BlockCache;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.versioned.VersionedCache;

/** Stands between the soak and the caches it uses: tests of the soak put faulty caches there. */
public interface SoakCaches {
  /** The caches as they are. */
  SoakCaches PLAIN = new SoakCaches() {};

  /**
   * The cache to use in place of one that was built.
   *
   * @param cache the cache
   * @param <V> type of the values
   * @return it, or one in front of it
   */
  default <V> BlockCache<V> blocks(BlockCache<V> cache) {
    return cache;
  }

  /**
   * The cache to use in place of one that was built.
   *
   * @param cache the cache
   * @param <V> type of the values
   * @return it, or one in front of it
   */
  default <V> VersionedCache<V> versioned(VersionedCache<V> cache) {
    return cache;
  }

  /**
   * The cache to use in place of one that was built.
   *
   * @param cache the cache
   * @param <V> type of the values
   * @return it, or one in front of it
   */
  default <V> TieredBlockCache<V> tiered(TieredBlockCache<V> cache) {
    return cache;
  }
}
