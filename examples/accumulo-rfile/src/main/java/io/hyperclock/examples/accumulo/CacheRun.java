/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Main class of the processes that the job starts: measures one cache with several budgets and
 * prints a line for each. A process of its own keeps one cache's code and garbage from slowing
 * another.
 */
final class CacheRun {
  /** After one, what is measured first is still slower. */
  private static final int COMPILER_WARM_UPS = 3;

  private CacheRun() {}

  public static void main(String[] args) throws IOException {
    CacheChoice choice = CacheChoice.valueOf(args[0]);
    Path file = Path.of(args[1]);
    int blockBytes = Integer.parseInt(args[2]);
    int threads = Integer.parseInt(args[3]);
    int lookups = Integer.parseInt(args[4]);
    long seed = Long.parseLong(args[5]);
    long readDelayNanos = Long.parseLong(args[6]);
    long[] budgets = Arrays.stream(args, 7, args.length).mapToLong(Long::parseLong).toArray();

    ClassTable table = ClassTable.load(file);
    JobWorkload workload = new JobWorkload(table, threads, lookups / 2, lookups, seed);
    // With the smallest budget: a large cache hardly evicts, and what is not compiled here is
    // compiled while something is measured.
    JobWorkload compilerWarmUp = new JobWorkload(table, threads, lookups, lookups, seed - 1);
    for (int i = 0; i < COMPILER_WARM_UPS; i++) {
      run(compilerWarmUp, choice, Arrays.stream(budgets).min().orElseThrow(), blockBytes, 0);
    }
    for (long budget : budgets) {
      System.out.println(run(workload, choice, budget, blockBytes, readDelayNanos).toLine());
    }
  }

  private static Measurement run(
      JobWorkload workload, CacheChoice choice, long budget, int blockBytes, long readDelayNanos)
      throws IOException {
    try (Caches caches = new Caches(choice, budget, blockBytes, readDelayNanos)) {
      System.gc();
      return workload.run(caches, choice.cachesData() ? budget : 0);
    }
  }
}
