/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.zip.CRC32C;
import org.HdrHistogram.Histogram;

/**
 * The operations of one thread: lookups, inserts and removals of skewed keys, with a queue of what
 * it holds.
 *
 * @param <H> what a reader holds
 */
final class Worker<H> {
  private static final long HUNDREDTH = Long.divideUnsigned(-1L, 100);
  private static final int CAPACITY_CHANGES = 100;
  private static final int PROGRESS_MASK = 1023;
  private static final double WORDS = 0x1p64;

  private final BenchCache<H> cache;
  private final BenchOptions options;
  private final int thread;
  private final MersenneTwister64 random;
  private final KeyDraw key;
  private final ValueDraw values;
  private final Deque<H> held = new ArrayDeque<>();
  private final CRC32C checksum = new CRC32C();
  private final Histogram latency = new Histogram(3);
  private final long lookupInsertBelow;
  private final long insertBelow;
  private final long blindInsertBelow;
  private final long lookupBelow;
  private final long eraseBelow;
  private long hits;
  private long lookups;
  private long checksums;
  private volatile long done;

  /**
   * What a thread did.
   *
   * @param nanos how long it took, final releases included
   * @param lookups operations that looked for a key
   * @param hits those that found it
   * @param pinned values held at the end of the operations
   * @param checksums sum over the values read, so that reading them is not idle
   * @param latency nanoseconds of each operation, empty if they were not measured
   */
  record Result(
      long nanos, long lookups, long hits, long pinned, long checksums, Histogram latency) {}

  Worker(BenchCache<H> cache, BenchOptions options, int thread) {
    this.cache = cache;
    this.options = options;
    this.thread = thread;
    this.random = new MersenneTwister64(options.seed + 1 + thread);
    this.key = new KeyDraw(options.maxKey(), options.skew);
    this.values =
        new ValueDraw(options.valueBytes, options.compressibleToRatio, options.storeValues);
    this.lookupInsertBelow = HUNDREDTH * options.lookupInsertPercent;
    this.insertBelow = lookupInsertBelow + HUNDREDTH * options.insertPercent;
    this.blindInsertBelow = insertBelow + HUNDREDTH * options.blindInsertPercent;
    this.lookupBelow = blindInsertBelow + HUNDREDTH * options.lookupPercent;
    this.eraseBelow = lookupBelow + HUNDREDTH * options.erasePercent;
  }

  /** Operations done so far, roughly; for any thread. */
  long done() {
    return done;
  }

  /** Runs all operations. */
  Result run() {
    long start = System.nanoTime();
    long pinCount = options.pinCount(thread);
    boolean timed = options.histograms;
    long step = Math.max(1, options.operations / CAPACITY_CHANGES);
    boolean varies = options.varyCapacityRatio > 0 && thread == 0;
    for (long i = 0; i < options.operations; i++) {
      key.next(random);
      long kind = random.next();
      if (varies && i % step == 0) {
        varyCapacity();
      }
      long before = timed ? System.nanoTime() : 0;
      operate(kind);
      if (timed) {
        latency.recordValue(Math.max(0, System.nanoTime() - before));
      }
      while (held.size() > pinCount) {
        cache.release(held.removeFirst());
      }
      if ((i & PROGRESS_MASK) == 0) {
        done = i;
      }
    }
    int pinned = held.size();
    held.forEach(cache::release);
    held.clear();
    done = options.operations;
    return new Result(System.nanoTime() - start, lookups, hits, pinned, checksums, latency);
  }

  private void varyCapacity() {
    double share = ((random.next() >>> 11) * 0x1p11 / WORDS) * options.varyCapacityRatio;
    cache.setCapacityBytes(Math.max(1, (long) (options.cacheSize * (1 - share))));
  }

  private void operate(long kind) {
    if (below(kind, lookupInsertBelow)) {
      if (!lookup()) {
        insertHeld(Origin.LOOKUP);
      }
    } else if (below(kind, insertBelow)) {
      insertHeld(Origin.INSERT);
    } else if (below(kind, blindInsertBelow)) {
      cache.insert(key.hi(), key.lo(), values.next(random), Origin.INSERT);
    } else if (below(kind, lookupBelow)) {
      lookup();
    } else if (below(kind, eraseBelow)) {
      cache.erase(key.hi(), key.lo());
    }
  }

  private static boolean below(long kind, long threshold) {
    return Long.compareUnsigned(kind, threshold) < 0;
  }

  private boolean lookup() {
    lookups++;
    H found = cache.lookup(key.hi(), key.lo());
    if (found == null) {
      return false;
    }
    hits++;
    if (!options.lean) {
      checksum.reset();
      checksum.update(cache.value(found));
      checksums += checksum.getValue();
    }
    held.addLast(found);
    return true;
  }

  private void insertHeld(Origin origin) {
    held.addLast(cache.insertHeld(key.hi(), key.lo(), values.next(random), origin));
  }
}
