/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import java.util.Arrays;

/**
 * Least recently used leaves first. The order is a ring through the key numbers, its ends at one
 * number more than there are keys. Not thread-safe.
 */
final class LruReplay implements TraceReplay {
  private static final int ABSENT = -1;

  private final Trace trace;
  private final long capacity;
  private final int[] older;
  private final int[] newer;
  private final int[] sizes;
  private final int end;
  private long usage;

  LruReplay(Trace trace, long capacity) {
    this.trace = trace;
    this.capacity = capacity;
    this.end = trace.distinct();
    this.older = new int[end + 1];
    this.newer = new int[end + 1];
    this.sizes = new int[end];
    Arrays.fill(older, ABSENT);
    older[end] = end;
    newer[end] = end;
  }

  @Override
  public int hits(int from, int to) {
    int hits = 0;
    for (int i = from; i < to; i++) {
      int key = trace.key(i);
      if (older[key] != ABSENT) {
        hits++;
        unlink(key);
        linkNewest(key);
      } else if (trace.size(i) <= capacity) {
        sizes[key] = trace.size(i);
        usage += sizes[key];
        while (usage > capacity) {
          evictOldest();
        }
        linkNewest(key);
      }
    }
    return hits;
  }

  private void evictOldest() {
    int oldest = newer[end];
    unlink(oldest);
    older[oldest] = ABSENT;
    usage -= sizes[oldest];
  }

  private void unlink(int key) {
    newer[older[key]] = newer[key];
    older[newer[key]] = older[key];
  }

  private void linkNewest(int key) {
    older[key] = older[end];
    newer[key] = end;
    newer[older[end]] = key;
    older[end] = key;
  }
}
