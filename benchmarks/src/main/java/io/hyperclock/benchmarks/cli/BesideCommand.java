/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import io.hyperclock.benchmarks.beside.BenchProcess;
import io.hyperclock.benchmarks.beside.Contestant;
import io.hyperclock.benchmarks.results.BesideRun;
import io.hyperclock.benchmarks.results.BesideSection;
import io.hyperclock.benchmarks.results.ResultFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures RocksDB's own tool beside ours. */
@Command(
    name = "beside",
    description = {
      "Runs RocksDB's cache_bench in turn with ours, with the same options, and compares them.",
      "Each run is a process of its own; ours runs the workload once before what counts, so that"
          + " its code is compiled. Rates are those of all threads by the clock on the wall."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Two workloads at one and two threads, some minutes a round:",
      "  beside path/to/cache_bench --json benchmarks/results/rocksdb.json",
      "One workload:",
      "  beside path/to/cache_bench --threads 2 -- --value_bytes=1000 --skew=3"
    })
final class BesideCommand implements Callable<Integer> {
  private static final int MAX_THREADS = 1024;
  private static final List<String> SMALL =
      List.of(
          "--seed=42",
          "--lean",
          "--histograms=false",
          "--cache_size=67108864",
          "--value_bytes=256");
  private static final List<String> DEFAULTS = List.of("--seed=42");

  @Parameters(index = "0", paramLabel = "PROGRAM", description = "RocksDB's cache_bench.")
  private Path program;

  @Parameters(
      index = "1..*",
      paramLabel = "WORKLOAD",
      description =
          "After --, options of cache-bench that mean the same to RocksDB's, as --name=value"
              + " (default: in turn small values that are not read, and the defaults).")
  private List<String> workload = new ArrayList<>();

  @Option(
      names = "--caches",
      split = ",",
      defaultValue = "pin-free,pinned",
      description = "Ours: any of pin-free, pinned, off-heap (default: ${DEFAULT-VALUE}).")
  private List<String> caches = List.of();

  @Option(
      names = "--cache_types",
      split = ",",
      defaultValue = "auto_hyper_clock_cache,fixed_hyper_clock_cache,lru_cache",
      description = "Theirs: values of -cache_type (default: ${DEFAULT-VALUE}).")
  private List<String> types = List.of();

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "1,2",
      description = "Threads (default: ${DEFAULT-VALUE}).")
  private int[] threads = {};

  @Option(
      names = "--rounds",
      defaultValue = "5",
      description = "Runs of each, in turn (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--jvm-args",
      split = " ",
      defaultValue = "-XX:+UseG1GC -Xms4g -Xmx4g",
      description = "Options of our JVMs (default: ${DEFAULT-VALUE}).")
  private List<String> jvmArgs = List.of();

  @Option(
      names = "--built",
      description = "How PROGRAM was built, for the records: compiler, options, allocator.")
  private @Nullable String built;

  @Option(names = "--json", description = "File for the results (default: none).")
  private @Nullable Path json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    check();
    List<Contestant> contestants = new ArrayList<>();
    caches.forEach(cache -> contestants.add(Contestant.ours(Main.class, cache, jvmArgs)));
    types.forEach(type -> contestants.add(Contestant.theirs(program, type)));
    List<BesideRun> runs = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      for (List<String> one : workload.isEmpty() ? List.of(SMALL, DEFAULTS) : List.of(workload)) {
        for (int count : threads) {
          for (Contestant contestant : contestants) {
            progress(round, count, contestant);
            runs.add(run(contestant, one, count, round));
          }
        }
      }
      write(runs);
    }
    spec.commandLine().getOut().print(BesideSection.table(runs));
    spec.commandLine().getOut().flush();
    return 0;
  }

  private void check() {
    Main.require(
        spec,
        Files.isRegularFile(program) && Files.isExecutable(program),
        "PROGRAM must be a file that can be executed: program=" + program);
    Main.valid(
        spec,
        () -> {
          Contestant.check(workload);
          return workload;
        });
    String[] known = {"pin-free", "pinned", "off-heap"};
    caches =
        caches.stream().map(one -> Main.named(spec, known, name -> name, "caches", one)).toList();
    for (String type : types) {
      Main.require(
          spec, type.matches("[a-z_]+"), "--cache_types must be names: cache_types=" + type);
    }
    for (int count : threads) {
      Main.require(
          spec,
          count >= 1 && count <= MAX_THREADS,
          "--threads must be in [1, " + MAX_THREADS + "]: threads=" + count);
    }
    Main.require(spec, rounds >= 1, "--rounds must be >= 1: rounds=" + rounds);
    Main.requireWritable(spec, "json", json);
  }

  private BesideRun run(Contestant contestant, List<String> options, int count, int round)
      throws Exception {
    try {
      return BenchProcess.run(contestant, options, count, round);
    } catch (IllegalArgumentException e) {
      return Main.valid(
          spec,
          () -> {
            throw e;
          });
    }
  }

  /** The records say which program ran, not where it was. */
  private void write(List<BesideRun> runs) throws Exception {
    if (json != null) {
      String command = Main.typed(spec).replace(program.toString(), "" + program.getFileName());
      ResultFile file = ResultFile.start(command);
      file.addBeside(runs, built);
      file.write(json);
    }
  }

  private void progress(int round, int count, Contestant contestant) {
    spec.commandLine()
        .getErr()
        .printf("round %d of %d: %s, %d threads%n", round, rounds, contestant.cache(), count);
    spec.commandLine().getErr().flush();
  }
}
