/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import io.hyperclock.benchmarks.twoversions.TextKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Our tables beside chained ones, and beside what was published of the original. */
final class ChainedSection {
  private static final String TABLE = "table";

  private static final Map<String, String> TABLES = tables();

  /**
   * Figures posted with the change that started it: 8 threads on a laptop at 2.9 GHz, after the
   * change, wall-clock nanoseconds for all threads together.
   */
  private static final Map<String, String> ORIGINAL =
      Map.of(
          "FindBenchmark.findForRead", "64.3",
          "FindBenchmark.findForWrite", "46.0",
          "MutateBenchmark.insert", "250",
          "MutateBenchmark.replace", "156",
          "MutateBenchmark.delete", "47.6",
          "MutateBenchmark.multiCollectionInsert", "227–486",
          "MutateBenchmark.statsEpilogue", "31.6–45.8");

  private static final String NOTES =
      """
      Nanoseconds of an operation divided by the threads, as the original counts them: medians over forks. The last
      column was posted with the original's change, of 8 threads on another machine, each figure a single run; how
      noisy it was shows `statsEpilogue`, which finds nothing and moved by up to 19 % between its two runs. So the columns
      compare tables on this machine; the last one says what the original called fast, no more. `SOUND` gives
      prepared keys a committed value too and each thread an order of its own; `FAITHFUL` neither. Where the threads
      are more than the processors they also wait for each other's turns. How many nodes or slots a search touches
      does not depend on a machine and is held by tests: 3.07 at load 1 and 14.45 at load 8 with a full walk, 2.03 and
      7.73 with an early exit, and in ours the same slots as in a cache without two versions.
      """;

  private ChainedSection() {}

  private static Map<String, String> tables() {
    Map<String, String> tables = new LinkedHashMap<>();
    tables.put("VERSIONED", "two versions");
    tables.put("PLAIN", "plain cache");
    tables.put("CHAINED_EARLY", "chained, early exit");
    tables.put("CHAINED_FULL", "chained, full walk");
    return tables;
  }

  /**
   * Writes a table.
   *
   * @param measurements of benchmarks with and without a parameter {@code table}
   * @return rows of text, in Markdown
   */
  static String table(List<BenchmarkMeasurement> measurements) {
    StringBuilder text = new StringBuilder(NOTES).append("\n| benchmark | settings | threads |");
    TABLES.values().forEach(name -> text.append(' ').append(name).append(" |"));
    text.append(" original |\n|---|---|--:|").append("--:|".repeat(TABLES.size())).append("--:|\n");
    rows(measurements)
        .forEach(
            (row, byTable) -> {
              text.append(
                  "| %s | %s | %d |".formatted(row.benchmark(), row.settings(), row.threads()));
              TABLES.keySet().forEach(table -> text.append(cell(byTable.get(table))));
              text.append(" %s |%n".formatted(ORIGINAL.getOrDefault(row.benchmark(), "")));
            });
    return text.toString();
  }

  private static Map<BenchmarkMeasurement.Id, Map<String, BenchmarkMeasurement>> rows(
      List<BenchmarkMeasurement> all) {
    Map<BenchmarkMeasurement.Id, Map<String, BenchmarkMeasurement>> rows = new LinkedHashMap<>();
    for (BenchmarkMeasurement measurement : all) {
      BenchmarkMeasurement.Id id = measurement.id();
      TreeMap<String, String> params = new TreeMap<>(id.params());
      String table = params.remove(TABLE);
      BenchmarkMeasurement.Id row =
          new BenchmarkMeasurement.Id(id.benchmark(), params, id.threads());
      rows.computeIfAbsent(row, key -> new LinkedHashMap<>())
          .put(table == null ? "VERSIONED" : table, measurement);
    }
    return rows;
  }

  private static String cell(BenchmarkMeasurement measurement) {
    if (measurement == null) {
      return " |";
    }
    return String.format(
        Locale.ROOT,
        " %.1f (%.1f–%.1f) |",
        measurement.median() / divisor(measurement),
        measurement.min() / divisor(measurement),
        measurement.max() / divisor(measurement));
  }

  /** A score of those that change tables is the time of all operations of a thread. */
  private static double divisor(BenchmarkMeasurement measurement) {
    boolean one = measurement.id().benchmark().startsWith("Find");
    return measurement.id().threads() * (one ? 1.0 : TextKeys.PER_THREAD);
  }

  /**
   * Draws the benchmarks that ran on every table, with the most threads.
   *
   * @param measurements what was measured
   * @param directory where the page is
   * @param name start of the chart's name
   * @return a link to the chart, in Markdown, or nothing
   */
  static String chart(List<BenchmarkMeasurement> measurements, Path directory, String name)
      throws IOException {
    int threads = measurements.stream().mapToInt(m -> m.id().threads()).max().orElse(1);
    Map<BenchmarkMeasurement.Id, Map<String, BenchmarkMeasurement>> rows = rows(measurements);
    Set<String> categories = new LinkedHashSet<>();
    Map<String, List<Double>> series = new LinkedHashMap<>();
    rows.forEach(
        (row, byTable) -> {
          boolean shown = row.threads() == threads && byTable.keySet().equals(TABLES.keySet());
          String category = row.benchmark().replaceAll(".*\\.", "") + " " + row.param("setUp");
          if (shown && !row.param("preparedPercent").equals("0") && categories.add(category)) {
            TABLES.forEach(
                (table, title) ->
                    series
                        .computeIfAbsent(title, key -> new ArrayList<>())
                        .add(byTable.get(table).median() / divisor(byTable.get(table))));
          }
        });
    if (categories.isEmpty()) {
      return "";
    }
    String chart = "charts/%s-chained.svg".formatted(name).toLowerCase(Locale.ROOT);
    String title = "time of an operation, %d threads".formatted(threads);
    Charts.bars(title, "ns", List.copyOf(categories), series, directory.resolve(chart));
    return "![%s](%s)%n".formatted(title, chart);
  }
}
