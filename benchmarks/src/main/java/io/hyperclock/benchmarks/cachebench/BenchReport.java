/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.hyperclock.benchmarks.results.Machine;
import io.hyperclock.benchmarks.results.ResultFile;
import io.hyperclock.secondary.TierStats;
import io.hyperclock.secondary.TieredStats;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Says what a run showed, in the lines of RocksDB's tool or as JSON. */
final class BenchReport {
  private static final double[] PERCENTILES = {50, 75, 99, 99.9, 99.99};
  private static final MathContext SIX_DIGITS = new MathContext(6, RoundingMode.HALF_EVEN);

  private final BenchOptions options;
  private final PrintWriter out;

  BenchReport(BenchOptions options, PrintWriter out) {
    this.options = options;
    this.out = out;
  }

  /** What runs, and where. */
  void printEnvironment() {
    line("Using seed = %d", options.seed);
    property("Machine", Machine.describe());
    property("Java", Machine.java());
    property("Cache", options.cache.kind().title());
    if (options.cache.kind().isHyperClock()) {
      property("Policy", options.cache.policy().name().toLowerCase(Locale.ROOT));
    }
    if (options.cache.kind().hasTable()) {
      property(
          "Num shard bits",
          options.cache.shardBits < 0 ? "chosen by the cache" : options.cache.shardBits);
    }
    if (options.cache.secondaryBytes() > 0) {
      property("Secondary cache", "compressed, " + options.cache.secondaryBytes() + " bytes");
    }
    property("Number of threads", options.threads);
    property("Ops per thread", options.operations);
    property("Cache size", options.cacheSize);
    property("Value bytes", options.valueBytes);
    property("Values", options.valueKind());
    property("Max key", options.maxKey());
    property("Resident ratio", sixDigits(options.residentRatio));
    property("Pinned ratio", sixDigits(options.pinnedRatio));
    property("Skew degree", options.skew);
    property("Populate cache", options.populate ? 1 : 0);
    property("Lookup+Insert pct", options.lookupInsertPercent + "%");
    property("Insert percentage", options.insertPercent + "%");
    property("Blind insert pct", options.blindInsertPercent + "%");
    property("Lookup percentage", options.lookupPercent + "%");
    property("Erase percentage", options.erasePercent + "%");
    property(
        "Gather stats",
        options.gatherStats ? "enabled (" + options.gatherStatsSleepMillis + "ms)" : "disabled");
    line("----------------------------");
    out.flush();
  }

  /** How full the cache became. */
  void printPopulation(long entries) {
    line(
        "Population complete (%d entries, %s average charge)",
        entries, sixDigits((double) options.cacheSize / entries));
    out.flush();
  }

  /** What came out. */
  void print(Outcome outcome) {
    line(
        "Complete in %.3f s; Rough parallel ops/sec = %d",
        outcome.seconds(), (long) outcome.parallelOpsPerSecond());
    line("Thread ops/sec = %d", (long) outcome.threadOpsPerSecond());
    if (options.cache.kind() == CacheKind.PARITY) {
      line("Rates and latencies are those of a model, of no cache's speed.");
    }
    line("Lookup hit ratio: %s", sixDigits(outcome.hitRatio()));
    if (outcome.slots() == 0) {
      line("Final entries: %d", outcome.occupancy());
    } else {
      line(
          "Final load factor: %s (%d / %d)",
          sixDigits(outcome.loadFactor()), outcome.occupancy(), outcome.slots());
    }
    line("Final pinned count: %d", outcome.pinned());
    if (outcome.below() != null) {
      outcome.below().tiers().forEach(this::print);
    }
    if (options.histograms) {
      line("%nOperation latency (ns):");
      print(outcome.latency());
    }
    if (options.gatherStats) {
      line("%nGather stats latency (us):");
      print(outcome.gatherLatency());
      line("Entries visited after the run: %d", outcome.scan().entries());
    }
    if (options.reportProblems && options.cache.kind().isHyperClock()) {
      line("%nProblems: %s", outcome.problems().isEmpty() ? "none" : "");
      outcome.problems().forEach(problem -> line("  %s", problem));
    }
    out.flush();
  }

  private void print(TieredStats.Tier tier) {
    TierStats stats = tier.stats();
    line(
        "Secondary cache hits: %d; accepted: %d; declined: %d; dropped: %d",
        tier.hits(), stats.accepted(), stats.declined(), stats.dropped());
    line(
        "Secondary cache entries: %d (%d bytes used of %d)",
        stats.entries(), stats.usageBytes(), stats.capacityBytes());
    tier.metrics().forEach(f -> line("  %s: %d %s", f.name(), f.value(), f.unit()));
  }

  private void print(Histogram histogram) {
    line(
        "Count: %d Average: %.4f StdDev: %.2f",
        histogram.getTotalCount(), histogram.getMean(), histogram.getStdDeviation());
    line(
        "Min: %d Median: %d Max: %d",
        histogram.getMinValue(), histogram.getValueAtPercentile(50), histogram.getMaxValue());
    StringBuilder text = new StringBuilder("Percentiles:");
    for (double percentile : PERCENTILES) {
      text.append(" P").append(sixDigits(percentile)).append(": ");
      text.append(histogram.getValueAtPercentile(percentile));
    }
    line("%s", text);
  }

  private void property(String name, Object value) {
    line("%-20s: %s", name, value);
  }

  private void line(String format, Object... args) {
    out.printf(Locale.ROOT, format + "%n", args);
  }

  /** A number as C's {@code %g} prints it. */
  static String sixDigits(double value) {
    if (value == 0 || Double.isNaN(value) || Double.isInfinite(value)) {
      return value == 0 ? "0" : String.valueOf(value);
    }
    BigDecimal rounded = new BigDecimal(value).round(SIX_DIGITS).stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent >= -4 && exponent < SIX_DIGITS.getPrecision()) {
      return rounded.toPlainString();
    }
    return rounded.scaleByPowerOfTen(-exponent).toPlainString()
        + String.format(Locale.ROOT, "e%+03d", exponent);
  }

  /** Writes options and results, in place of an older file. */
  void write(Path path, String command, Outcome outcome) throws IOException {
    JsonObject results = new JsonObject();
    results.addProperty("populated", outcome.populated());
    results.addProperty("seconds", outcome.seconds());
    results.addProperty("parallelOpsPerSecond", outcome.parallelOpsPerSecond());
    results.addProperty("threadOpsPerSecond", outcome.threadOpsPerSecond());
    results.addProperty("lookups", outcome.lookups());
    results.addProperty("hits", outcome.hits());
    results.addProperty("hitRatio", outcome.hitRatio());
    results.addProperty("occupancy", outcome.occupancy());
    results.addProperty("slots", outcome.slots());
    results.addProperty("pinned", outcome.pinned());
    results.addProperty("checksums", outcome.checksums());
    results.addProperty("visitedEntries", outcome.scan().entries());
    results.addProperty("visitedChargeBytes", outcome.scan().chargeBytes());
    if (outcome.below() != null) {
      results.add("tiers", toJson(outcome.below().tiers()));
    }
    if (options.histograms) {
      results.add("latencyNanos", toJson(outcome.latency()));
    }
    if (options.gatherStats) {
      results.add("gatherStatsMicros", toJson(outcome.gatherLatency()));
    }
    JsonArray problems = new JsonArray();
    outcome.problems().forEach(problems::add);
    results.add("problems", problems);
    ResultFile file = ResultFile.start(command);
    file.addWorkload(options.values(), results);
    file.write(path);
  }

  private static JsonArray toJson(List<TieredStats.Tier> tiers) {
    JsonArray all = new JsonArray();
    for (TieredStats.Tier tier : tiers) {
      JsonObject json = new JsonObject();
      json.addProperty("name", tier.name());
      json.addProperty("hits", tier.hits());
      json.addProperty("failures", tier.failures());
      json.addProperty("accepted", tier.stats().accepted());
      json.addProperty("declined", tier.stats().declined());
      json.addProperty("dropped", tier.stats().dropped());
      json.addProperty("entries", tier.stats().entries());
      json.addProperty("usageBytes", tier.stats().usageBytes());
      all.add(json);
    }
    return all;
  }

  private static JsonObject toJson(Histogram histogram) {
    JsonObject json = new JsonObject();
    json.addProperty("count", histogram.getTotalCount());
    json.addProperty("mean", histogram.getMean());
    json.addProperty("min", histogram.getMinValue());
    json.addProperty("max", histogram.getMaxValue());
    for (double percentile : PERCENTILES) {
      json.addProperty("p" + sixDigits(percentile), histogram.getValueAtPercentile(percentile));
    }
    return json;
  }
}
