/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.Probing;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Overlaps the memory misses of a batch: the home slots of a group of keys are loaded one after the
 * other with no dependency between them, so that the processor waits for all of them at once.
 */
final class BatchReader {
  /** Keys loaded ahead: about as many misses as a core can have under way. */
  static final int GROUP = 16;

  private BatchReader() {}

  static int checkedPairs(long[] keys, @Nullable Object[] results, String name) {
    Objects.requireNonNull(keys, "keys must not be null");
    if (results == null) {
      throw new NullPointerException(name + " must not be null");
    }
    if ((keys.length & 1) != 0) {
      throw new IllegalArgumentException("keys must be pairs of words: keys.length=" + keys.length);
    }
    int pairs = keys.length >>> 1;
    if (results.length < pairs) {
      throw new IllegalArgumentException(
          name + " must have room for " + pairs + " keys: " + name + ".length=" + results.length);
    }
    return pairs;
  }

  /**
   * Loads the home slots of a group.
   *
   * @return something that depends on every load; it must be used, or the compiler drops them
   */
  static long touch(Shard[] shards, Probing probing, long[] keys, int from, int to) {
    long seen = 0;
    for (int i = from; i < to; i++) {
      long hi = keys[2 * i];
      long lo = keys[2 * i + 1];
      long hash = probing.hash(hi, lo);
      SlotStore store = shards[probing.shard(hash, shards.length)].store();
      int home = probing.home(hash, hi, lo);
      seen += store.metaOpaque(home) + (store.valueOpaque(home) == null ? 1 : 0);
    }
    return seen;
  }
}
