/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import io.hyperclock.benchmarks.soak.Soak;
import io.hyperclock.benchmarks.soak.SoakCaches;
import io.hyperclock.benchmarks.soak.SoakOptions;
import io.hyperclock.benchmarks.soak.SoakRecord;
import io.hyperclock.benchmarks.soak.SoakResult;
import io.hyperclock.benchmarks.soak.What;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Uses everything at once for a long time and checks every answer. */
@Command(
    name = "soak",
    description = {
      "Does everything that the library offers, mixed at random, and checks each value that is"
          + " read, that each is freed once, and what is left when the caches are closed. Ends with"
          + " exit code 1 at the first thing that is wrong.",
      "The seed decides the settings of the caches and what each thread does; in which order the"
          + " threads run it cannot decide, so a second run need not meet the same fault."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "For the record, half an hour:",
      "  soak --minutes 30 --faults --record benchmarks/results/soak/jdk17.json"
    })
final class SoakCommand implements Callable<Integer> {
  private static final int MAX_THREADS = 1024;
  private static final int MAX_ENTRIES = 10_000_000;
  private static final int MAX_SECONDS = 30 * 24 * 3600;

  private final SoakCaches caches;

  @Option(names = "--minutes", description = "How long to run (default: 1).")
  private @Nullable Integer minutes;

  @Option(names = "--seconds", description = "How long to run, in place of --minutes.")
  private @Nullable Integer seconds;

  @Option(
      names = "--epochs",
      description =
          "How many times to build, use and close the caches, in place of --minutes; each takes"
              + " from a fraction of a second to a minute.")
  private @Nullable Integer epochs;

  @Option(names = "--seed", description = "Any number (default: another in each run, printed).")
  private @Nullable Long seed;

  @Option(
      names = "--faults",
      description =
          "Inject faults: tiers, disks and servers that fail, lie still or are slow; loaders,"
              + " disposers, listeners and codecs that throw.")
  private boolean faults;

  @Option(
      names = "--threads",
      defaultValue = "8",
      description =
          "Threads, about half of them virtual where the JDK has them (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--entries",
      defaultValue = "1000",
      description = "Entries that the block cache has room for (default: ${DEFAULT-VALUE}).")
  private int entries;

  @Option(
      names = "--what",
      split = ",",
      defaultValue = "blocks,loads,versioned,tiered",
      description = "Any of blocks, loads, versioned, tiered (default: ${DEFAULT-VALUE}).")
  private List<String> names = List.of();

  @Option(
      names = "--stuck-after",
      defaultValue = "60",
      description = "Seconds after which an operation counts as stuck (default: ${DEFAULT-VALUE}).")
  private int stuckAfter;

  @Option(
      names = "--settle",
      defaultValue = "60",
      description =
          "Seconds that caches may take to end what they do on their own threads, once no thread"
              + " uses them (default: ${DEFAULT-VALUE}).")
  private int settle;

  @Option(names = "--record", description = "File for command, commit, JDK, machine and summary.")
  private @Nullable Path record;

  @Spec private CommandSpec spec;

  SoakCommand() {
    this(SoakCaches.PLAIN);
  }

  /** With caches in front of those that are built. */
  SoakCommand(SoakCaches caches) {
    this.caches = caches;
  }

  @Override
  public Integer call() throws Exception {
    SoakOptions options = check();
    PrintWriter out = spec.commandLine().getOut();
    out.println("seed=" + options.seed());
    out.flush();
    SoakResult result = new Soak(options, caches, out).run();
    if (record != null) {
      SoakRecord.write(record, Main.typed(spec), options.seed(), result);
    }
    if (result.wrong() == null) {
      out.println("nothing wrong: seed=" + options.seed() + ", " + result.summary().strip());
      out.flush();
      return 0;
    }
    PrintWriter err = spec.commandLine().getErr();
    err.println("wrong: seed=" + options.seed() + ", " + result.wrong());
    err.println(result.summary().strip());
    err.flush();
    return 1;
  }

  private SoakOptions check() {
    long given = Stream.of(minutes, seconds, epochs).filter(Objects::nonNull).count();
    Main.require(
        spec,
        given <= 1,
        "one of --minutes, --seconds and --epochs must be given at most: given=" + given);
    long length =
        seconds != null
            ? seconds
            : minutes != null ? minutes * 60L : epochs != null ? MAX_SECONDS : 60;
    Main.require(
        spec,
        length >= 1 && length <= MAX_SECONDS,
        "--minutes and --seconds must be in [1 s, 30 days]: seconds=" + length);
    Main.require(spec, epochs == null || epochs >= 1, "--epochs must be >= 1: epochs=" + epochs);
    Main.require(
        spec,
        threads >= 1 && threads <= MAX_THREADS,
        "--threads must be in [1, " + MAX_THREADS + "]: threads=" + threads);
    Main.require(
        spec,
        entries >= 64 && entries <= MAX_ENTRIES,
        "--entries must be in [64, " + MAX_ENTRIES + "]: entries=" + entries);
    Main.require(spec, stuckAfter >= 1, "--stuck-after must be >= 1: stuck-after=" + stuckAfter);
    Main.require(spec, settle >= 1, "--settle must be >= 1: settle=" + settle);
    Main.requireWritable(spec, "record", record);
    EnumSet<What> what = EnumSet.noneOf(What.class);
    for (String name : names) {
      what.add(
          Main.named(
              spec, What.values(), one -> one.name().toLowerCase(Locale.ROOT), "what", name));
    }
    return new SoakOptions(
        Duration.ofSeconds(length),
        epochs != null ? epochs : Integer.MAX_VALUE,
        seed != null ? seed : new SplittableRandom().nextLong(),
        faults,
        threads,
        entries,
        what,
        Duration.ofSeconds(stuckAfter),
        Duration.ofSeconds(settle));
  }
}
