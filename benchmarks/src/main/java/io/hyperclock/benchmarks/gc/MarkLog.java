/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.gc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads how long concurrent marking took from the log of a JVM. */
final class MarkLog {
  /** Flag that writes the lines this class reads. */
  static final String FLAG = "-Xlog:gc,gc+phases,gc+marking:file=%s:tags";

  /** Of generational ZGC the young (Y, y) and the old (O) part of one collection count together. */
  private static final Pattern MARK =
      Pattern.compile("GC\\((\\d+)\\) (?:[YyO]: )?Concurrent Mark(?: \\([^)]*\\))? ([0-9.]+)ms");

  private MarkLog() {}

  /** Milliseconds of marking of each collection that marked, in their order. */
  static List<Double> read(Iterable<String> lines) {
    Map<String, Double> byCollection = new LinkedHashMap<>();
    for (String line : lines) {
      Matcher mark = MARK.matcher(line);
      if (mark.find()) {
        byCollection.merge(mark.group(1), Double.valueOf(mark.group(2)), Double::sum);
      }
    }
    return new ArrayList<>(byCollection.values());
  }
}
