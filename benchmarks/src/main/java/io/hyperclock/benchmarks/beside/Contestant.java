/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.beside;

import io.hyperclock.benchmarks.caches.NativeAccess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A cache of one of the two programs.
 *
 * @param cache name of the cache, as the program takes it
 * @param ours whether it is ours
 * @param start what starts the program, before the options of the workload
 */
public record Contestant(String cache, boolean ours, List<String> start) {
  private static final String SECONDARY = "--secondary_cache=compressed:";

  /** Options that mean the same to both programs. */
  private static final Set<String> SHARED =
      Set.of(
          "--seed",
          "--ops_per_thread",
          "--cache_size",
          "--num_shard_bits",
          "--value_bytes",
          "--value_bytes_estimate",
          "--eviction_effort_cap",
          "--resident_ratio",
          "--skew",
          "--pinned_ratio",
          "--compressible_to_ratio",
          "--vary_capacity_ratio",
          "--populate_cache",
          "--lookup_insert_percent",
          "--insert_percent",
          "--blind_insert_percent",
          "--lookup_percent",
          "--erase_percent",
          "--lean",
          "--gather_stats",
          "--gather_stats_sleep_ms",
          "--histograms",
          "--report_problems",
          "--secondary_cache");

  /**
   * One of ours, in a JVM of its own that has run the workload once before.
   *
   * @param main class of the command line that has {@code cache-bench}
   * @param cache value of {@code cache-bench --cache}
   * @param jvmArgs options of the JVM
   * @return the contestant
   */
  public static Contestant ours(Class<?> main, String cache, List<String> jvmArgs) {
    List<String> start = new ArrayList<>();
    start.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    start.addAll(jvmArgs);
    start.add(NativeAccess.OPTION);
    start.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    start.addAll(List.of("cache-bench", "--warm_up", "--cache=" + cache));
    return new Contestant(cache, true, List.copyOf(start));
  }

  /**
   * One of theirs.
   *
   * @param program RocksDB's {@code cache_bench}
   * @param type value of its {@code -cache_type}
   * @return the contestant
   */
  public static Contestant theirs(Path program, String type) {
    return new Contestant(
        type, false, List.of(program.toAbsolutePath().toString(), "--cache_type=" + type));
  }

  /**
   * Refuses options that the programs do not share.
   *
   * @param workload options of the workload
   * @throws IllegalArgumentException if there is such an option
   */
  public static void check(List<String> workload) {
    for (String option : workload) {
      if (!SHARED.contains(option.replaceAll("=.*", ""))) {
        throw new IllegalArgumentException(
            "WORKLOAD must be options of cache-bench, as --name=value, that mean the same to"
                + " RocksDB's: workload="
                + option);
      }
    }
  }

  /** The whole command. */
  List<String> command(List<String> workload, int threads) {
    List<String> command = new ArrayList<>(start);
    command.add("--threads=" + threads);
    for (String option : workload) {
      boolean translated = !ours && option.startsWith(SECONDARY);
      command.add(
          translated
              ? "--secondary_cache_uri=compressed_secondary_cache://capacity="
                  + option.substring(SECONDARY.length())
              : option);
    }
    return command;
  }
}
