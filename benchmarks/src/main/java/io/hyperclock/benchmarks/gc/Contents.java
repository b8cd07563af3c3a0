/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.gc;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hyperclock.BlockCache;
import io.hyperclock.SlotStorage;
import io.hyperclock.benchmarks.caches.BenchmarkBlock;
import io.hyperclock.benchmarks.caches.HyperClockState;
import io.hyperclock.benchmarks.keys.KeyObject;

/** What is filled: caches of entries that all share a few values, and those values alone. */
public enum Contents {
  /** The values alone. */
  NONE("no cache") {
    @Override
    Filled fill(int entries, BenchmarkBlock[] values) {
      return new Filled(values, entries, number -> value(values, number));
    }
  },
  /** HyperClock with its slots on the heap. */
  HYPERCLOCK("HyperClock") {
    @Override
    Filled fill(int entries, BenchmarkBlock[] values) {
      return hyperclock(entries, values, SlotStorage.HEAP);
    }
  },
  /** HyperClock with its slots off the heap. */
  OFF_HEAP("HyperClock, slots off heap") {
    @Override
    Filled fill(int entries, BenchmarkBlock[] values) {
      return hyperclock(entries, values, SlotStorage.OFF_HEAP);
    }
  },
  /** Caffeine, with a key object for each entry. */
  CAFFEINE("Caffeine") {
    @Override
    Filled fill(int entries, BenchmarkBlock[] values) {
      Cache<KeyObject, BenchmarkBlock> cache =
          Caffeine.newBuilder().maximumSize(room(entries)).build();
      for (int i = 0; i < entries; i++) {
        cache.put(KeyObject.of(i), value(values, i));
      }
      cache.cleanUp();
      return new Filled(
          cache, cache.estimatedSize(), number -> cache.getIfPresent(KeyObject.of(number)));
    }
  };

  private final String title;

  Contents(String title) {
    this.title = title;
  }

  /**
   * Name for tables.
   *
   * @return a few words
   */
  public String title() {
    return title;
  }

  /** Makes it and fills it. */
  abstract Filled fill(int entries, BenchmarkBlock[] values);

  /** Reads one of the entries by its number. */
  interface Reader {
    Object read(int number);
  }

  /** What was filled, the entries it holds, and how to read one. */
  record Filled(Object root, long entries, Reader reader) {}

  /** Entries that a cache has room for, so that uneven shards evict nothing. */
  private static long room(int entries) {
    return entries + entries / 10 + 1024;
  }

  private static BenchmarkBlock value(BenchmarkBlock[] values, int number) {
    return values[number & (values.length - 1)];
  }

  private static Filled hyperclock(int entries, BenchmarkBlock[] values, SlotStorage storage) {
    BlockCache<BenchmarkBlock> cache = HyperClockState.build(room(entries), storage);
    for (int i = 0; i < entries; i++) {
      cache.insert(
          KeyObject.file(i), KeyObject.offset(i), value(values, i), BenchmarkBlock.CHARGE_BYTES);
    }
    return new Filled(
        cache,
        cache.monitor().occupancy(),
        number -> cache.get(KeyObject.file(number), KeyObject.offset(number)));
  }
}
