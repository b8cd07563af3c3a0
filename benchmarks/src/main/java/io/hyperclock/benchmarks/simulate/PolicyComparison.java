/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import io.hyperclock.benchmarks.results.HitRatio;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Sets measured hit ratios beside expected ones. Differences are in points, 100 to a ratio of 1.
 */
public final class PolicyComparison {
  /** Capacity from which on the adaptive policy is judged. */
  private static final long MIN_CAPACITY = 1000;

  private final Map<Policy, String> columns;
  private final ExpectedRatios expected;
  private final Map<String, Map<String, Double>> rows = new LinkedHashMap<>();
  private final Map<String, List<Difference>> byPair = new LinkedHashMap<>();
  private int unknown;

  private record Difference(String trace, long capacity, double points) {}

  /**
   * Starts a comparison.
   *
   * @param expected what to compare with
   * @param columns the column of each policy
   */
  public PolicyComparison(ExpectedRatios expected, Map<Policy, String> columns) {
    this.expected = expected;
    this.columns = columns;
  }

  /**
   * Adds the ratios of all policies at one point.
   *
   * @param measured ratios of one trace and one capacity, at least one
   */
  public void add(List<HitRatio> measured) {
    HitRatio first = measured.get(0);
    Map<String, Double> row = new LinkedHashMap<>();
    for (HitRatio ours : measured) {
      Policy policy = Policy.valueOf(ours.policy().toUpperCase(Locale.ROOT));
      compare(ours, columns.get(policy), row);
      if (policy == Policy.ADAPTIVE) {
        compare(ours, columns.get(Policy.CAFFEINE), row);
        compare(ours, columns.get(Policy.CLASSIC), row);
        for (HitRatio theirs : measured) {
          if (theirs.policy().equals(Policy.CAFFEINE.label())
              || theirs.policy().equals(Policy.CLASSIC.label())) {
            put(ours, ours.policy() + "-" + theirs.policy(), theirs.ratio(), row);
          }
        }
      }
    }
    if (row.isEmpty()) {
      unknown++;
    } else {
      rows.put(String.format(Locale.ROOT, "%-16s %9d", first.trace(), first.capacity()), row);
    }
  }

  private void compare(HitRatio ours, String column, Map<String, Double> row) {
    OptionalDouble theirs = expected.ratio(ours.trace(), ours.capacity(), column);
    if (theirs.isPresent()) {
      put(ours, ours.policy() + "-[" + column + "]", theirs.getAsDouble(), row);
    }
  }

  private void put(HitRatio ours, String pair, double theirs, Map<String, Double> row) {
    double points = 100 * (ours.ratio() - theirs);
    row.put(pair, points);
    byPair
        .computeIfAbsent(pair, key -> new ArrayList<>())
        .add(new Difference(ours.trace(), ours.capacity(), points));
  }

  /**
   * Prints all points and a summary.
   *
   * @param out where to
   */
  public void print(PrintWriter out) {
    List<String> pairs = List.copyOf(byPair.keySet());
    out.printf(
        "%nDifferences in points; [names] are columns of the file%n%-16s %9s", "trace", "capacity");
    pairs.forEach(pair -> out.printf("  %s", pair));
    out.println();
    rows.forEach(
        (name, row) -> {
          out.print(name);
          pairs.forEach(pair -> out.printf("  %" + pair.length() + "s", format(row.get(pair))));
          out.println();
        });
    if (unknown > 0) {
      out.printf("Not compared, as the file does not have them: points=%d%n", unknown);
    }
    out.println();
    byPair.forEach(
        (pair, all) -> {
          summary(out, pair, "all", all);
          summary(
              out,
              pair,
              ">= " + MIN_CAPACITY,
              all.stream().filter(d -> d.capacity >= MIN_CAPACITY).toList());
        });
  }

  private static void summary(PrintWriter out, String pair, String which, List<Difference> all) {
    if (!all.isEmpty()) {
      Difference lowest = all.stream().min(Comparator.comparing(Difference::points)).orElseThrow();
      Difference highest = all.stream().max(Comparator.comparing(Difference::points)).orElseThrow();
      out.printf(
          Locale.ROOT,
          "%-22s %-7s %3d cases: mean %+6.2f, lowest %+6.2f (%s %d), highest %+6.2f (%s %d)%n",
          pair,
          which,
          all.size(),
          all.stream().mapToDouble(Difference::points).average().orElseThrow(),
          lowest.points,
          lowest.trace,
          lowest.capacity,
          highest.points,
          highest.trace,
          highest.capacity);
    }
  }

  private static String format(Double points) {
    return points == null ? "" : String.format(Locale.ROOT, "%+.2f", points);
  }
}
