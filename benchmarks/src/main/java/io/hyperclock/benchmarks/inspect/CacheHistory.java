/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a recording says of one cache. */
final class CacheHistory {
  /** Kinds of incidents by the names of their events, with their titles. */
  static final Map<String, String> KINDS = kinds();

  private static final int MOST_SPANS = 20;

  private final String name;
  private final List<Sample> totals = new ArrayList<>();
  private final Map<String, List<Sample>> roles = new TreeMap<>();
  private final Map<String, Incidents> incidents = new LinkedHashMap<>();

  /**
   * What happened from one sample to a later one.
   *
   * @param seconds end, from the first sample on
   * @param from first sample
   * @param to last sample
   * @param roles samples of each role near those
   */
  record Span(double seconds, Sample from, Sample to, Map<String, Sample[]> roles) {
    /** Share of reads that hit, or NaN if there were none. */
    double hitRatio() {
      return ratio(to.since(from, "hits"), to.since(from, "misses"));
    }

    /** The same for a role, whose inserts stand for its misses. */
    double hitRatio(String role) {
      Sample[] ends = roles.get(role);
      return ends == null
          ? Double.NaN
          : ratio(ends[1].since(ends[0], "hits"), ends[1].since(ends[0], "inserts"));
    }

    long count(String counter) {
      return to.since(from, counter);
    }
  }

  CacheHistory(String name) {
    this.name = name;
    KINDS.keySet().forEach(kind -> incidents.put(kind, new Incidents()));
  }

  private static Map<String, String> kinds() {
    Map<String, String> kinds = new LinkedHashMap<>();
    kinds.put("Problem", "problems");
    kinds.put("Refusal", "refusals");
    kinds.put("LongSweep", "long sweeps");
    kinds.put("LongPin", "long pins");
    kinds.put("LeakedHandle", "leaked handles");
    kinds.put("CallbackFailure", "callback failures");
    return kinds;
  }

  static double ratio(long hits, long misses) {
    long reads = hits + misses;
    return reads == 0 ? Double.NaN : (double) hits / reads;
  }

  String name() {
    return name;
  }

  void addTotals(Sample sample) {
    totals.add(sample);
  }

  void addRole(String role, Sample sample) {
    roles.computeIfAbsent(role, key -> new ArrayList<>()).add(sample);
  }

  Incidents incidents(String kind) {
    return incidents.get(kind);
  }

  /** Brings what was written by several threads into order. */
  void sort() {
    totals.sort(Comparator.comparing(Sample::at));
    roles.values().forEach(samples -> samples.sort(Comparator.comparing(Sample::at)));
  }

  boolean hasStatistics() {
    return !totals.isEmpty();
  }

  int samples() {
    return totals.size();
  }

  Sample first() {
    return totals.get(0);
  }

  Sample last() {
    return totals.get(totals.size() - 1);
  }

  /** Last sample of each role. */
  Map<String, Sample> lastOfRoles() {
    Map<String, Sample> last = new TreeMap<>();
    roles.forEach((role, samples) -> last.put(role, samples.get(samples.size() - 1)));
    return last;
  }

  double seconds() {
    return seconds(last());
  }

  private double seconds(Sample sample) {
    return Duration.between(first().at(), sample.at()).toNanos() / 1e9;
  }

  /** The whole recording as one. */
  Span all() {
    return span(0, totals.size() - 1);
  }

  /** The recording in at most twenty parts of about equal numbers of samples. */
  List<Span> spans() {
    List<Span> spans = new ArrayList<>();
    int steps = totals.size() - 1;
    int parts = Math.min(MOST_SPANS, steps);
    for (int part = 0; part < parts; part++) {
      spans.add(
          span((int) ((long) steps * part / parts), (int) ((long) steps * (part + 1) / parts)));
    }
    return spans;
  }

  /** From each sample to the next. */
  List<Span> steps() {
    List<Span> spans = new ArrayList<>();
    for (int i = 1; i < totals.size(); i++) {
      spans.add(span(i - 1, i));
    }
    return spans;
  }

  private Span span(int from, int to) {
    Map<String, Sample[]> ends = new TreeMap<>();
    roles.forEach(
        (role, samples) -> ends.put(role, new Sample[] {near(samples, from), near(samples, to)}));
    return new Span(seconds(totals.get(to)), totals.get(from), totals.get(to), ends);
  }

  /**
   * The sample of a role that belongs to a sample of the totals: both are written at about the same
   * moment, in any order. Zeros before its first.
   */
  private Sample near(List<Sample> samples, int total) {
    if (total == totals.size() - 1) {
      return samples.get(samples.size() - 1);
    }
    Instant at = totals.get(total).at();
    Instant latest = middle(at, totals.get(total + 1).at());
    int next = firstNotBefore(samples, at);
    Sample before = next == 0 ? new Sample(at, Map.of()) : samples.get(next - 1);
    if (next < samples.size()) {
      Sample after = samples.get(next);
      boolean closer = next == 0 || distance(after, at).compareTo(distance(before, at)) <= 0;
      if (closer && !after.at().isAfter(latest)) {
        return after;
      }
    }
    return before;
  }

  private static int firstNotBefore(List<Sample> samples, Instant at) {
    int from = 0;
    int to = samples.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (samples.get(middle).at().isBefore(at)) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private static Instant middle(Instant from, Instant to) {
    return from.plus(Duration.between(from, to).dividedBy(2));
  }

  private static Duration distance(Sample sample, Instant at) {
    return Duration.between(sample.at(), at).abs();
  }
}
