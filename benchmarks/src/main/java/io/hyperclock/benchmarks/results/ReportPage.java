/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import com.google.gson.JsonObject;
import io.hyperclock.benchmarks.sizing.SizingRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A page of results: for each file its origin, the ratios asked for, charts and all numbers. */
public final class ReportPage {
  private static final String HEAD =
      """
      # Results

      Start with [SUMMARY.md](SUMMARY.md): one row for each question. Here is what those rows are made of.

      Written by `java -jar benchmarks/target/benchmarks.jar report`; do not edit.
      Scores are medians over forks with the lowest and the highest fork in brackets; a fork's score is the median of
      its iterations. Ratios are ours / theirs: the median, the lowest and the highest of those within a round, so that
      what slows the machine down for minutes does not count.
      """;

  private final Path directory;
  private final StringBuilder text = new StringBuilder(HEAD);

  /**
   * Starts a page.
   *
   * @param directory where the page goes
   */
  public ReportPage(Path directory) {
    this.directory = directory;
  }

  /**
   * Adds a file's results and draws their charts.
   *
   * @param file the results
   * @param name the file's name
   */
  public void add(ResultFile file, String name) throws IOException {
    text.append("\n## ").append(name).append("\n\n");
    file.origin().forEach((key, value) -> line("* %s: %s", key, value));
    List<BenchmarkMeasurement> all = file.measurements();
    for (Bar bar : Bar.values()) {
      List<BenchmarkMeasurement> shown = all.stream().filter(m -> bar.includes(m.id())).toList();
      if (!shown.isEmpty()) {
        line("%n### %s · %s%n", bar, bar.title());
        if (bar == Bar.CHAINED) {
          text.append(ChainedSection.table(shown)).append('\n');
          text.append(ChainedSection.chart(shown, directory, name.replace(".json", "")));
        } else {
          ratios(bar, all);
          text.append(ScalingSection.table(shown));
          charts(bar, shown, name.replace(".json", ""));
        }
      }
    }
    hitRatios(file.hitRatios(), name.replace(".json", ""));
    beside(file.beside(), name.replace(".json", ""));
    workloads(file.workloads());
    collections(file.collections(), name.replace(".json", ""));
    footprints(file.footprints(), name.replace(".json", ""));
    firstSeconds(file.firstSeconds());
    text.append(TierSection.of(file.tiers(), directory, name.replace(".json", "")));
    for (SizingRun run : file.sizing()) {
      line("%n### A cache without an estimate%n");
      text.append(SizingSection.text(run)).append('\n');
      text.append(SizingSection.chart(run, directory, name.replace(".json", "")));
    }
    if (!all.isEmpty()) {
      numbers(all, file.allocations());
    }
  }

  private void firstSeconds(List<FirstSeconds> runs) {
    for (FirstSeconds run : runs) {
      line(
          "%n### The first seconds · %s, %s entries, %d thread(s), half of the reads miss%n",
          run.cache(), Charts.size(String.valueOf(run.entries())), run.threads());
      line(
          "Million operations a second in each step of %d ms: %s",
          run.stepMillis(),
          run.millionOpsPerSecond().stream()
              .map(rate -> String.format(Locale.ROOT, "%.2f", rate))
              .collect(Collectors.joining(", ")));
    }
  }

  private void beside(List<BesideRun> runs, String name) throws IOException {
    if (!runs.isEmpty()) {
      line("%n### B6 · RocksDB's cache_bench%n");
      text.append(BesideSection.table(runs)).append('\n');
      text.append(BesideSection.charts(runs, directory, name));
    }
  }

  private void collections(List<GcRun> runs, String name) throws IOException {
    if (!runs.isEmpty()) {
      line("%n### B8 · Garbage collection%n");
      text.append(GcSection.table(runs)).append('\n');
      text.append(GcSection.charts(runs, directory, name));
    }
  }

  private void footprints(List<Footprint> footprints, String name) throws IOException {
    if (!footprints.isEmpty()) {
      line("%n### B7 · Overhead in bytes per entry%n");
      text.append(FootprintSection.table(footprints)).append('\n');
      text.append(FootprintSection.chart(footprints, directory, name));
    }
  }

  private void workloads(List<JsonObject> runs) {
    if (!runs.isEmpty()) {
      line("%n### The workload of RocksDB's cache_bench%n");
      line(
          "| cache | threads | cache size | value | lean | million ops/s | hits | P50 | P99 |"
              + " P99.99 |");
      line("|---|--:|--:|--:|---|--:|--:|--:|--:|--:|");
    }
    for (JsonObject run : runs) {
      JsonObject options = run.getAsJsonObject("options");
      JsonObject results = run.getAsJsonObject("results");
      line(
          "| %s%s%s | %d | %d | %d | %s | %.3f | %.4f %% | %s |",
          options.get("cache").getAsString(),
          kind(options),
          options.has("secondary_cache")
              ? ", tier " + options.get("secondary_cache").getAsString()
              : "",
          options.get("threads").getAsInt(),
          options.get("cache_size").getAsLong(),
          options.get("value_bytes").getAsLong(),
          options.get("lean").getAsBoolean() ? "yes" : "no",
          results.get("parallelOpsPerSecond").getAsDouble() / 1e6,
          results.get("hitRatio").getAsDouble() * 100,
          results.has("latencyNanos")
              ? Stream.of("p50", "p99", "p99.99")
                  .map(p -> results.getAsJsonObject("latencyNanos").get(p).getAsLong() + " ns")
                  .collect(Collectors.joining(" | "))
              : "| |");
    }
  }

  private static String kind(JsonObject options) {
    if (options.get("cache").getAsString().equals("parity")) {
      return ", a model, not for speed";
    }
    return options.has("policy") ? ", " + options.get("policy").getAsString() : "";
  }

  private void hitRatios(List<HitRatio> points, String name) throws IOException {
    Map<String, List<HitRatio>> byTrace = new LinkedHashMap<>();
    for (HitRatio point : points) {
      byTrace.computeIfAbsent(point.trace(), trace -> new ArrayList<>()).add(point);
    }
    for (Map.Entry<String, List<HitRatio>> trace : byTrace.entrySet()) {
      List<HitRatio> all = trace.getValue();
      String chart =
          "charts/%s-%s.svg"
              .formatted(name, trace.getKey().replaceAll("[^\\w.-]", "_"))
              .toLowerCase(Locale.ROOT);
      HitRatioChart.draw(trace.getKey(), all, directory.resolve(chart));
      line("%n### Hit ratios · %s%n", trace.getKey());
      line("![hit ratios of %s](%s)%n", trace.getKey(), chart);
      Map<String, Integer> policies = new LinkedHashMap<>();
      all.forEach(point -> policies.put(point.policy(), point.threads()));
      text.append("| capacity |");
      policies.forEach(
          (policy, threads) ->
              text.append(" %s%s |".formatted(policy, threads == 1 ? "" : " ×" + threads)));
      line("%n|--:|%s", "--:|".repeat(policies.size()));
      for (long capacity : all.stream().mapToLong(HitRatio::capacity).distinct().toArray()) {
        text.append("| ").append(capacity).append(" |");
        for (String policy : policies.keySet()) {
          all.stream()
              .filter(point -> point.capacity() == capacity && point.policy().equals(policy))
              .findFirst()
              .ifPresentOrElse(
                  point -> text.append(String.format(Locale.ROOT, " %.2f |", 100 * point.ratio())),
                  () -> text.append(" |"));
        }
        text.append('\n');
      }
    }
  }

  private void ratios(Bar bar, List<BenchmarkMeasurement> all) {
    List<Comparison> comparisons = Comparison.of(bar, all);
    boolean cpu = comparisons.stream().anyMatch(one -> one.cpu().isPresent());
    line(
        "| ours | rival | settings | threads | ours | rival | ratio | bar | |%s",
        cpu ? " CPU, ns/op | rival | ratio | bar | |" : "");
    line("|---|---|---|--:|--:|--:|--:|--:|---|%s", cpu ? "--:|--:|--:|--:|---|" : "");
    for (Comparison one : comparisons) {
      Claim claim = one.claim();
      line(
          "| %s | %s | %s | %d | %s | %s | %s | %s | %s |%s",
          method(one.ours()),
          method(one.rival()),
          one.ours().id().settings(),
          one.ours().id().threads(),
          score(one.ours()),
          score(one.rival()),
          ratio(one.ratio()),
          one.hasAim() ? "≥ " + claim.atLeast() + allowance(claim) : "–",
          !one.hasAim() ? "" : one.isReached() ? "reached" : "**lost**",
          cpu ? cpu(one) : "");
    }
  }

  private static String cpu(Comparison one) {
    return one.cpu().isEmpty()
        ? " | | | | |"
        : String.format(
            Locale.ROOT,
            " %.0f | %.0f | %s | %s | %s |",
            Ratio.median(one.ours().cpuNanos()),
            Ratio.median(one.rival().cpuNanos()),
            ratio(one.cpu().get()),
            one.hasCpuAim() ? "≤ " + one.claim().cpuAtMost() : "–",
            !one.hasCpuAim() ? "" : one.isCpuReached() ? "reached" : "**lost**");
  }

  private static String ratio(Ratio ratio) {
    return String.format(
        Locale.ROOT, "**%.2f** (%.2f–%.2f)", ratio.median(), ratio.min(), ratio.max());
  }

  private static String allowance(Claim claim) {
    double micros = claim.allowanceMicros();
    return micros == 0 ? "" : " of rival + " + micros + " µs";
  }

  private void charts(Bar bar, List<BenchmarkMeasurement> shown, String name) throws IOException {
    Map<String, List<BenchmarkMeasurement>> groups = new LinkedHashMap<>();
    for (BenchmarkMeasurement measurement : shown) {
      BenchmarkMeasurement.Id id = measurement.id();
      String group =
          (id.variant() + " " + id.threads() + (id.threads() == 1 ? " thread" : " threads"))
              .strip();
      groups.computeIfAbsent(group, key -> new ArrayList<>()).add(measurement);
    }
    text.append('\n');
    for (Map.Entry<String, List<BenchmarkMeasurement>> group : groups.entrySet()) {
      String title = (bar.title() + ", " + group.getKey()).toLowerCase(Locale.ROOT);
      String chart =
          "charts/%s-%s-%s.svg"
              .formatted(name, bar, group.getKey().replace(' ', '-'))
              .toLowerCase(Locale.ROOT);
      Charts.draw(bar + ": " + title, group.getValue(), directory.resolve(chart));
      line("![%s](%s)", title, chart);
    }
  }

  private void numbers(
      List<BenchmarkMeasurement> all, Map<BenchmarkMeasurement.Id, Double> allocations) {
    boolean cpu = all.stream().anyMatch(measurement -> !measurement.cpuNanos().isEmpty());
    line("%n<details><summary>All numbers</summary>%n");
    line(
        "| benchmark | settings | threads | forks | score | unit | bytes/op |%s",
        cpu ? " CPU, ns/op |" : "");
    line("|---|---|--:|--:|--:|---|--:|%s", cpu ? "--:|" : "");
    for (BenchmarkMeasurement measurement : all) {
      Double bytes = allocations.get(measurement.id());
      line(
          "| %s | %s | %d | %d | %s | %s | %s |%s",
          measurement.id().benchmark(),
          measurement.id().settings(),
          measurement.id().threads(),
          measurement.forks().size(),
          score(measurement),
          Charts.unit(measurement.unit()),
          bytes == null ? "" : String.format(Locale.ROOT, "%.1f", bytes),
          cpu ? cpu(measurement) : "");
    }
    line("%n</details>");
  }

  private static String cpu(BenchmarkMeasurement measurement) {
    return measurement.cpuNanos().isEmpty()
        ? " |"
        : String.format(Locale.ROOT, " %.1f |", Ratio.median(measurement.cpuNanos()));
  }

  private static String method(BenchmarkMeasurement measurement) {
    return measurement.id().benchmark().replaceAll(".*\\.", "");
  }

  private static String score(BenchmarkMeasurement m) {
    String format = m.median() < 0.1 ? "%.4f (%.4f–%.4f)" : "%.2f (%.2f–%.2f)";
    return String.format(Locale.ROOT, format, m.median(), m.min(), m.max());
  }

  private void line(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /**
   * Writes the page.
   *
   * @return where it is
   */
  public Path write() throws IOException {
    Path page = directory.resolve("README.md");
    Files.writeString(page, text);
    return page;
  }
}
