/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Main class: builds the RFile, measures every cache with every budget in processes of their own,
 * checks that all read the same, and writes the report. Exit code 0, 1 if the caches disagree or a
 * process fails, 2 if an option is wrong.
 */
@Command(
    name = "accumulo-rfile",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Analyses the classes of this JDK out of an Accumulo RFile, with no data cache, with",
      "Accumulo's own block caches and with HyperClock, alone and with a compressed tier in the",
      "same memory, and compares them."
    })
public final class AccumuloRFileJob implements Callable<Integer> {
  @Option(
      names = "--budgets",
      split = ",",
      converter = ByteSize.class,
      defaultValue = "4m,16m,32m,64m",
      paramLabel = "SIZE",
      description = "Sizes of the data cache; default ${DEFAULT-VALUE}.")
  private List<Long> budgets = List.of();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads that share a cache; default: as many as there are processors.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--lookups",
      defaultValue = "60000",
      paramLabel = "N",
      description =
          "Classes looked up in each run, after half as many to warm up; default ${DEFAULT-VALUE}.")
  private int lookups;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      paramLabel = "N",
      description =
          "How often everything is measured; medians are shown; default ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--caches",
      split = ",",
      defaultValue = "NONE,LRU,TINY_LFU,HYPER_CLOCK,HYPER_CLOCK_COMPRESSED,HYPER_CLOCK_AUTO",
      paramLabel = "NAME",
      description = "Which caches; default ${DEFAULT-VALUE}.")
  private List<CacheChoice> caches = List.of();

  @Option(
      names = "--block",
      converter = ByteSize.class,
      defaultValue = "16k",
      paramLabel = "SIZE",
      description = "Size at which a data block of the file is closed; default ${DEFAULT-VALUE}.")
  private long blockBytes;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Decides which classes are looked up; default ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--read-delay",
      defaultValue = "0",
      paramLabel = "MICROS",
      description = {
        "Microseconds that each miss of a data block takes more, as from remote storage;",
        "default ${DEFAULT-VALUE}: the file is in memory."
      })
  private long readDelayMicros;

  @Option(
      names = "--out",
      defaultValue = "target/accumulo-rfile",
      paramLabel = "DIR",
      description = "Where file and report go; default ${DEFAULT-VALUE}.")
  private Path out = Path.of("target", "accumulo-rfile");

  @Spec private CommandSpec spec = CommandSpec.create();

  private AccumuloRFileJob() {}

  /**
   * Runs the job and ends the process.
   *
   * @param args options; {@code --help} lists them
   */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  /**
   * Runs the job.
   *
   * @param args options; {@code --help} lists them
   * @return the exit code
   */
  static int run(String... args) {
    return new CommandLine(new AccumuloRFileJob())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((e, wrong) -> fail(CommandLine.ExitCode.USAGE, e))
        .setExecutionExceptionHandler(
            (e, command, result) -> fail(CommandLine.ExitCode.SOFTWARE, e))
        .execute(args);
  }

  private static int fail(int exitCode, Exception e) {
    String cause = e.getCause() == null ? "" : " (" + e.getCause() + ")";
    System.err.println("accumulo-rfile: " + e.getMessage() + cause);
    return exitCode;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    Progress progress = new Progress(System.err);
    progress.say("opening the classes of JDK %s as an RFile in %s", Runtime.version(), out);
    ClassTable table = ClassTable.open(out, (int) blockBytes);
    CacheProcess process =
        new CacheProcess(
            table, (int) blockBytes, threads, lookups, seed, 1000 * readDelayMicros, progress);
    List<Result> results = measure(process, progress);
    Report report =
        new Report(table, (int) blockBytes, threads, lookups, rounds, readDelayMicros, results);
    System.out.println(report.text());
    Path page = report.write(out);
    progress.say("report: %s", page);
    if (!report.allAgree()) {
      System.err.println("accumulo-rfile: the caches did not read the same bytes");
      return CommandLine.ExitCode.SOFTWARE;
    }
    return CommandLine.ExitCode.OK;
  }

  private List<Result> measure(CacheProcess process, Progress progress)
      throws IOException, InterruptedException {
    List<Result> results = new ArrayList<>();
    progress.expect(rounds * caches.stream().mapToInt(cache -> budgetsOf(cache).size()).sum());
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < caches.size(); i++) {
        CacheChoice cache = caches.get((i + round) % caches.size());
        for (Measurement measurement : process.run(cache, budgetsOf(cache))) {
          results.add(new Result(cache, measurement));
        }
      }
    }
    return results;
  }

  private List<Long> budgetsOf(CacheChoice cache) {
    return cache.cachesData() ? budgets : budgets.subList(0, 1);
  }

  private void check() {
    require(threads >= 1 && threads <= 1024, "--threads must be in [1, 1024]: " + threads);
    require(lookups >= threads, "--lookups must be at least the number of threads: " + lookups);
    require(rounds >= 1 && rounds <= 1000, "--rounds must be in [1, 1000]: " + rounds);
    require(
        blockBytes >= 1024 && blockBytes <= 16 << 20,
        "--block must be in [1k, 16m]: " + blockBytes);
    require(
        readDelayMicros >= 0 && readDelayMicros <= 1_000_000,
        "--read-delay must be in [0, 1000000]: " + readDelayMicros);
    require(budgets.stream().allMatch(b -> b >= 1 << 20), "--budgets must be at least 1m each");
    require(caches.stream().distinct().count() == caches.size(), "--caches must not repeat a name");
  }

  private void require(boolean condition, String rule) {
    if (!condition) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }
}
