/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * One table of all comparisons with rivals: a row for each question, wins and losses alike. A row
 * takes sizes, key distributions, other settings and numbers of threads together.
 */
public final class SummaryPage {
  private static final String HEAD =
      """
      # Summary

      Written by `java -jar benchmarks/target/benchmarks.jar report`; do not edit.
      Each row is one question: HyperClock with slots on the heap against one rival. The ratio goes from the lowest to
      the highest of the cells measured (sizes, keys, threads, settings); a cell is the median of the ratios within a
      round. For rates more is better, for CPU time less. STEADY: the cache was full and had turned over %d times before
      the first read. FRESH: it had just been filled; such rows stay until they are measured again.
      `…NewKey`: the rival makes a key object for each read. `caffeineCounted`: Caffeine with a reference count in each
      value. `computeIfPresentCounted`: a map that evicts nothing, the count raised under its lock. `the jar before`:
      HyperClock before its table of tagged buckets. Bar: the ratio aimed at.
      Charts, spreads, off-heap slots and raw numbers: [README.md](README.md).

      | | question | rival | cache | JDK | ratio | bar | cells reached | |
      |---|---|---|---|--:|--:|--:|--:|---|
      """;

  private final Map<Row, List<Cell>> rows = new LinkedHashMap<>();
  private final int turnovers;

  /**
   * Starts a page.
   *
   * @param turnovers how often a steady cache has turned over
   */
  public SummaryPage(int turnovers) {
    this.turnovers = turnovers;
  }

  private record Row(Bar bar, String question, String rival, String state, String jdk) {}

  private record Cell(double ratio, double aim, boolean hasAim, boolean reached) {}

  /**
   * Adds a file's results.
   *
   * @param file the results
   */
  public void add(ResultFile file) {
    List<BenchmarkMeasurement> all = file.measurements();
    String jdk = file.origin().getOrDefault("JDK", "").replaceFirst("^.*?VM (\\d+).*$", "$1");
    for (Bar bar : Bar.values()) {
      for (Comparison comparison : Comparison.of(bar, all)) {
        if (!comparison.ours().id().benchmark().endsWith("OffHeap")) {
          add(comparison, jdk);
        }
      }
    }
  }

  private void add(Comparison comparison, String jdk) {
    BenchmarkMeasurement.Id ours = comparison.ours().id();
    String question = comparison.bar().title() + question(ours);
    String rival = comparison.claim().rival().replaceAll(".*\\.", "");
    if (rival.startsWith(BenchmarkMeasurement.BEFORE)) {
      rival = "the jar before";
    }
    String state = ours.state();
    cells(new Row(comparison.bar(), question, rival, state, jdk))
        .add(
            new Cell(
                comparison.ratio().median(),
                comparison.claim().atLeast(),
                comparison.hasAim(),
                comparison.isReached()));
    if (comparison.cpu().isPresent()) {
      cells(new Row(comparison.bar(), question + ", CPU time", rival, state, jdk))
          .add(
              new Cell(
                  comparison.cpu().get().median(),
                  comparison.claim().cpuAtMost(),
                  comparison.hasCpuAim(),
                  comparison.hasCpuAim() && comparison.isCpuReached()));
    }
  }

  private static String question(BenchmarkMeasurement.Id ours) {
    String method = ours.benchmark().replaceAll(".*\\.", "").replaceFirst("^hyperclock", "");
    String group = ours.benchmark().replaceAll("Benchmark\\..*", "");
    String name = method.isEmpty() ? group : group + " " + method;
    String percent = ours.param("hitPercent");
    return ": "
        + name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT)
        + (percent.isEmpty() ? "" : ", " + percent + " % hits")
        + (ours.param("mode").isEmpty() ? "" : ", " + ours.param("mode").toLowerCase(Locale.ROOT));
  }

  private List<Cell> cells(Row row) {
    return rows.computeIfAbsent(row, key -> new ArrayList<>());
  }

  /**
   * The page.
   *
   * @return lines of text
   */
  String text() {
    StringBuilder text = new StringBuilder(HEAD.formatted(turnovers));
    Map<String, List<Map.Entry<Row, List<Cell>>>> byBar = new TreeMap<>();
    for (Map.Entry<Row, List<Cell>> entry : rows.entrySet()) {
      byBar
          .computeIfAbsent(
              String.format(Locale.ROOT, "%02d", entry.getKey().bar().ordinal()),
              key -> new ArrayList<>())
          .add(entry);
    }
    byBar.values().forEach(rows -> rows.forEach(row -> line(text, row.getKey(), row.getValue())));
    return text.toString();
  }

  private static void line(StringBuilder text, Row row, List<Cell> cells) {
    double low = cells.stream().mapToDouble(Cell::ratio).min().orElseThrow();
    double high = cells.stream().mapToDouble(Cell::ratio).max().orElseThrow();
    List<Cell> asked = cells.stream().filter(Cell::hasAim).toList();
    long reached = asked.stream().filter(Cell::reached).count();
    boolean cpu = row.question().endsWith("CPU time");
    text.append(
        String.format(
            Locale.ROOT,
            "| %s | %s | %s | %s | %s | **%s** | %s | %s | %s |%n",
            row.bar(),
            row.question(),
            row.rival(),
            row.state(),
            row.jdk(),
            range(low, high),
            asked.isEmpty() ? "–" : (cpu ? "≤ " : "≥ ") + aims(asked),
            asked.isEmpty() ? "" : reached + " of " + asked.size(),
            asked.isEmpty()
                ? "–"
                : reached == asked.size() ? "reached" : reached == 0 ? "**lost**" : "**in part**"));
  }

  private static String aims(List<Cell> asked) {
    double low = asked.stream().mapToDouble(Cell::aim).min().orElseThrow();
    double high = asked.stream().mapToDouble(Cell::aim).max().orElseThrow();
    return range(low, high);
  }

  private static String range(double low, double high) {
    String first = String.format(Locale.ROOT, "%.2f", low);
    String last = String.format(Locale.ROOT, "%.2f", high);
    return first.equals(last) ? first : first + " to " + last;
  }

  /**
   * Writes the page.
   *
   * @param directory where to
   * @return where it is
   */
  public Path write(Path directory) throws IOException {
    Path page = directory.resolve("SUMMARY.md");
    Files.writeString(page, text());
    return page;
  }
}
