/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import io.hyperclock.benchmarks.results.HitRatio;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Hit ratios as text. */
public final class RatioTable {
  /** First line of the CSV text. */
  public static final String CSV_HEADER = "trace,capacity,policy,requests,hits,hit_ratio";

  private RatioTable() {}

  /**
   * A line of CSV.
   *
   * @param point what to write
   * @return the line
   */
  public static String csv(HitRatio point) {
    return String.format(
        Locale.ROOT,
        "%s,%d,%s,%d,%d,%.5f",
        point.trace().replace(',', '_'),
        point.capacity(),
        point.policy(),
        point.requests(),
        point.hits(),
        point.ratio());
  }

  /**
   * Prints the head of a table.
   *
   * @param trace the trace it is about
   * @param policies its columns
   * @param out where to
   */
  public static void head(Trace trace, List<Policy> policies, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%n%s: %,d requests, %,d distinct keys%s; hit ratio in %%%n%12s",
        trace.name(),
        trace.requests(),
        trace.distinct(),
        trace.weighted() ? String.format(Locale.ROOT, " of size %,d", trace.totalSize()) : "",
        "capacity");
    policies.forEach(policy -> out.printf(" %9s", policy.label()));
    out.println();
    out.flush();
  }

  /**
   * Prints a line of a table.
   *
   * @param points ratios at one capacity, at least one
   * @param out where to
   */
  public static void row(List<HitRatio> points, PrintWriter out) {
    out.printf(Locale.ROOT, "%12d", points.get(0).capacity());
    points.forEach(point -> out.printf(Locale.ROOT, " %9.2f", 100 * point.ratio()));
    out.println();
    out.flush();
  }
}
