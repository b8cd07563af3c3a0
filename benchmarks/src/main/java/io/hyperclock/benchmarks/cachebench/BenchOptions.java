/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import static io.hyperclock.benchmarks.cachebench.Checks.require;
import static io.hyperclock.benchmarks.cachebench.Checks.requireIn;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options of the workload, under the names of RocksDB's tool where the meaning is the same. */
public final class BenchOptions {
  private static final String DEFAULT = " (default: ${DEFAULT-VALUE}).";
  private static final int MAX_THREADS = 1024;
  private static final long MAX_SEED = (1L << 32) - 1;
  private static final int MAX_SKEW = 1000;
  private static final int SLOT_BYTES = 64;
  private static final int ARRAY_HEADER_BYTES = 16;
  private static final int OVERHEAD_BYTES = 100;

  @Option(
      names = "--seed",
      defaultValue = "0",
      description = "Seed of the random numbers; 0 takes the process id" + DEFAULT)
  long seed;

  @Option(names = "--threads", defaultValue = "16", description = "Threads" + DEFAULT)
  int threads;

  @Option(
      names = "--ops_per_thread",
      defaultValue = "2000000",
      description = "Operations of each" + DEFAULT)
  long operations;

  @Option(
      names = "--cache_size",
      defaultValue = "1073741824",
      description = "Capacity in bytes" + DEFAULT)
  long cacheSize;

  @Option(
      names = "--value_bytes",
      defaultValue = "8192",
      description = "Length and charge of a value" + DEFAULT)
  int valueBytes;

  @Option(
      names = "--resident_ratio",
      defaultValue = "0.25",
      description = "Share of the keys that fits into the cache" + DEFAULT)
  double residentRatio;

  @Option(
      names = "--skew",
      defaultValue = "5",
      description = "Popularity of small keys; 0 is uniform" + DEFAULT)
  int skew;

  @Option(
      names = "--pinned_ratio",
      defaultValue = "0.25",
      description = "Share of the capacity that the threads hold" + DEFAULT)
  double pinnedRatio;

  @Option(
      names = "--compressible_to_ratio",
      defaultValue = "0.5",
      description = "Random share of a value, the rest repeats it" + DEFAULT)
  double compressibleToRatio;

  @Option(
      names = "--vary_capacity_ratio",
      defaultValue = "0",
      description =
          "Part of the capacity that thread 0 takes away at random, a hundred times" + DEFAULT)
  double varyCapacityRatio;

  @Option(
      names = "--populate_cache",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "true",
      description = "Fill the cache before" + DEFAULT)
  boolean populate;

  @Option(
      names = "--lookup_insert_percent",
      defaultValue = "82",
      description = "Lookups that insert what they miss" + DEFAULT)
  int lookupInsertPercent;

  @Option(
      names = "--insert_percent",
      defaultValue = "2",
      description = "Inserts of values that are held" + DEFAULT)
  int insertPercent;

  @Option(
      names = "--blind_insert_percent",
      defaultValue = "5",
      description = "Inserts of values that are not" + DEFAULT)
  int blindInsertPercent;

  @Option(names = "--lookup_percent", defaultValue = "10", description = "Lookups" + DEFAULT)
  int lookupPercent;

  @Option(names = "--erase_percent", defaultValue = "1", description = "Removals" + DEFAULT)
  int erasePercent;

  @Option(
      names = "--lean",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "false",
      description = "Leave the bytes of values found alone" + DEFAULT)
  boolean lean;

  @Option(
      names = "--store_values",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "true",
      description =
          "false: cache empty values that are charged as if they were not, so that a large cache"
              + " fits a small heap"
              + DEFAULT)
  boolean storeValues;

  @Option(
      names = "--gather_stats",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "false",
      description = "Visit all entries again and again in one more thread" + DEFAULT)
  boolean gatherStats;

  @Option(
      names = "--gather_stats_sleep_ms",
      defaultValue = "1000",
      description = "Pause between two visits" + DEFAULT)
  int gatherStatsSleepMillis;

  @Option(
      names = "--histograms",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "true",
      description = "Measure the latency of each operation" + DEFAULT)
  boolean histograms;

  @Option(
      names = "--report_problems",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "true",
      description = "Say what is wrong with the cache's settings" + DEFAULT)
  boolean reportProblems;

  @Mixin CacheOptions cache;

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  /** For the command line. */
  public BenchOptions() {}

  /**
   * Checks the options against each other and fills in what was left open.
   *
   * @throws IllegalArgumentException if the workload is impossible
   */
  public void check() {
    requireIn("--threads", threads, 1, MAX_THREADS);
    requireIn("--seed", seed, 0, MAX_SEED - MAX_THREADS);
    requireIn("--ops_per_thread", operations, 1, Long.MAX_VALUE / MAX_THREADS);
    requireIn("--cache_size", cacheSize, 1, 1L << 48);
    requireIn("--value_bytes", valueBytes, 1, 1 << 30);
    requireIn("--skew", skew, 0, MAX_SKEW);
    requireIn("--gather_stats_sleep_ms", gatherStatsSleepMillis, 1, Integer.MAX_VALUE);
    require(
        residentRatio > 0 && maxKeyRatio() >= 1 && maxKeyRatio() < 1L << 62,
        "--cache_size / --resident_ratio / --value_bytes must be in [1, 2^62): cache_size="
            + cacheSize
            + ", resident_ratio="
            + residentRatio
            + ", value_bytes="
            + valueBytes);
    requireIn("--pinned_ratio", pinnedRatio, 0, 100);
    requireIn("--compressible_to_ratio", compressibleToRatio, 0, 1);
    require(
        varyCapacityRatio >= 0 && varyCapacityRatio < 1,
        "--vary_capacity_ratio must be in [0, 1): vary_capacity_ratio=" + varyCapacityRatio);
    checkPercentages();
    cache.check(this);
    checkHeap();
    if (seed == 0) {
      seed = ProcessHandle.current().pid();
    }
  }

  private void checkHeap() {
    double entries = (double) cacheSize / (valueBytes + (cache.kind().hasTable() ? SLOT_BYTES : 0));
    double stored = storeValues ? (1 + pinnedRatio) * (valueBytes + ARRAY_HEADER_BYTES) : 0;
    double bytes = entries * (stored + OVERHEAD_BYTES) + cache.secondaryBytes();
    long heap = Runtime.getRuntime().maxMemory();
    require(
        bytes <= heap,
        String.format(
            Locale.ROOT,
            "the entries must fit the heap (raise -Xmx, or take --store_values=false for large"
                + " values): bytes=%.0f, heap=%d",
            bytes,
            heap));
  }

  private void checkPercentages() {
    requireIn("--lookup_insert_percent", lookupInsertPercent, 0, 100);
    requireIn("--insert_percent", insertPercent, 0, 100);
    requireIn("--blind_insert_percent", blindInsertPercent, 0, 100);
    requireIn("--lookup_percent", lookupPercent, 0, 100);
    requireIn("--erase_percent", erasePercent, 0, 100);
    int sum =
        lookupInsertPercent + insertPercent + blindInsertPercent + lookupPercent + erasePercent;
    require(sum == 100, "percentages must add up to 100: sum=" + sum);
  }

  /**
   * Where to write a flight recording.
   *
   * @return a file, or null for none
   */
  public @Nullable Path recording() {
    return cache.recording();
  }

  private double maxKeyRatio() {
    return cacheSize / residentRatio / valueBytes;
  }

  long maxKey() {
    return (long) maxKeyRatio();
  }

  /** What is done with values, in words. */
  String valueKind() {
    return storeValues ? lean ? "stored, not read" : "stored and read" : "not stored, only charged";
  }

  /** What one thread holds at most. */
  long pinCount(int thread) {
    return ((long) (cacheSize * pinnedRatio / valueBytes + 0.999999) + thread) / threads;
  }

  /** All options with their values, for the records. */
  Map<String, Object> values() {
    Map<String, Object> values = new TreeMap<>();
    for (var option : spec.options()) {
      Object value = option.getValue();
      if (option.longestName().contains("_") || value instanceof Number) {
        values.put(option.longestName().substring(2), value);
      }
    }
    cache.record(values);
    values.put("lean", lean);
    values.put("histograms", histograms);
    values.put("seed", seed);
    return values;
  }
}
