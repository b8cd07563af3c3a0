/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.metrics;

import io.hyperclock.BlockCache;
import io.hyperclock.stats.CacheStats;
import java.lang.ref.WeakReference;

/** A cache that is not kept reachable by those who observe it. */
final class WeakCache extends WeakReference<BlockCache<?>> {
  WeakCache(BlockCache<?> cache) {
    super(cache);
  }

  /** The cache, or an {@link IllegalStateException} once it is closed or unreachable. */
  BlockCache<?> present() {
    BlockCache<?> present = get();
    if (present == null) {
      throw new IllegalStateException("cache must be reachable");
    }
    // Throws once it is closed: snapshots of before can still be had then.
    present.monitor().capacityBytes();
    return present;
  }

  CacheStats stats() {
    return present().monitor().stats();
  }
}
