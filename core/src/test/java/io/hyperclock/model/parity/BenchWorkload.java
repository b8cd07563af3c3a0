/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model.parity;

import io.hyperclock.InsertResult;
import io.hyperclock.entry.Priority;
import io.hyperclock.model.parity.ParityCache.Pin;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The workload of RocksDB's {@code cache_bench} for one thread: populate, then a mix of lookups,
 * inserts and erases on skewed keys, with a queue of pins.
 */
final class BenchWorkload {
  /** Options under the names of RocksDB's tool; those left out have its defaults. */
  record Options(long cacheSize, int valueBytes, long seed, int skew, double pinnedRatio) {
    static Options of(long cacheSize, long seed) {
      return new Options(cacheSize, 8192, seed, 5, 0.25);
    }

    long maxKey() {
      return (long) (cacheSize / 0.25 / valueBytes);
    }

    long pinCount() {
      return (long) (cacheSize * pinnedRatio / valueBytes + 0.999999);
    }

    long hashSeed() {
      return seed & 0x7fffffff;
    }
  }

  private static final long HUNDREDTH = Long.divideUnsigned(-1L, 100);
  private static final long LOOKUP_INSERT_BELOW = HUNDREDTH * 82;
  private static final long INSERT_BELOW = LOOKUP_INSERT_BELOW + HUNDREDTH * 2;
  private static final long BLIND_INSERT_BELOW = INSERT_BELOW + HUNDREDTH * 5;
  private static final long LOOKUP_BELOW = BLIND_INSERT_BELOW + HUNDREDTH * 10;

  private final ParityCache cache;
  private final Options options;
  private final Deque<Pin> pins = new ArrayDeque<>();
  private long hits;
  private long lookups;

  BenchWorkload(ParityCache cache, Options options) {
    this.cache = cache;
    this.options = options;
  }

  /** Fills the cache; returns the largest occupancy seen. */
  long populate() {
    MersenneTwister64 random = new MersenneTwister64(options.seed());
    long maxOccupancy = 0;
    int insertsWithoutGrowth = 0;
    int foundInRow = 0;
    while (insertsWithoutGrowth < 100 && foundInRow < 100) {
      BenchKey key = BenchKey.draw(random, options.maxKey(), options.skew());
      if (touch(key)) {
        foundInRow++;
        continue;
      }
      foundInRow = 0;
      drawValue(random);
      cache.insert(key, options.valueBytes(), Priority.LOW);
      if (!touch(key)) {
        throw new AssertionError("a key just inserted must be found: key=" + key);
      }
      insertsWithoutGrowth++;
      if (cache.occupancy() > maxOccupancy) {
        maxOccupancy = cache.occupancy();
        insertsWithoutGrowth = 0;
      }
    }
    return maxOccupancy;
  }

  private boolean touch(BenchKey key) {
    Pin pin = cache.lookup(key);
    if (pin == null) {
      return false;
    }
    pin.release(true, false);
    return true;
  }

  /** Draws the random half of a value as the tool does; the bytes themselves are not needed. */
  private void drawValue(MersenneTwister64 random) {
    for (int i = 0; i < options.valueBytes() / 2; i += 8) {
      random.next();
    }
  }

  void run(int operations) {
    MersenneTwister64 random = new MersenneTwister64(options.seed() + 1);
    for (int i = 0; i < operations; i++) {
      BenchKey key = BenchKey.draw(random, options.maxKey(), options.skew());
      operate(random, key, random.next());
      while (pins.size() > options.pinCount()) {
        pins.removeFirst().release(true, false);
      }
    }
  }

  private void operate(MersenneTwister64 random, BenchKey key, long kind) {
    if (below(kind, LOOKUP_INSERT_BELOW)) {
      if (!lookup(key)) {
        insertPinned(random, key);
      }
    } else if (below(kind, INSERT_BELOW)) {
      insertPinned(random, key);
    } else if (below(kind, BLIND_INSERT_BELOW)) {
      drawValue(random);
      InsertResult result = cache.insert(key, options.valueBytes(), Priority.LOW);
      if (result.isRefused()) {
        throw new AssertionError("a non-strict cache must not refuse: key=" + key);
      }
    } else if (below(kind, LOOKUP_BELOW)) {
      lookup(key);
    } else {
      cache.erase(key);
    }
  }

  private static boolean below(long kind, long threshold) {
    return Long.compareUnsigned(kind, threshold) < 0;
  }

  private boolean lookup(BenchKey key) {
    lookups++;
    Pin pin = cache.lookup(key);
    if (pin == null) {
      return false;
    }
    hits++;
    pins.addLast(pin);
    return true;
  }

  private void insertPinned(MersenneTwister64 random, BenchKey key) {
    drawValue(random);
    pins.addLast(cache.insertPinned(key, options.valueBytes(), Priority.LOW));
  }

  void releaseAll() {
    pins.forEach(pin -> pin.release(true, false));
    pins.clear();
  }

  double hitRatio() {
    return (double) hits / lookups;
  }
}
