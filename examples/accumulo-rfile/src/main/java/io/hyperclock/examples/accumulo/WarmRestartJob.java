/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A server that is stopped and started again, with and without a tier on disk. */
@Command(
    name = "warm-restart",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Analyses classes out of an Accumulo RFile through a cache in memory, a compressed tier and"
          + " a",
      "tier on disk; stops the process, starts another one, and shows what its first lookups find,",
      "beside a process that has nothing on disk."
    })
public final class WarmRestartJob implements Callable<Integer> {
  @Option(
      names = "--memory",
      converter = ByteSize.class,
      defaultValue = "16m",
      paramLabel = "SIZE",
      description = "Memory for the data cache and its compressed tier; default ${DEFAULT-VALUE}.")
  private long memory;

  @Option(
      names = "--disk",
      converter = ByteSize.class,
      defaultValue = "256m",
      paramLabel = "SIZE",
      description = "Size of the tier on disk; default ${DEFAULT-VALUE}.")
  private long disk;

  @Option(
      names = "--lookups",
      defaultValue = "20000",
      paramLabel = "N",
      description = "Classes looked up in each life, nothing before; default ${DEFAULT-VALUE}.")
  private int lookups;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads that share the cache; default: as many as there are processors.")
  private int threads = Runtime.getRuntime().availableProcessors();

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
      names = "--out",
      defaultValue = "target/accumulo-rfile",
      paramLabel = "DIR",
      description = "Where the file and the tier on disk go; default ${DEFAULT-VALUE}.")
  private Path out = Path.of("target", "accumulo-rfile");

  @Spec private CommandSpec spec = CommandSpec.create();

  private WarmRestartJob() {}

  /**
   * Runs it and ends the process.
   *
   * @param args options; {@code --help} lists them
   */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  /**
   * Runs it.
   *
   * @param args options; {@code --help} lists them
   * @return the exit code
   */
  static int run(String... args) {
    return new CommandLine(new WarmRestartJob())
        .setParameterExceptionHandler((e, wrong) -> fail(CommandLine.ExitCode.USAGE, e))
        .setExecutionExceptionHandler(
            (e, command, result) -> fail(CommandLine.ExitCode.SOFTWARE, e))
        .execute(args);
  }

  private static int fail(int exitCode, Exception e) {
    System.err.println("warm-restart: " + e.getMessage());
    return exitCode;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    require(memory >= 1 << 20, "--memory must be at least 1m: " + memory);
    require(disk >= 32 << 20, "--disk must be at least 32m: " + disk);
    require(threads >= 1 && threads <= 1024, "--threads must be in [1, 1024]: " + threads);
    require(lookups >= threads, "--lookups must be at least the number of threads: " + lookups);
    require(
        blockBytes >= 1024 && blockBytes <= 16 << 20,
        "--block must be in [1k, 16m]: " + blockBytes);
    ClassTable table = ClassTable.open(out, (int) blockBytes);
    Path directory = out.resolve("warm-restart");
    delete(directory);
    System.out.printf("%-32s %12s %10s %18s%n", "", "lookups/s", "hits", "blocks from file");
    Measurement first = live("first start, empty disk", table, directory);
    Measurement warm = live("started again, warm from disk", table, directory);
    Measurement cold = live("started without a disk", table, null);
    if (!warm.findings().equals(first.findings()) || !cold.findings().equals(first.findings())) {
      System.err.println("warm-restart: the lives did not read the same bytes");
      return CommandLine.ExitCode.SOFTWARE;
    }
    return CommandLine.ExitCode.OK;
  }

  private Measurement live(String title, ClassTable table, Path directory)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(CacheProcess.java(WarmRestartRun.class));
    command.add(table.file().toString());
    Stream.of(blockBytes, threads, lookups, seed, memory).forEach(n -> command.add(n.toString()));
    if (directory != null) {
      command.add(directory.toString());
      command.add(Long.toString(disk));
    }
    Measurement life = CacheProcess.measurements(command, 1).get(0);
    System.out.println(
        String.format(
            Locale.ROOT,
            "%-32s %,12.0f %8.1f %% %,18d",
            title,
            life.lookupsPerSecond(),
            100 * life.hitRatio(),
            life.requests() - life.hits()));
    return life;
  }

  private void require(boolean condition, String rule) {
    if (!condition) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
