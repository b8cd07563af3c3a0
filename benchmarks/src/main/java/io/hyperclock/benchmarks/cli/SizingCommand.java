/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.HashSeed;
import io.hyperclock.benchmarks.results.Machine;
import io.hyperclock.benchmarks.results.SizingChart;
import io.hyperclock.benchmarks.sizing.Growth;
import io.hyperclock.benchmarks.sizing.Sample;
import io.hyperclock.benchmarks.sizing.ShiftingLoad;
import io.hyperclock.stats.CacheStats;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
  private static final double SLOW_MICROS = 1000;
  private static final double PERCENT = 100.0;

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

  /**
   * One phase of the load.
   *
   * @param charge bytes of its entries
   * @param hits in percent, after the first capacity of inserts
   * @param toldHits the same of the cache whose estimate is the size of the entries
   */
  private record Phase(long charge, double hits, double toldHits) {}

  @Override
  public Integer call() throws Exception {
    check();
    List<Double> hits = new ArrayList<>();
    List<Double> told = new ArrayList<>();
    List<Sample> samples;
    CacheStats stats;
    try (BlockCache<Object> cache = builder().build()) {
      samples = run(cache, hits);
      stats = cache.monitor().stats();
    }
    List<Double> toldLarge = toldHits(small * factor);
    List<Double> toldSmall = toldHits(small);
    for (int phase = 0; phase < phases; phase++) {
      told.add(isLarge(phase) ? toldLarge.get(phase) : toldSmall.get(phase));
    }
    List<Phase> all = new ArrayList<>();
    for (int phase = 0; phase < phases; phase++) {
      all.add(new Phase(charge(phase), hits.get(phase), told.get(phase)));
    }
    print(all, samples, stats);
    Growth growth = null;
    if (fill > 0) {
      growth = new Growth(fill);
      growth.run(rounds);
      print(growth);
    }
    if (chart != null) {
      SizingChart.draw(
          "Entries of " + small * factor + " and " + small + " bytes in turns", samples, chart);
    }
    if (json != null) {
      Files.writeString(json, json(all, samples, stats, growth));
    }
    return 0;
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

  private List<Sample> run(BlockCache<Object> cache, List<Double> hits) {
    ShiftingLoad load = new ShiftingLoad(cache, seed);
    for (int phase = 0; phase < phases; phase++) {
      hits.add(load.run(phase, charge(phase), turnovers));
    }
    return load.samples();
  }

  private List<Double> toldHits(long estimate) {
    List<Double> hits = new ArrayList<>();
    try (BlockCache<Object> cache = builder().estimatedEntryCharge(estimate).build()) {
      run(cache, hits);
    }
    return hits;
  }

  private void print(List<Phase> all, List<Sample> samples, CacheStats stats) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("turnovers  bytes  entries    slots  metadata  usage  hits  longest insert");
    Sample last = samples.get(0);
    for (Sample sample : samples) {
      if ((int) (2 * sample.turnovers()) != (int) (2 * last.turnovers())) {
        print(out, sample);
      }
      last = sample;
    }
    for (Phase phase : all) {
      line(
          out,
          "entries of %,d bytes: %.2f %% hits, %.2f %% with the right estimate",
          phase.charge(),
          phase.hits(),
          phase.toldHits());
    }
    line(
        out,
        "%,d tables, %,d entries moved, longest insert %.0f us, inserts above 1 ms in %d samples of"
            + " %d",
        stats.resizes(),
        stats.movedEntries(),
        samples.stream().mapToDouble(Sample::longestInsertMicros).max().orElseThrow(),
        samples.stream().filter(sample -> sample.longestInsertMicros() > SLOW_MICROS).count(),
        samples.size());
    out.flush();
  }

  private void print(PrintWriter out, Sample sample) {
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

  private void print(Growth growth) {
    PrintWriter out = spec.commandLine().getOut();
    line(
        out,
        "insert into an empty cache of %,d entries: %.0f ns growing, %.0f ns with initialEntries,"
            + " %.0f ns of a fixed size",
        fill,
        growth.growingNanos(),
        growth.toldNanos(),
        growth.fixedNanos());
    out.flush();
  }

  private static void line(PrintWriter out, String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }

  private String json(
      List<Phase> all, List<Sample> samples, CacheStats stats, @Nullable Growth growth) {
    Gson gson = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();
    JsonObject result = new JsonObject();
    result.addProperty("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    result.addProperty("command", Main.typed(spec));
    result.addProperty("jdk", Machine.java());
    result.addProperty("machine", Machine.describe());
    result.addProperty("resizes", stats.resizes());
    result.addProperty("movedEntries", stats.movedEntries());
    if (growth != null) {
      result.addProperty("growingNanos", growth.growingNanos());
      result.addProperty("toldNanos", growth.toldNanos());
      result.addProperty("fixedNanos", growth.fixedNanos());
    }
    result.add("phases", gson.toJsonTree(all));
    result.add("samples", gson.toJsonTree(samples));
    return gson.toJson(result) + "\n";
  }
}
