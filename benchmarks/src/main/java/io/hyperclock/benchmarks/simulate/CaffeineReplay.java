/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/** Caffeine, sized for its entries from the start, its maintenance by the callers. Thread-safe. */
final class CaffeineReplay implements TraceReplay {
  private final Trace trace;
  private final Cache<Integer, Integer> cache;

  CaffeineReplay(Trace trace, long capacity) {
    this.trace = trace;
    long entries = Math.min(trace.distinct(), capacity / trace.meanSize());
    Caffeine<Object, Object> builder =
        Caffeine.newBuilder().executor(Runnable::run).initialCapacity((int) entries);
    this.cache =
        trace.weighted()
            ? builder.maximumWeight(capacity).weigher((Integer key, Integer size) -> size).build()
            : builder.maximumSize(capacity).build();
  }

  @Override
  public int hits(int from, int to) {
    int hits = 0;
    for (int i = from; i < to; i++) {
      Integer key = trace.key(i);
      if (cache.getIfPresent(key) != null) {
        hits++;
      } else {
        cache.put(key, trace.size(i));
      }
    }
    return hits;
  }
}
