/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the workload without the command around it. */
final class Bench {
  @Command(name = "bench")
  private static final class Holder implements Runnable {
    @Mixin private BenchOptions options;

    @Override
    public void run() {}
  }

  private Bench() {}

  /** Options as the command reads and checks them. */
  static BenchOptions options(String args) {
    Holder holder = new Holder();
    new CommandLine(holder).parseArgs(args.trim().split(" +"));
    holder.options.check();
    return holder.options;
  }

  /** Fills the cache that the options name, and runs the operations. */
  static Outcome run(String args) throws Exception {
    BenchOptions options = options(args);
    try (BenchCache<?> cache = options.cache.open(options)) {
      return run(cache, options);
    }
  }

  /** The same with another cache. */
  static <H> Outcome run(BenchCache<H> cache, BenchOptions options) throws Exception {
    BenchRun<H> run = new BenchRun<>(cache, options, new PrintWriter(new StringWriter()));
    return run.operate(run.populate());
  }
}
