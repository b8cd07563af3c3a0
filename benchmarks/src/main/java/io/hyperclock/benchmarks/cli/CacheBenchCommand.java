/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import io.hyperclock.benchmarks.cachebench.BenchOptions;
import io.hyperclock.benchmarks.cachebench.CacheBench;
import io.hyperclock.benchmarks.cachebench.FlightLog;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the workload of RocksDB's {@code cache_bench} on one cache. */
@Command(
    name = "cache-bench",
    description =
        "Runs the workload of RocksDB's cache_bench, with its options, on HyperClock or a rival.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    abbreviateSynopsis = true,
    footer = {
      "",
      "RocksDB's own hit ratio and load, digit for digit (cache_bench -cache_type="
          + "fixed_hyper_clock_cache):",
      "  cache-bench --cache=parity --threads=1 --seed=42 --cache_size=67108864"
          + " --ops_per_thread=200000"
    })
final class CacheBenchCommand implements Callable<Integer> {
  @Mixin private BenchOptions options;

  @Option(
      names = "--warm_up",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "false",
      description =
          "Run all of it once before, on a cache of its own that is not measured, so that the code"
              + " is compiled (default: ${DEFAULT-VALUE}).")
  private boolean warmUp;

  @Option(names = "--json", description = "File for options and results (default: none).")
  private @Nullable Path json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Main.requireWritable(spec, "json", json);
    Main.requireWritable(spec, "jfr", options.recording());
    check();
    if (warmUp) {
      try (CacheBench bench = open()) {
        bench.warmUp(spec.commandLine().getErr());
      }
      System.gc();
    }
    Path recording = options.recording();
    if (recording == null) {
      run();
    } else {
      FlightLog.record(recording, this::run);
    }
    return 0;
  }

  private Void run() throws Exception {
    try (CacheBench bench = open()) {
      bench.run(Main.typed(spec), json, spec.commandLine().getOut(), spec.commandLine().getErr());
    }
    return null;
  }

  private void check() {
    try {
      options.check();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private CacheBench open() {
    try {
      return new CacheBench(options);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
