/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.lucene;

import java.util.Locale;

/** What one run came to; written as a line by one process and read by another. */
record SearchMeasurement(
    Contender contender,
    double percent,
    long delayMicros,
    double queriesPerSecond,
    double cpuMillis,
    double hitRatio,
    long reads,
    long bytes,
    long poolBytes,
    long budgetBytes,
    long check) {
  private static final String MARK = "measured ";

  String toLine() {
    return MARK
        + String.format(
            Locale.ROOT,
            "%s %s %d %.3f %.3f %.6f %d %d %d %d %d",
            contender,
            percent,
            delayMicros,
            queriesPerSecond,
            cpuMillis,
            hitRatio,
            reads,
            bytes,
            poolBytes,
            budgetBytes,
            check);
  }

  static boolean isLine(String line) {
    return line.startsWith(MARK);
  }

  static SearchMeasurement fromLine(String line) {
    String[] parts = line.substring(MARK.length()).split(" ");
    return new SearchMeasurement(
        Contender.valueOf(parts[0]),
        Double.parseDouble(parts[1]),
        Long.parseLong(parts[2]),
        Double.parseDouble(parts[3]),
        Double.parseDouble(parts[4]),
        Double.parseDouble(parts[5]),
        Long.parseLong(parts[6]),
        Long.parseLong(parts[7]),
        Long.parseLong(parts[8]),
        Long.parseLong(parts[9]),
        Long.parseLong(parts[10]));
  }
}
