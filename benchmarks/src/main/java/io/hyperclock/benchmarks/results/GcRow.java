/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs of one cache under one collector, and what they add to the bare values.
 *
 * @param runs one for each fork, at least one
 * @param bare the same without a cache; empty if not measured
 */
record GcRow(List<GcRun> runs, List<GcRun> bare) {
  static final String BARE = "no cache";
  static final String RIVAL = "Caffeine";

  /** What is measured of a run, in milliseconds. */
  enum Time {
    COLLECTION("full collection", GcRun::collectionMillis),
    MARKING("concurrent marking", GcRun::markMillis);

    private final String title;
    private final Function<GcRun, List<Double>> millis;

    Time(String title, Function<GcRun, List<Double>> millis) {
      this.title = title;
      this.millis = millis;
    }

    String title() {
      return title;
    }
  }

  /** Rows in the order of their first run. */
  static List<GcRow> of(List<GcRun> all) {
    Map<List<Object>, List<GcRun>> byName = new LinkedHashMap<>();
    for (GcRun run : all) {
      byName.computeIfAbsent(key(run, run.cache()), key -> new ArrayList<>()).add(run);
    }
    List<GcRow> rows = new ArrayList<>();
    for (List<GcRun> runs : byName.values()) {
      rows.add(new GcRow(runs, byName.getOrDefault(key(runs.get(0), BARE), List.of())));
    }
    return rows;
  }

  private static List<Object> key(GcRun run, String cache) {
    return List.of(run.collector(), run.entries(), cache);
  }

  GcRun first() {
    return runs.get(0);
  }

  boolean isBare() {
    return first().cache().equals(BARE);
  }

  boolean has(Time time) {
    return runs.stream().noneMatch(run -> time.millis.apply(run).isEmpty());
  }

  /** Medians of the forks. */
  List<Double> forks(Time time) {
    return runs.stream().map(run -> Ratio.median(time.millis.apply(run))).toList();
  }

  /** Median over forks of what the cache adds; null without a measure of the bare values. */
  @Nullable Double added(Time time) {
    return bare.isEmpty() || !has(time) ? null : Ratio.median(addedByFork(time));
  }

  /** Never negative: noise on a small number is nothing. */
  private List<Double> addedByFork(Time time) {
    double base = Ratio.median(new GcRow(bare, bare).forks(time));
    return forks(time).stream().map(millis -> Math.max(0, millis - base)).toList();
  }

  /** Added time as a share of the rival's; null where there is none to compare with. */
  @Nullable Ratio toRival(Time time, List<GcRow> rows) {
    for (GcRow rival : rows) {
      boolean same = key(rival.first(), RIVAL).equals(key(first(), RIVAL));
      if (same && rival.first().cache().equals(RIVAL) && rival != this) {
        Double theirs = rival.added(time);
        if (theirs != null && theirs > 0 && added(time) != null && !isBare()) {
          return Ratio.of(addedByFork(time), rival.addedByFork(time));
        }
      }
    }
    return null;
  }

  /** Median with the lowest and the highest fork. */
  String shown(Time time) {
    if (!has(time)) {
      return "–";
    }
    List<Double> forks = forks(time);
    double min = forks.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    double max = forks.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    return String.format(Locale.ROOT, "%.1f (%.1f–%.1f)", Ratio.median(forks), min, max);
  }

  /** Median over forks. */
  double median(Function<GcRun, ? extends Number> figure) {
    return Ratio.median(runs.stream().map(run -> figure.apply(run).doubleValue()).toList());
  }
}
