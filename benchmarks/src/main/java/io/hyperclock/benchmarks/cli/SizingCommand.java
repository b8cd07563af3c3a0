/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.HashSeed;
import io.hyperclock.benchmarks.results.ResultFile;
import io.hyperclock.benchmarks.results.SizingChart;
import io.hyperclock.benchmarks.sizing.Growth;
import io.hyperclock.benchmarks.sizing.ShiftingLoad;
import io.hyperclock.benchmarks.sizing.SizeSample;
import io.hyperclock.benchmarks.sizing.SizingRun;
import io.hyperclock.benchmarks.sizing.SizingRun.Phase;
import io.hyperclock.stats.CacheStats;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a cache that sizes itself follows its load, beside caches that were told the size. */
@Command(
    name = "sizing",
    description = {
      "Shows how a cache that sizes itself follows entries that get larger and smaller by a factor:"
          + " entries, slots, metadata, longest insert, and its hits beside those of caches with"
          + " the right estimate.",
      "Then fills caches from empty, growing and of a fixed size in turns."
    },
    mixinStandardHelpOptions = true)
final class SizingCommand implements Callable<Integer> {
  private static final long MIN_CAPACITY = 1 << 20;
  private static final int MAX_SIZE = 20_000_000;
  private static final double PERCENT = 100.0;

  /** A sample comes with the insert after its place. */
  private static final double SAMPLE_SLACK = 0.01;

  @Option(
      names = "--capacity",
      defaultValue = "67108864",
      description = "Bytes of the cache (default: ${DEFAULT-VALUE}).")
  private long capacity;

  @Option(
      names = "--small",
      defaultValue = "64",
      description = "Bytes of a small entry (default: ${DEFAULT-VALUE}).")
  private long small;

  @Option(
      names = "--factor",
      defaultValue = "1000",
      description = "How many times as large a large one is (default: ${DEFAULT-VALUE}).")
  private long factor;

  @Option(
      names = "--phases",
      defaultValue = "4",
      description = "Phases, large entries first, then small (default: ${DEFAULT-VALUE}).")
  private int phases;

  @Option(
      names = "--turnovers",
      defaultValue = "3",
      description = "Capacities that are inserted in a phase (default: ${DEFAULT-VALUE}).")
  private double turnovers;

  @Option(
      names = "--fill",
      defaultValue = "1048576",
      description = "Entries of 1 KiB to fill caches with, 0 for none (default: ${DEFAULT-VALUE}).")
  private int fill;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      description = "Rounds of filling (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Seed of the load and the hash (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = "--json", description = "File for the results (default: none).")
  private @Nullable Path json;

  @Option(names = "--chart", description = "File for an SVG chart (default: none).")
  private @Nullable Path chart;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    check();
    warmUp();
    List<Double> hits = new ArrayList<>();
    List<SizeSample> samples;
    CacheStats stats;
    try (BlockCache<Object> cache = builder().build()) {
      samples = run(cache, hits);
      stats = cache.monitor().stats();
    }
    List<Double> toldLarge = new ArrayList<>();
    told(small * factor, toldLarge);
    List<Double> toldSmall = new ArrayList<>();
    List<Double> longest =
        told(small, toldSmall).stream().map(SizeSample::longestInsertMicros).toList();
    List<Phase> phasesRun = new ArrayList<>();
    for (int phase = 0; phase < phases; phase++) {
      phasesRun.add(
          new Phase(
              charge(phase),
              hits.get(phase),
              (isLarge(phase) ? toldLarge : toldSmall).get(phase),
              metadata(samples, phase)));
    }
    Growth growth = new Growth(Math.max(1, fill));
    if (fill > 0) {
      growth.run(rounds);
    }
    SizingRun result =
        new SizingRun(
            capacity,
            stats.resizes(),
            stats.movedEntries(),
            phasesRun,
            samples,
            longest,
            fill,
            fill > 0 ? growth.growingNanos() : 0,
            fill > 0 ? growth.toldNanos() : 0,
            fill > 0 ? growth.fixedNanos() : 0);
    print(result);
    if (chart != null) {
      SizingChart.draw(title(), result, chart);
    }
    if (json != null) {
      ResultFile file = ResultFile.start(Main.typed(spec));
      file.addSizing(result);
      file.write(json);
    }
    return 0;
  }

  private String title() {
    return "Entries of " + small * factor + " and " + small + " bytes in turns";
  }

  /** So that no sample has to do with the compiler. */
  private void warmUp() {
    try (BlockCache<Object> cache = builder().build()) {
      run(cache, new ArrayList<>());
    }
  }

  /** Percent of the capacity that slots take two capacities after a phase has begun. */
  private double metadata(List<SizeSample> samples, int phase) {
    double end = phase * turnovers + Math.min(2, turnovers);
    return samples.stream()
        .filter(sample -> sample.turnovers() <= end + SAMPLE_SLACK)
        .reduce((earlier, later) -> later)
        .map(sample -> PERCENT * sample.metadataBytes() / capacity)
        .orElse(0.0);
  }

  private void check() {
    Main.require(
        spec,
        capacity >= MIN_CAPACITY,
        "--capacity must be >= " + MIN_CAPACITY + ": capacity=" + capacity);
    Main.require(spec, small >= 1, "--small must be >= 1: small=" + small);
    Main.require(
        spec,
        factor >= 1 && factor <= capacity / small,
        "--factor must be in [1, capacity / small]: factor=" + factor);
    Main.require(spec, phases >= 1, "--phases must be >= 1: phases=" + phases);
    Main.require(spec, turnovers > 1, "--turnovers must be > 1: turnovers=" + turnovers);
    Main.require(
        spec,
        fill >= 0 && fill <= MAX_SIZE,
        "--fill must be in [0, " + MAX_SIZE + "]: fill=" + fill);
    Main.require(spec, rounds >= 1, "--rounds must be >= 1: rounds=" + rounds);
    Main.requireWritable(spec, "json", json);
    Main.requireWritable(spec, "chart", chart);
  }

  private BlockCacheBuilder<Object> builder() {
    return BlockCache.<Object>builder().capacityBytes(capacity).hashSeed(HashSeed.fixed(seed));
  }

  private static boolean isLarge(int phase) {
    return phase % 2 == 0;
  }

  private long charge(int phase) {
    return isLarge(phase) ? small * factor : small;
  }

  private List<SizeSample> run(BlockCache<Object> cache, List<Double> hits) {
    ShiftingLoad load = new ShiftingLoad(cache, seed);
    for (int phase = 0; phase < phases; phase++) {
      hits.add(load.run(phase, charge(phase), turnovers));
    }
    return load.samples();
  }

  private List<SizeSample> told(long estimate, List<Double> hits) {
    try (BlockCache<Object> cache = builder().estimatedEntryCharge(estimate).build()) {
      return run(cache, hits);
    }
  }

  private void print(SizingRun result) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("turnovers  bytes  entries    slots  metadata  usage  hits  longest insert");
    SizeSample last = result.samples().get(0);
    for (SizeSample sample : result.samples()) {
      if ((int) (2 * sample.turnovers()) != (int) (2 * last.turnovers())) {
        print(out, sample);
      }
      last = sample;
    }
    for (Phase phase : result.phases()) {
      line(
          out,
          "entries of %,d bytes: %.2f %% hits, %.2f %% with the right estimate; %.2f %% metadata",
          phase.charge(),
          phase.hits(),
          phase.toldHits(),
          phase.metadata());
    }
    line(out, "%,d tables, %,d entries moved", result.resizes(), result.movedEntries());
    line(
        out,
        "longest insert: %.0f us, 19 samples of 20 below %.0f us; of a fixed size %.0f us, %.0f us",
        result.longestMicros(),
        result.longestMicros95(),
        result.longestOfFixedMicros(),
        result.longestOfFixedMicros95());
    if (fill > 0) {
      line(
          out,
          "insert into an empty cache of %,d entries: %.0f ns growing, %.0f ns with initialEntries,"
              + " %.0f ns of a fixed size",
          fill,
          result.growingNanos(),
          result.toldNanos(),
          result.fixedNanos());
    }
    out.flush();
  }

  private void print(PrintWriter out, SizeSample sample) {
    line(
        out,
        "%9.1f %6d %8d %8d %7.2f %% %4.0f %% %3.0f %% %8.0f us",
        sample.turnovers(),
        sample.charge(),
        sample.entries(),
        sample.slots(),
        PERCENT * sample.metadataBytes() / capacity,
        PERCENT * sample.usageBytes() / capacity,
        sample.hitPercent(),
        sample.longestInsertMicros());
  }

  private static void line(PrintWriter out, String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }
}
