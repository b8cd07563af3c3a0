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

/** A table and a chart of what caches weigh. */
public final class FootprintSection {
  private FootprintSection() {}

  /**
   * Writes a table.
   *
   * @param footprints what was measured
   * @return rows of text, in Markdown
   */
  public static String table(List<Footprint> footprints) {
    StringBuilder text = new StringBuilder();
    text.append("| cache | room | entries | heap, bytes | direct, bytes | bytes/entry | bar | |\n");
    text.append("|---|--:|--:|--:|--:|--:|--:|---|\n");
    for (Footprint one : footprints) {
      boolean aim = one.atMostPerEntry() > 0;
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %d | %d | %d | %d | **%.1f** | %s | %s |%n",
              one.cache(),
              one.room(),
              one.entries(),
              one.heapBytes(),
              one.directBytes(),
              one.bytesPerEntry(),
              aim ? "≤ " + one.atMostPerEntry() : "–",
              !aim ? "" : one.bytesPerEntry() <= one.atMostPerEntry() ? "reached" : "**lost**"));
    }
    return text.toString();
  }

  /**
   * Draws a bar for each cache, grouped by the room.
   *
   * @param footprints what was measured
   * @param directory where the page is
   * @param name start of the chart's name
   * @return a link to the chart, in Markdown
   */
  static String chart(List<Footprint> footprints, Path directory, String name) throws IOException {
    List<String> rooms =
        footprints.stream().map(one -> Charts.size("" + one.room())).distinct().toList();
    Map<String, List<Double>> series = new LinkedHashMap<>();
    for (Footprint one : footprints) {
      series.computeIfAbsent(
          one.cache(),
          cache -> rooms.stream().map(room -> bytesPerEntry(footprints, cache, room)).toList());
    }
    String chart = "charts/%s-footprint.svg".formatted(name).toLowerCase(Locale.ROOT);
    Charts.bars("overhead per entry", "bytes", rooms, series, directory.resolve(chart));
    return "![overhead per entry](%s)%n".formatted(chart);
  }

  private static double bytesPerEntry(List<Footprint> footprints, String cache, String room) {
    return footprints.stream()
        .filter(one -> one.cache().equals(cache) && Charts.size("" + one.room()).equals(room))
        .mapToDouble(Footprint::bytesPerEntry)
        .findFirst()
        .orElse(0);
  }
}
