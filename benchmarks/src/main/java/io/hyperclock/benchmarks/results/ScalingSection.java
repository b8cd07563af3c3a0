/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Two threads against one, beside a bare map's. */
final class ScalingSection {
  private static final double MAP_SCALES = 1.8;
  private static final double READS_SCALE = 1.6;

  private ScalingSection() {}

  /**
   * Makes the table.
   *
   * @param shown measurements of a bar
   * @return lines of text, empty if nothing was measured with both one and two threads
   */
  static String table(List<BenchmarkMeasurement> shown) {
    StringBuilder text = new StringBuilder();
    for (BenchmarkMeasurement one : shown) {
      Optional<Ratio> scaling = scaling(one, shown);
      if (one.id().threads() == 1 && scaling.isPresent()) {
        Optional<Ratio> map = map(one.id(), shown);
        text.append(
            String.format(
                Locale.ROOT,
                "| %s | %s | **%.2f** (%.2f–%.2f) | %s | %s |%n",
                one.id().benchmark().replaceAll(".*\\.", ""),
                one.id().settings(),
                scaling.get().median(),
                scaling.get().min(),
                scaling.get().max(),
                map.map(ratio -> String.format(Locale.ROOT, "%.2f", ratio.median())).orElse("–"),
                verdict(one.id(), scaling.get().median(), map)));
      }
    }
    return text.isEmpty()
        ? ""
        : "\nTwo threads against one:\n\n| benchmark | settings | ratio | the map's | |\n"
            + "|---|---|--:|--:|---|\n"
            + text;
  }

  private static Optional<Ratio> scaling(
      BenchmarkMeasurement one, List<BenchmarkMeasurement> shown) {
    BenchmarkMeasurement.Id wanted =
        new BenchmarkMeasurement.Id(one.id().benchmark(), one.id().params(), 2);
    return shown.stream()
        .filter(two -> two.id().equals(wanted))
        .findFirst()
        .map(two -> Ratio.of(two.forks(), one.forks()));
  }

  private static Optional<Ratio> map(
      BenchmarkMeasurement.Id ours, List<BenchmarkMeasurement> shown) {
    return shown.stream()
        .filter(
            m ->
                m.id().threads() == 1
                    && m.id().benchmark().matches(".*\\.concurrentHashMap(NewKey)?")
                    && m.id().params().equals(ours.params()))
        .reduce((first, last) -> last)
        .flatMap(m -> scaling(m, shown));
  }

  private static String verdict(BenchmarkMeasurement.Id id, double ratio, Optional<Ratio> map) {
    if (map.isEmpty() || !id.benchmark().contains(".hyperclock")) {
      return "";
    }
    double ofMap = map.get().median();
    if (id.benchmark().contains("Insert")) {
      return ratio >= ofMap ? "reached" : "**lost**";
    }
    return ofMap < MAP_SCALES ? "" : ratio >= READS_SCALE ? "reached" : "**lost**";
  }
}
