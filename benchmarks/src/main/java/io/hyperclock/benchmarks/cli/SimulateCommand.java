/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import io.hyperclock.benchmarks.results.HitRatio;
import io.hyperclock.benchmarks.results.HitRatioChart;
import io.hyperclock.benchmarks.results.ResultFile;
import io.hyperclock.benchmarks.simulate.Capacities;
import io.hyperclock.benchmarks.simulate.ExpectedRatios;
import io.hyperclock.benchmarks.simulate.Policy;
import io.hyperclock.benchmarks.simulate.PolicyComparison;
import io.hyperclock.benchmarks.simulate.RatioTable;
import io.hyperclock.benchmarks.simulate.Simulation;
import io.hyperclock.benchmarks.simulate.Trace;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Replays traces and prints hit ratios. */
@Command(
    name = "simulate",
    description =
        "Replays traces on HyperClock itself, on Caffeine, on LRU and on the best possible policy,"
            + " and prints their hit ratios.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Without a file:   simulate --workload zipf,loop --keys 50000",
      "For the record:   simulate --trace DIR --json benchmarks/results/hit-ratio.json",
      "and then report, which draws the curves."
    })
final class SimulateCommand implements Callable<Integer> {
  private static final long PROGRESS_NANOS = 5_000_000_000L;
  private static final long MAX_CAPACITY = (1L << 48) - 1;

  @Option(
      names = "--capacity",
      split = ",",
      description = "Capacities in entries, with --weighted in the unit of the sizes.")
  private long[] capacities = {};

  @Option(
      names = "--fraction",
      split = ",",
      description =
          "Capacities as fractions of the distinct keys, with --weighted of their sizes; those"
              + " below 10 are left out. Default: the capacities in the file of --expected, else"
              + " 0.001,0.01,0.05,0.1,0.2,0.4.")
  private double[] fractions = {};

  @Option(
      names = "--policy",
      split = ",",
      defaultValue = "classic,adaptive,caffeine,lru,opt",
      description = "Policies (default: ${DEFAULT-VALUE}).")
  private List<String> policies = new ArrayList<>();

  @Option(
      names = "--threads",
      defaultValue = "1",
      description =
          "Threads that replay parts of each trace at the same time on one cache, HyperClock and"
              + " Caffeine only (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--shards",
      defaultValue = "1",
      description = "Shards of HyperClock (default: ${DEFAULT-VALUE}).")
  private int shards;

  @Option(
      names = "--csv",
      arity = "0..1",
      fallbackValue = "-",
      paramLabel = "FILE",
      description = "Writes CSV to a file, or with - to standard output in place of the tables.")
  private @Nullable String csv;

  @Option(names = "--json", description = "File for the results, which report turns into a page.")
  private @Nullable Path json;

  @Option(
      names = "--charts",
      paramLabel = "DIR",
      description = "Directory for a chart of each trace, as SVG.")
  private @Nullable Path charts;

  @Option(
      names = "--expected",
      paramLabel = "FILE",
      description =
          "CSV file with the columns trace, capacity and one for each policy: prints differences.")
  private @Nullable Path expectedFile;

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "POLICY=COLUMN",
      description =
          "Columns of --expected (default: classic=HCC, adaptive=DUEL-R16, caffeine=Caffeine,"
              + " lru=LRU, opt=OPT).")
  private Map<String, String> columns = new java.util.LinkedHashMap<>();

  @Mixin private TraceOptions input = new TraceOptions();

  @Spec private CommandSpec spec;

  private final List<HitRatio> results = new ArrayList<>();
  private long lastProgress = System.nanoTime();

  @Override
  public Integer call() throws IOException {
    List<Policy> chosen = policies.stream().map(name -> policy("policy", name)).distinct().toList();
    List<Supplier<Trace>> sources = input.sources(this::note);
    checkNumbers();
    Main.require(
        spec,
        columns.isEmpty() || expectedFile != null,
        "--columns must come with --expected: columns=" + columns);
    ExpectedRatios expected =
        expectedFile == null ? null : Main.valid(spec, () -> ExpectedRatios.read(expectedFile));
    PolicyComparison comparison =
        expected == null ? null : new PolicyComparison(expected, columns(expected));
    if (charts != null) {
      Main.makeDirectory(spec, "charts", charts, charts);
    }
    PrintWriter out = spec.commandLine().getOut();
    boolean onlyCsv = "-".equals(csv);
    if (onlyCsv) {
      out.println(RatioTable.CSV_HEADER);
    }
    write();
    notes(chosen);
    for (Supplier<Trace> source : sources) {
      Trace trace = Main.valid(spec, source);
      replay(trace, chosen, expected, comparison, onlyCsv ? null : out);
      write();
    }
    out.flush();
    if (comparison != null) {
      PrintWriter where = onlyCsv ? spec.commandLine().getErr() : out;
      comparison.print(where);
      where.flush();
    }
    return 0;
  }

  private void replay(
      Trace trace,
      List<Policy> chosen,
      @Nullable ExpectedRatios expected,
      @Nullable PolicyComparison comparison,
      @Nullable PrintWriter table)
      throws IOException {
    List<Policy> possible =
        chosen.stream().filter(policy -> policy.weighted() || !trace.weighted()).toList();
    if (possible.size() < chosen.size()) {
      note("opt is not defined for entries of different sizes and left out: " + trace.name());
    }
    if (possible.isEmpty()) {
      return;
    }
    List<Long> points = capacities(trace, expected);
    if (points.isEmpty()) {
      note("no capacity is left of " + Capacities.MIN_OF_FRACTION + " or more: " + trace.name());
    }
    if (table != null) {
      RatioTable.head(trace, possible, table);
    }
    Simulation simulation = new Simulation(threads, shards, input.seed());
    List<HitRatio> ofTrace = new ArrayList<>();
    for (long capacity : points) {
      List<HitRatio> row = new ArrayList<>();
      for (Policy policy : possible) {
        progress(trace, capacity, policy);
        HitRatio point = Main.valid(spec, () -> simulation.run(trace, capacity, policy));
        row.add(point);
        if (table == null) {
          spec.commandLine().getOut().println(RatioTable.csv(point));
          spec.commandLine().getOut().flush();
        }
      }
      if (table != null) {
        RatioTable.row(row, table);
      }
      if (comparison != null) {
        comparison.add(row);
      }
      ofTrace.addAll(row);
    }
    if (charts != null && !ofTrace.isEmpty()) {
      HitRatioChart.draw(trace.name(), ofTrace, charts.resolve(trace.name() + ".svg"));
    }
    results.addAll(ofTrace);
  }

  private void write() {
    try {
      if (csv != null && !csv.equals("-")) {
        List<String> lines = new ArrayList<>(List.of(RatioTable.CSV_HEADER));
        results.forEach(point -> lines.add(RatioTable.csv(point)));
        Files.write(Path.of(csv), lines);
      }
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), "--csv must be writable: csv=" + csv, e);
    }
    try {
      if (json != null) {
        ResultFile file = ResultFile.start(Main.typed(spec));
        file.addHitRatios(results);
        file.write(json);
      }
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), "--json must be writable: json=" + json, e);
    }
  }

  private List<Long> capacities(Trace trace, @Nullable ExpectedRatios expected) {
    if (capacities.length > 0) {
      return Arrays.stream(capacities).distinct().boxed().toList();
    }
    List<Long> known = expected == null ? List.of() : expected.capacities(trace.name());
    if (fractions.length > 0 || known.isEmpty()) {
      double[] used =
          fractions.length > 0 ? fractions : new double[] {0.001, 0.01, 0.05, 0.1, 0.2, 0.4};
      return Capacities.of(trace, used).stream().filter(capacity -> capacity >= shards).toList();
    }
    return known;
  }

  private void checkNumbers() {
    Main.require(
        spec,
        threads >= 1 && threads <= 1024,
        "--threads must be in [1, 1024]: threads=" + threads);
    Main.require(
        spec, shards >= 1 && shards <= 4096, "--shards must be in [1, 4096]: shards=" + shards);
    Main.require(
        spec,
        capacities.length == 0 || fractions.length == 0,
        "--capacity and --fraction must not be given both");
    for (long capacity : capacities) {
      Main.require(
          spec,
          capacity >= shards && capacity <= MAX_CAPACITY,
          "--capacity must be in [shards, " + MAX_CAPACITY + "]: capacity=" + capacity);
    }
    for (double fraction : fractions) {
      Main.require(
          spec,
          fraction > 0 && fraction <= 1,
          "--fraction must be in (0, 1]: fraction=" + fraction);
    }
  }

  private Map<Policy, String> columns(ExpectedRatios expected) {
    Map<Policy, String> byPolicy = new EnumMap<>(Policy.class);
    for (Policy policy : Policy.values()) {
      byPolicy.put(policy, policy.column());
    }
    columns.forEach(
        (name, column) -> {
          Main.require(
              spec, expected.hasColumn(column), "--columns must be in the file: column=" + column);
          byPolicy.put(policy("columns", name), column);
        });
    return byPolicy;
  }

  private Policy policy(String option, String name) {
    return Main.named(spec, Policy.values(), Policy::label, option, name);
  }

  private void notes(List<Policy> chosen) {
    String single =
        chosen.stream()
            .filter(policy -> !policy.concurrent())
            .map(Policy::label)
            .collect(Collectors.joining(", "));
    if (threads > 1 && !single.isEmpty()) {
      note("not made for several threads and replayed by one: " + single);
    }
  }

  private void progress(Trace trace, long capacity, Policy policy) {
    if (System.nanoTime() - lastProgress > PROGRESS_NANOS) {
      lastProgress = System.nanoTime();
      note("replaying " + trace.name() + ", capacity " + capacity + ", " + policy.label());
    }
  }

  private void note(String text) {
    spec.commandLine().getErr().println(text);
    spec.commandLine().getErr().flush();
  }
}
