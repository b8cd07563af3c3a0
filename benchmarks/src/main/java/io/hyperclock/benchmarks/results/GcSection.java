/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tables and charts of what caches cost the garbage collector. */
public final class GcSection {
  /** Largest share of the rival's added time that is aimed at. */
  private static final double MOST = 0.2;

  private static final double MIB = 1 << 20;

  private GcSection() {}

  /**
   * Writes a table.
   *
   * @param runs what was measured
   * @return rows of text, in Markdown
   */
  public static String table(List<GcRun> runs) {
    List<GcRow> rows = GcRow.of(runs);
    StringBuilder text = new StringBuilder();
    text.append(
        "| collector | cache | entries | full collection, ms | added | of Caffeine's | bar |"
            + " concurrent marking, ms | added | of Caffeine's | bar | heap, MiB | direct, MiB |"
            + " bytes/hit |\n");
    text.append("|---|---|--:|--:|--:|--:|---|--:|--:|--:|---|--:|--:|--:|\n");
    for (GcRow row : rows) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %d | %s | %s | %.1f | %.1f | %.1f |%n",
              row.first().collector(),
              row.first().cache(),
              row.first().entries(),
              times(GcRow.Time.COLLECTION, row, rows),
              times(GcRow.Time.MARKING, row, rows),
              row.median(GcRun::heapUsedBytes) / MIB,
              row.median(GcRun::directBytes) / MIB,
              row.median(GcRun::bytesPerRead)));
    }
    return text.toString();
  }

  private static String times(GcRow.Time time, GcRow row, List<GcRow> rows) {
    Double added = row.isBare() ? null : row.added(time);
    Ratio ratio = row.toRival(time, rows);
    return String.format(Locale.ROOT, "%s | %s | %s", row.shown(time), added(added), judged(ratio));
  }

  private static String added(@Nullable Double millis) {
    return millis == null ? "" : String.format(Locale.ROOT, "%.1f", millis);
  }

  private static String judged(@Nullable Ratio ratio) {
    return ratio == null
        ? " | "
        : String.format(
            Locale.ROOT,
            "**%.2f** (%.2f–%.2f) | ≤ %.1f %s",
            ratio.median(),
            ratio.min(),
            ratio.max(),
            MOST,
            ratio.median() <= MOST ? "reached" : "**lost**");
  }

  /**
   * Draws what the caches add, grouped by collectors.
   *
   * @param runs what was measured
   * @param directory where the page is
   * @param name start of the charts' names
   * @return links to the charts, in Markdown
   */
  static String charts(List<GcRun> runs, Path directory, String name) throws IOException {
    StringBuilder links = new StringBuilder();
    for (GcRow.Time time : GcRow.Time.values()) {
      String title = "added time of " + time.title() + " over the bare values";
      String chart = "charts/%s-gc-%s.svg".formatted(name, time.name()).toLowerCase(Locale.ROOT);
      if (draw(time, title, GcRow.of(runs), directory.resolve(chart))) {
        links.append("![%s](%s)%n".formatted(title, chart));
      }
    }
    return links.toString();
  }

  private static boolean draw(GcRow.Time time, String title, List<GcRow> rows, Path file)
      throws IOException {
    Set<String> collectors = new LinkedHashSet<>();
    Map<String, Map<String, Double>> byCache = new LinkedHashMap<>();
    for (GcRow row : rows) {
      Double added = row.isBare() ? null : row.added(time);
      if (added != null) {
        collectors.add(row.first().collector());
        byCache
            .computeIfAbsent(row.first().cache(), cache -> new LinkedHashMap<>())
            .put(row.first().collector(), added);
      }
    }
    if (collectors.isEmpty()) {
      return false;
    }
    Map<String, List<Double>> series = new LinkedHashMap<>();
    byCache.forEach(
        (cache, added) -> {
          List<Double> values = new ArrayList<>();
          collectors.forEach(collector -> values.add(added.getOrDefault(collector, 0.0)));
          series.put(cache, values);
        });
    Charts.bars(title, "ms", List.copyOf(collectors), series, file);
    return true;
  }
}
