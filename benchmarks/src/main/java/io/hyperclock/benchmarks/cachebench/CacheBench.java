/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Runs the workload of RocksDB's {@code cache_bench} as the options say. */
public final class CacheBench implements AutoCloseable {
  private final BenchOptions options;
  private final BenchCache<?> cache;

  /**
   * Makes the cache.
   *
   * @param options what to run, {@linkplain BenchOptions#check checked}
   * @throws IllegalArgumentException if the options do not fit the cache
   */
  public CacheBench(BenchOptions options) {
    this.options = options;
    this.cache = options.cache.open(options);
  }

  /**
   * Fills the cache, runs the operations and reports.
   *
   * @param command the command as typed, for the records
   * @param json file for the results, or null for none
   * @param out takes the report
   * @param err takes the progress of long runs
   */
  public void run(String command, @Nullable Path json, PrintWriter out, PrintWriter err)
      throws IOException, InterruptedException, ExecutionException {
    BenchReport report = new BenchReport(options, out);
    report.printEnvironment();
    Outcome outcome = run(cache, report, err);
    report.print(outcome);
    if (json != null) {
      report.write(json, command, outcome);
    }
  }

  /**
   * Fills the cache and runs the operations, without a report.
   *
   * @param err takes the progress of long runs
   */
  public void warmUp(PrintWriter err) throws InterruptedException, ExecutionException {
    warmUp(cache, err);
  }

  private <H> void warmUp(BenchCache<H> cache, PrintWriter err)
      throws InterruptedException, ExecutionException {
    BenchRun<H> run = new BenchRun<>(cache, options, err);
    run.operate(options.populate ? run.populate() : 0);
  }

  private <H> Outcome run(BenchCache<H> cache, BenchReport report, PrintWriter err)
      throws InterruptedException, ExecutionException {
    BenchRun<H> run = new BenchRun<>(cache, options, err);
    long populated = 0;
    if (options.populate) {
      populated = run.populate();
      report.printPopulation(populated);
    }
    return run.operate(populated);
  }

  @Override
  public void close() {
    cache.close();
  }
}
