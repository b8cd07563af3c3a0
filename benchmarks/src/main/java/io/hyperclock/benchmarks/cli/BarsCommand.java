/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import io.hyperclock.benchmarks.caches.CacheState;
import io.hyperclock.benchmarks.caches.NativeAccess;
import io.hyperclock.benchmarks.jmh.CpuProfiler;
import io.hyperclock.benchmarks.keys.Distribution;
import io.hyperclock.benchmarks.results.Bar;
import io.hyperclock.benchmarks.results.ResultFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Measures what the bars ask for. Forks are interleaved: each round runs one fork of every
 * benchmark, so that a slow minute of the machine does not hit one cache alone.
 */
@Command(
    name = "bars",
    description = "Measures HyperClock side by side with its rivals, for the bars named.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A first look, about 10 minutes: bars b1 b2 b3 --sizes 65536 --forks 3 --time 300",
      "For the record, some hours:     bars b1 b2 b3 b4"
    })
final class BarsCommand implements Callable<Integer> {
  private static final String OHC_JDK = "17";
  private static final int MAX_SIZE = 50_000_000;
  private static final int MAX_THREADS = 1024;
  private static final long HEAP_BYTES_PER_ENTRY = 350;

  @Parameters(
      paramLabel = "BAR",
      arity = "1..*",
      description =
          "Any of b1, absent, b2, b3, b4, b5, b9, b10, b11, b12, b12-disk, b12-evict, b12-redis,"
              + " b15, load, off-heap-values, versioned, chained.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--sizes",
      split = ",",
      description =
          "Entries cached; b3, b5 and chained take the first (default: 65536,1048576,10485760 for"
              + " b1, absent, b2, b4; 65536 for b3, b5, b11, b15, load, off-heap-values, versioned;"
              + " 4096 for b12, b12-disk, b12-evict, b12-redis; 10000 to 10000000 for b9; 10485760"
              + " for b10; 100000 for chained).")
  private int[] sizes = {};

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "1,2",
      description = "Threads; groups of b5 bring their own 8 (default: ${DEFAULT-VALUE}).")
  private int[] threads = {};

  @Option(
      names = "--distributions",
      split = ",",
      defaultValue = "ZIPF,UNIFORM",
      description = "Distributions of b1, absent and b2 (default: ${DEFAULT-VALUE}).")
  private Distribution[] distributions = {};

  @Option(
      names = "--exclude",
      paramLabel = "REGEX",
      description =
          "Benchmarks to leave out: those with a match in Class.method, such as"
              + " cache2k|automatic (default: none).")
  private @Nullable Pattern exclude;

  @Option(
      names = "--forks",
      defaultValue = "5",
      description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int forks;

  @Option(
      names = "--iterations",
      defaultValue = "5",
      description = "Iterations measured in a fork (default: ${DEFAULT-VALUE}).")
  private int iterations;

  @Option(
      names = "--warm-ups",
      defaultValue = "5",
      description =
          "Iterations before them. Two cores need five seconds until what inserts is compiled,"
              + " with two threads ten (default: ${DEFAULT-VALUE}).")
  private int warmUps;

  @Option(
      names = "--time",
      defaultValue = "1000",
      description = "Milliseconds of an iteration (default: ${DEFAULT-VALUE}).")
  private int timeMillis;

  @Option(
      names = "--jvm",
      description = "The java of another JDK for the forks (default: the one that runs this).")
  private @Nullable Path jvm;

  @Option(
      names = "--jvm-args",
      split = " ",
      defaultValue = "-XX:+UseG1GC",
      description = "Options of the forks but for the heap size (default: ${DEFAULT-VALUE}).")
  private String[] jvmArgs = {};

  @Option(
      names = "--state",
      defaultValue = "STEADY",
      description =
          "STEADY: caches are full and have turned over 12 times, which takes 13 inserts an entry"
              + " before each fork's first read; FRESH: filled once (default: ${DEFAULT-VALUE}).")
  private CacheState state;

  @Option(
      names = "--before",
      paramLabel = "JAR",
      description =
          "An earlier hyperclock-core jar: each round also runs HyperClock's rows with its classes,"
              + " shown as before. It needs the methods that the benchmarks call.")
  private @Nullable Path before;

  @Option(
      names = "--json",
      defaultValue = "benchmarks/results/bars.json",
      description = "File for the results (default: ${DEFAULT-VALUE}).")
  private Path json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    List<Bar> bars = check();
    BeforeJar earlier = before == null ? null : new BeforeJar(before);
    ResultFile file = ResultFile.start(Main.typed(spec));
    if (earlier != null) {
      earlier.requireInFront(java());
      file.setBefore(earlier.describe());
    }
    boolean ohc = !bars.contains(Bar.OFF_HEAP_VALUES) || runsOhc();
    for (int round = 1; round <= forks; round++) {
      for (Bar bar : bars) {
        for (int size : bar.sizes(sizes)) {
          for (int count : threads) {
            file.add(
                run(measured(bar, size, count, ohc).include(bar.benchmarks(isLast(count)))), round);
            if (earlier != null && bar.comparesJars()) {
              String ours = bar.underTest(isLast(count));
              file.addBefore(
                  earlier.inFront(() -> run(measured(bar, size, count, ohc).include(ours))), round);
            }
            file.write(json);
          }
        }
      }
    }
    for (Bar bar : bars) {
      for (int count : threads) {
        file.addAllocations(
            run(
                options(bar, bar.sizes(sizes)[0], count, ohc)
                    .include(bar.benchmarks(isLast(count)))
                    .addProfiler(GCProfiler.class)));
        file.write(json);
      }
    }
    return 0;
  }

  private List<Bar> check() throws InterruptedException {
    List<Bar> bars = new ArrayList<>();
    for (String name : names) {
      Main.require(spec, Bar.isName(name), "bar must be one of " + Bar.names() + ": bar=" + name);
      bars.add(Bar.named(name));
    }
    for (int size : sizes) {
      Main.require(
          spec,
          size >= 1024 && size <= MAX_SIZE,
          "--sizes must be in [1024, " + MAX_SIZE + "]: size=" + size);
    }
    for (int count : threads) {
      Main.require(
          spec,
          count >= 1 && count <= MAX_THREADS,
          "--threads must be in [1, " + MAX_THREADS + "]: threads=" + count);
    }
    Main.require(spec, forks >= 1, "--forks must be >= 1: forks=" + forks);
    Main.require(spec, iterations >= 1, "--iterations must be >= 1: iterations=" + iterations);
    Main.require(spec, warmUps >= 0, "--warm-ups must be >= 0: warm-ups=" + warmUps);
    Main.require(spec, timeMillis >= 1, "--time must be >= 1: time=" + timeMillis);
    Main.require(
        spec,
        before == null || BeforeJar.isCore(before),
        "--before must be a jar of hyperclock-core: before=" + before);
    requireJvm();
    Main.requireResultFile(spec, json);
    return bars;
  }

  private void requireJvm() throws InterruptedException {
    if (jvm != null) {
      try {
        JdkVersion.of(java());
      } catch (IOException | IllegalStateException e) {
        String rule = "--jvm must be a java that can be started: jvm=" + jvm;
        throw new ParameterException(spec.commandLine(), rule, e);
      }
    }
  }

  private boolean isLast(int count) {
    return count == threads[threads.length - 1];
  }

  private String java() {
    return jvm == null
        ? Path.of(System.getProperty("java.home"), "bin", "java").toString()
        : jvm.toString();
  }

  /** OHC is measured on the JDK it was made for; others warn that it will stop working. */
  private boolean runsOhc() throws IOException, InterruptedException {
    String version = JdkVersion.of(java());
    boolean runs = version.equals(OHC_JDK);
    if (!runs) {
      spec.commandLine()
          .getOut()
          .println("OHC is left out: it needs JDK " + OHC_JDK + ", the forks run on " + version);
    }
    return runs;
  }

  private ChainedOptionsBuilder measured(Bar bar, int size, int threadCount, boolean ohc) {
    return options(bar, size, threadCount, ohc)
        .measurementIterations(iterations)
        .addProfiler(CpuProfiler.class);
  }

  private ChainedOptionsBuilder options(Bar bar, int size, int threadCount, boolean ohc) {
    long gibibytes = 2 + size * HEAP_BYTES_PER_ENTRY / (1L << 30);
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .forks(1)
            .threads(threadCount)
            .param("size", String.valueOf(size))
            .param("state", state.name())
            .warmupIterations(warmUps)
            .warmupTime(TimeValue.milliseconds(timeMillis))
            .measurementIterations(2)
            .measurementTime(TimeValue.milliseconds(timeMillis))
            .shouldFailOnError(true)
            .jvmArgs(jvmArgs)
            // Untouched, the first round of allocations would pay for the pages of the heap.
            .jvmArgsAppend(
                "-Xms" + gibibytes + "g",
                "-Xmx" + gibibytes + "g",
                "-XX:+AlwaysPreTouch",
                NativeAccess.OPTION);
    if (!ohc) {
      options.exclude("\\.ohc");
    }
    if (exclude != null) {
      options.exclude(exclude.pattern());
    }
    if (bar.oneKey()) {
      options.param("distribution", Distribution.ONE_KEY.name());
    } else if (bar.uniform()) {
      options.param("distribution", Distribution.UNIFORM.name());
    } else if (bar.reads()) {
      options.param(
          "distribution", Arrays.stream(distributions).map(Enum::name).toArray(String[]::new));
    }
    bar.settings().forEach((name, values) -> options.param(name, values.toArray(String[]::new)));
    if (jvm != null) {
      options.jvm(jvm.toString());
    }
    return options;
  }

  private java.util.Collection<org.openjdk.jmh.results.RunResult> run(
      ChainedOptionsBuilder options) {
    try {
      return new Runner(options.build()).run();
    } catch (NoBenchmarksException e) {
      throw new ParameterException(
          spec.commandLine(),
          "--exclude must leave a benchmark of each bar: exclude=" + exclude,
          e);
    } catch (RunnerException e) {
      throw new IllegalStateException("benchmarks must not fail: " + e.getMessage(), e);
    }
  }
}
