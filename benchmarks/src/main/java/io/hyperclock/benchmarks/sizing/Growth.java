/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.sizing;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What it costs to fill a cache from empty, for one that grows, one that was told how many entries
 * come, and one of a fixed size, in turns.
 */
public final class Growth {
  private static final double FILL = 0.9;

  private static final long CHARGE_BYTES = 1024;

  /** More than the slots of an entry ever take. */
  private static final long SLOT_BYTES = 128;

  private final int entries;
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final List<Double> growing = new ArrayList<>();
  private final List<Double> told = new ArrayList<>();
  private final List<Double> fixed = new ArrayList<>();

  /**
   * For caches of some size.
   *
   * @param entries there is room for, of 1 KiB each
   */
  public Growth(int entries) {
    this.entries = entries;
  }

  /**
   * Fills each cache once in every round.
   *
   * @param rounds how often; one more, the first, is not counted
   */
  public void run(int rounds) {
    for (int round = 0; round <= rounds; round++) {
      growing.add(fill(builder -> builder));
      told.add(fill(builder -> builder.initialEntries(entries)));
      fixed.add(fill(builder -> builder.estimatedEntryCharge(CHARGE_BYTES)));
    }
    List.of(growing, told, fixed).forEach(times -> times.remove(0));
  }

  /** Nanoseconds of processor time for one insert. */
  private double fill(UnaryOperator<BlockCacheBuilder<Object>> setting) {
    BlockCacheBuilder<Object> builder =
        BlockCache.<Object>builder().capacityBytes(entries * (CHARGE_BYTES + SLOT_BYTES));
    try (BlockCache<Object> cache = setting.apply(builder).build()) {
      int count = (int) (FILL * entries);
      long start = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < count; i++) {
        cache.insert(1, i, this, CHARGE_BYTES);
      }
      return (threads.getCurrentThreadCpuTime() - start) / (double) count;
    }
  }

  /**
   * Nanoseconds of an insert while the cache grows.
   *
   * @return the median of the rounds
   */
  public double growingNanos() {
    return median(growing);
  }

  /**
   * The same, told by {@code initialEntries} how many come.
   *
   * @return the median of the rounds
   */
  public double toldNanos() {
    return median(told);
  }

  /**
   * The same of a fixed size.
   *
   * @return the median of the rounds
   */
  public double fixedNanos() {
    return median(fixed);
  }

  private static double median(List<Double> times) {
    double[] sorted = times.stream().mapToDouble(d -> d).sorted().toArray();
    return Arrays.stream(sorted).skip(sorted.length / 2).findFirst().orElseThrow();
  }
}
