/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import io.hyperclock.BlockCache;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;

/** The cache itself, read without pins. Thread-safe. */
final class HyperClockReplay implements TraceReplay {
  private static final long KEY_HI = 0x5DEECE66DL;
  private static final Object VALUE = new Object();

  private final Trace trace;
  private final BlockCache<Object> cache;

  HyperClockReplay(
      Trace trace, long capacity, ReplacementPolicy policy, int shards, HashSeed seed) {
    this.trace = trace;
    this.cache =
        BlockCache.<Object>builder()
            .capacityBytes(capacity)
            .estimatedEntryCharge(trace.meanSize())
            .metadataCharge(MetadataCharge.NONE)
            .replacementPolicy(policy)
            .shards(shards)
            .hashSeed(seed)
            .build();
  }

  @Override
  public int hits(int from, int to) {
    int hits = 0;
    for (int i = from; i < to; i++) {
      int key = trace.key(i);
      if (cache.get(KEY_HI, key) != null) {
        hits++;
      } else {
        cache.insert(KEY_HI, key, VALUE, trace.size(i));
      }
    }
    return hits;
  }

  @Override
  public void close() {
    cache.close();
  }
}
