/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import io.hyperclock.benchmarks.sizing.SizingRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** Tables and a chart of a cache that sizes itself. */
final class SizingSection {
  private SizingSection() {}

  /** What was seen, in Markdown. */
  static String text(SizingRun run) {
    StringBuilder text = new StringBuilder();
    text.append(
        "| entries of, bytes | hits | with the right estimate | metadata after 2 capacities |\n");
    text.append("|--:|--:|--:|--:|\n");
    for (SizingRun.Phase phase : run.phases()) {
      line(
          text,
          "| %d | %.2f %% | %.2f %% | %.2f %% |",
          phase.charge(),
          phase.hits(),
          phase.toldHits(),
          phase.metadata());
    }
    text.append(
        "\n| insert, processor time | without an estimate | fixed size | ratio of rates |\n");
    text.append("|---|--:|--:|--:|\n");
    line(
        text,
        "| longest of all, µs | %.0f | %.0f | |",
        run.longestMicros(),
        run.longestOfFixedMicros());
    line(
        text,
        "| longest in a twentieth of the capacity, 95 of 100, µs | %.0f | %.0f | |",
        run.longestMicros95(),
        run.longestOfFixedMicros95());
    if (run.fill() > 0) {
      String filling = "| filling from empty, %d entries of 1 KiB%s, ns | %.0f | %.0f | **%.2f** |";
      line(
          text,
          filling,
          run.fill(),
          "",
          run.growingNanos(),
          run.fixedNanos(),
          run.fixedNanos() / run.growingNanos());
      line(
          text,
          filling,
          run.fill(),
          ", `initialEntries`",
          run.toldNanos(),
          run.fixedNanos(),
          run.fixedNanos() / run.toldNanos());
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /** Draws the run; a link to the chart, in Markdown. */
  static String chart(SizingRun run, Path directory, String name) throws IOException {
    String chart = "charts/%s-shift.svg".formatted(name).toLowerCase(Locale.ROOT);
    long large = run.phases().stream().mapToLong(SizingRun.Phase::charge).max().orElse(0);
    long small = run.phases().stream().mapToLong(SizingRun.Phase::charge).min().orElse(0);
    String title = "Entries of " + large + " and " + small + " bytes in turns";
    SizingChart.draw(title, run, directory.resolve(chart));
    return "![how a cache follows its entries](%s)%n".formatted(chart);
  }
}
