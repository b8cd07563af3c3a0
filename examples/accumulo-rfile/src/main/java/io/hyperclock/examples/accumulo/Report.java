/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the job has measured, as a table for the terminal and as a page with charts. */
final class Report {
  private static final List<String> HEADS =
      List.of(
          "cache",
          "data cache",
          "lookups/s",
          "min–max",
          "CPU µs",
          "hits",
          "cached",
          "p50 µs",
          "p99 µs");

  private final ClassTable table;
  private final int blockBytes;
  private final int threads;
  private final int lookups;
  private final int rounds;
  private final long readDelayMicros;
  private final List<Result> results;
  private final List<Summary> summaries;

  Report(
      ClassTable table,
      int blockBytes,
      int threads,
      int lookups,
      int rounds,
      long readDelayMicros,
      List<Result> results) {
    this.table = table;
    this.blockBytes = blockBytes;
    this.threads = threads;
    this.lookups = lookups;
    this.rounds = rounds;
    this.readDelayMicros = readDelayMicros;
    this.results = results;
    this.summaries = summarise(results);
  }

  private static List<Summary> summarise(List<Result> results) {
    List<Summary> summaries = new ArrayList<>();
    Map<Long, Map<CacheChoice, List<Measurement>>> byBudget =
        results.stream()
            .collect(
                Collectors.groupingBy(
                    result -> result.measurement().budgetBytes(),
                    TreeMap::new,
                    Collectors.groupingBy(
                        Result::cache,
                        TreeMap::new,
                        Collectors.mapping(Result::measurement, Collectors.toList()))));
    byBudget
        .values()
        .forEach(caches -> caches.forEach((cache, list) -> summaries.add(Summary.of(cache, list))));
    return summaries;
  }

  /** Whether every run of every cache found the same. */
  boolean allAgree() {
    return results.stream().map(result -> result.measurement().findings()).distinct().count() <= 1;
  }

  /** The table for a terminal, in ASCII: without a locale it can show nothing else. */
  String text() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADS);
    summaries.forEach(summary -> rows.add(cells(summary)));
    int[] widths = new int[HEADS.size()];
    rows.forEach(
        row -> {
          for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], row.get(i).length());
          }
        });
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        String cell = row.get(i);
        String padding = " ".repeat(widths[i] - cell.length());
        text.append(i == 0 ? cell + padding : "  " + padding + cell);
      }
      text.append('\n');
    }
    return text.append('\n').append(work()).toString().replace('–', '-').replace('µ', 'u');
  }

  /**
   * Writes {@code report.md} and its charts.
   *
   * @param directory where to, existing
   * @return the page
   * @throws IOException if it cannot be written
   */
  Path write(Path directory) throws IOException {
    List<Summary> cached = summaries.stream().filter(s -> s.budgetBytes() > 0).toList();
    new BudgetChart("Classes analysed a second", "lookups/s", Summary::lookupsPerSecond)
        .write(cached, directory.resolve("throughput.svg"));
    new BudgetChart(
            "Data blocks missed (less is better)", "% of requests", s -> 100 - 100 * s.hitRatio())
        .write(cached, directory.resolve("misses.svg"));
    Path page = directory.resolve("report.md");
    Files.writeString(page, markdown(), StandardCharsets.UTF_8);
    return page;
  }

  private String markdown() {
    Function<List<String>, String> row =
        cells -> cells.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
    StringBuilder page = new StringBuilder("# Accumulo RFile: block caches side by side\n\n");
    page.append(work()).append("\n\n").append(machine()).append("\n\n");
    page.append(row.apply(HEADS));
    page.append(row.apply(HEADS.stream().map(h -> h.equals("cache") ? "---" : "---:").toList()));
    summaries.forEach(summary -> page.append(row.apply(cells(summary))));
    page.append("\n![Throughput](throughput.svg)\n\n![Misses](misses.svg)\n");
    return page.toString();
  }

  private String work() {
    Findings findings = results.get(0).measurement().findings();
    return String.format(
        Locale.ROOT,
        "%,d classes, %,d MB raw, gz blocks of %s (%,d blocks); %d threads; %,d lookups a run after"
            + " %,d to warm up, %,d MB read, %,d references; rounds: %d, medians shown; %s. %s",
        table.classes().size(),
        table.rawBytes() / 1_000_000,
        ByteSize.format(blockBytes),
        table.blocks().size(),
        threads,
        lookups,
        lookups / 2,
        findings.bytes() / 1_000_000,
        findings.references(),
        rounds,
        readDelayMicros == 0
            ? "the file in memory"
            : "each miss " + readDelayMicros + " µs more, as from remote storage",
        allAgree() ? "All runs read the same bytes." : "THE RUNS DID NOT READ THE SAME BYTES.");
  }

  private static String machine() {
    return String.format(
        Locale.ROOT,
        "%s, %d processors, %s %s, heap %,d MB, %s.",
        System.getProperty("os.name") + " " + System.getProperty("os.arch"),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.vm.name"),
        Runtime.version(),
        Runtime.getRuntime().maxMemory() >> 20,
        LocalDate.now());
  }

  private static List<String> cells(Summary s) {
    boolean none = s.budgetBytes() == 0;
    return List.of(
        s.cache().label(),
        none ? "–" : ByteSize.format(s.budgetBytes()),
        format("%,.0f", s.lookupsPerSecond()),
        format("%,.0f–%,.0f", s.slowest(), s.fastest()),
        format("%.1f", s.cpuMicros()),
        none ? "–" : format("%.1f %%", 100 * s.hitRatio()),
        none ? "–" : format("%.1f MiB", s.cachedBytes() / (1 << 20)),
        format("%.1f", s.p50Micros()),
        format("%.1f", s.p99Micros()));
  }

  private static String format(String format, Object... args) {
    return String.format(Locale.ROOT, format, args);
  }
}
