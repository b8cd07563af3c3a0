/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.sizing;

import io.hyperclock.BlockCache;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Reads with inserts on misses by one thread. Entries of one phase have one size; from phase to
 * phase they get smaller or larger by a factor, and keys are new. Three times as many keys as fit
 * are read, the key with number n in proportion to 1 / n.
 */
public final class ShiftingLoad {
  private static final int SAMPLES_PER_TURNOVER = 20;
  private static final int KEYS_PER_ENTRY = 3;
  private static final double NANOS_PER_MICRO = 1000.0;

  private final BlockCache<Object> cache;
  private final SplittableRandom random;
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final List<SizeSample> samples = new ArrayList<>();
  private long bytes;
  private long reads;
  private long hits;
  private long longest;

  /**
   * For an empty cache.
   *
   * @param cache to be read; stays the caller's
   * @param seed of the order of reads
   */
  public ShiftingLoad(BlockCache<Object> cache, long seed) {
    this.cache = cache;
    this.random = new SplittableRandom(seed);
  }

  /**
   * Runs one phase.
   *
   * @param phase its number, which makes keys new
   * @param charge bytes of each entry
   * @param turnovers how many capacities of entries are inserted
   * @return share of reads that hit in percent, after the first capacity
   */
  public double run(int phase, long charge, double turnovers) {
    long capacity = cache.monitor().capacityBytes();
    double keys = (double) KEYS_PER_ENTRY * capacity / charge;
    long begin = bytes;
    long next = begin + capacity / SAMPLES_PER_TURNOVER;
    long settledReads = 0;
    long settledHits = 0;
    while (bytes - begin < turnovers * capacity) {
      long number = (long) Math.exp(random.nextDouble() * Math.log(keys));
      boolean hit = cache.get(phase, number) != null;
      reads++;
      hits += hit ? 1 : 0;
      if (bytes - begin >= capacity) {
        settledReads++;
        settledHits += hit ? 1 : 0;
      }
      if (!hit) {
        insert(phase, number, charge);
      }
      if (bytes >= next) {
        sample(charge);
        next += capacity / SAMPLES_PER_TURNOVER;
      }
    }
    return 100.0 * settledHits / Math.max(1, settledReads);
  }

  private void insert(int phase, long number, long charge) {
    long start = threads.getCurrentThreadCpuTime();
    cache.insert(phase, number, this, charge);
    longest = Math.max(longest, threads.getCurrentThreadCpuTime() - start);
    bytes += charge;
  }

  private void sample(long charge) {
    samples.add(
        new SizeSample(
            (double) bytes / cache.monitor().capacityBytes(),
            charge,
            cache.monitor().occupancy(),
            cache.monitor().slots(),
            cache.monitor().stats().metadataBytes(),
            cache.monitor().usageBytes(),
            100.0 * hits / Math.max(1, reads),
            longest / NANOS_PER_MICRO));
    reads = 0;
    hits = 0;
    longest = 0;
  }

  /**
   * What was seen.
   *
   * @return samples in order, a copy
   */
  public List<SizeSample> samples() {
    return List.copyOf(samples);
  }
}
