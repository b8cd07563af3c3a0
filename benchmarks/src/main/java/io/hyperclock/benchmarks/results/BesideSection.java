/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A table and a chart of the same workload run by two programs. */
public final class BesideSection {
  private static final double AT_LEAST = 1.0;

  private BesideSection() {}

  /** Runs that differ in nothing but the round. */
  private record Side(String workload, int threads, String name, boolean ours, boolean aim) {
    static Side of(BesideRun run) {
      // Their plain LRU is shown, but is not what ours is made after.
      boolean aim = run.ours() || run.cache().contains("hyper_clock");
      return new Side(run.workload(), run.threads(), run.name(), run.ours(), aim);
    }

    boolean meets(Side other) {
      return ours && !other.ours && workload.equals(other.workload) && threads == other.threads;
    }
  }

  /**
   * Writes a table: a row for each of ours beside each of theirs.
   *
   * @param runs what was measured
   * @return rows of text, in Markdown
   */
  public static String table(List<BesideRun> runs) {
    StringBuilder text = new StringBuilder();
    text.append(
        "| ours | theirs | workload | threads | ours, million ops/s | theirs | hits, ours |");
    text.append(" theirs | ratio | bar | |\n|---|---|---|--:|--:|--:|--:|--:|--:|--:|---|\n");
    Map<Side, List<BesideRun>> sides = sides(runs);
    for (Side ours : sides.keySet()) {
      for (Side theirs : sides.keySet()) {
        if (ours.meets(theirs)) {
          text.append(row(ours, sides.get(ours), theirs, sides.get(theirs)));
        }
      }
    }
    return text.toString();
  }

  private static String row(Side ours, List<BesideRun> a, Side theirs, List<BesideRun> b) {
    Ratio ratio = Ratio.of(speeds(a), speeds(b));
    return String.format(
        Locale.ROOT,
        "| %s | %s | %s | %d | %s | %s | %s | %s | **%.2f** (%.2f–%.2f) | %s | %s |%n",
        ours.name(),
        theirs.name(),
        workload(ours),
        ours.threads(),
        spread(speeds(a)),
        spread(speeds(b)),
        hits(a),
        hits(b),
        ratio.median(),
        ratio.min(),
        ratio.max(),
        theirs.aim() ? "≥ " + AT_LEAST : "–",
        !theirs.aim() ? "" : ratio.median() >= AT_LEAST ? "reached" : "**lost**");
  }

  private static String workload(Side side) {
    return side.workload().isEmpty() ? "defaults" : "`" + side.workload() + "`";
  }

  private static String spread(List<Double> speeds) {
    return String.format(
        Locale.ROOT,
        "%.3f (%.3f–%.3f)",
        Ratio.median(speeds),
        speeds.stream().min(Double::compare).orElseThrow(),
        speeds.stream().max(Double::compare).orElseThrow());
  }

  private static String hits(List<BesideRun> runs) {
    double median = Ratio.median(runs.stream().map(BesideRun::hitRatio).toList());
    return String.format(Locale.ROOT, "%.2f %%", 100 * median);
  }

  /** In millions a second, in the order of the rounds. */
  private static List<Double> speeds(List<BesideRun> runs) {
    return runs.stream().map(run -> run.opsPerSecond() / 1e6).toList();
  }

  private static Map<Side, List<BesideRun>> sides(List<BesideRun> runs) {
    return runs.stream()
        .collect(Collectors.groupingBy(Side::of, LinkedHashMap::new, Collectors.toList()));
  }

  /**
   * Draws the medians, grouped by workload and threads.
   *
   * @param runs what was measured
   * @param directory where the page is
   * @param name start of the charts' names
   * @return links to the charts, in Markdown
   */
  static String charts(List<BesideRun> runs, Path directory, String name) throws IOException {
    StringBuilder text = new StringBuilder();
    List<String> workloads = runs.stream().map(BesideRun::workload).distinct().toList();
    for (String workload : workloads) {
      List<BesideRun> shown = runs.stream().filter(r -> r.workload().equals(workload)).toList();
      List<Integer> threads = shown.stream().map(BesideRun::threads).distinct().toList();
      Map<String, List<Double>> series = new LinkedHashMap<>();
      for (BesideRun run : shown) {
        series.computeIfAbsent(
            run.name(), one -> threads.stream().map(count -> median(shown, one, count)).toList());
      }
      String chart =
          "charts/%s-%d.svg"
              .formatted(name, workloads.indexOf(workload) + 1)
              .toLowerCase(Locale.ROOT);
      String title = "cache_bench, " + (workload.isEmpty() ? "defaults" : workload);
      List<String> groups =
          threads.stream().map(n -> n + (n == 1 ? " thread" : " threads")).toList();
      Charts.bars(title, "million ops/s", groups, series, directory.resolve(chart));
      text.append("![%s](%s)%n".formatted(title, chart));
    }
    return text.toString();
  }

  private static double median(List<BesideRun> runs, String name, int threads) {
    List<Double> speeds =
        speeds(runs.stream().filter(r -> r.name().equals(name) && r.threads() == threads).toList());
    return speeds.isEmpty() ? 0 : Ratio.median(speeds);
  }
}
