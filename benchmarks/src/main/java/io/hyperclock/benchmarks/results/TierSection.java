/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** What commands about tiers measured, for the report. */
final class TierSection {
  private TierSection() {}

  /**
   * A table for each run, and a chart where there are curves.
   *
   * @param directory of the page
   * @param name of the file of results, without its ending
   */
  static String of(List<TierRun> runs, Path directory, String name) throws IOException {
    StringBuilder text = new StringBuilder();
    for (TierRun run : runs) {
      text.append("\n### ").append(run.title()).append("\n\n").append(run.note()).append("\n\n");
      text.append("| ").append(String.join(" | ", run.columns())).append(" |\n");
      text.append("|").append("--:|".repeat(run.columns().size())).append('\n');
      for (List<String> row : run.rows()) {
        text.append("| ").append(String.join(" | ", row)).append(" |\n");
      }
      if (!run.hits().isEmpty()) {
        String chart = "charts/%s.svg".formatted(name).toLowerCase(Locale.ROOT);
        TimelineChart.draw(run.title(), run.hits(), directory.resolve(chart));
        text.append("\n![").append(run.title()).append("](").append(chart).append(")\n");
      }
    }
    return text.toString();
  }
}
