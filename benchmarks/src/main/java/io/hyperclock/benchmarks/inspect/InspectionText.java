/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.inspect;

import io.hyperclock.benchmarks.inspect.CacheHistory.Span;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Shows what one cache did in tables. */
final class InspectionText {
  private static final List<String> COUNTERS =
      List.of("inserts", "evictions", "replaced", "keptExisting", "dropped", "refused");

  private final PrintWriter out;

  InspectionText(PrintWriter out) {
    this.out = out;
  }

  void print(CacheHistory cache) {
    line("Cache %s", cache.name());
    if (cache.hasStatistics()) {
      printState(cache);
      if (cache.samples() > 1) {
        printTimeline(cache);
      }
      printRoles(cache);
    } else {
      line("  no statistics in this recording");
    }
    line("");
    CacheHistory.KINDS.forEach((kind, title) -> print(title, cache.incidents(kind)));
    line("");
  }

  private void printState(CacheHistory cache) {
    Sample last = cache.last();
    line("  from %s on, %.1f s, %d samples", cache.first().at(), cache.seconds(), cache.samples());
    line(
        "  at the end: usage %d of %d bytes (%s %%), pinned %d bytes, %d of %d slots in use",
        last.get("usageBytes"),
        last.get("capacityBytes"),
        percent((double) last.get("usageBytes") / Math.max(1, last.get("capacityBytes"))),
        last.get("pinnedUsageBytes"),
        last.get("occupancy"),
        last.get("slots"));
    Span all = cache.all();
    line(
        "  meanwhile: %d hits, %d misses, hit ratio %s %%",
        all.count("hits"), all.count("misses"), percent(all.hitRatio()));
  }

  private void printTimeline(CacheHistory cache) {
    List<String> roles = List.copyOf(cache.lastOfRoles().keySet());
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("until s", "hits %"));
    roles.forEach(role -> head.add(role + " %"));
    head.addAll(COUNTERS);
    head.add("usage %");
    rows.add(head);
    for (Span span : cache.spans()) {
      List<String> row = new ArrayList<>();
      row.add(String.format(Locale.ROOT, "%.1f", span.seconds()));
      row.add(percent(span.hitRatio()));
      roles.forEach(role -> row.add(percent(span.hitRatio(role))));
      COUNTERS.forEach(counter -> row.add(String.valueOf(span.count(counter))));
      row.add(
          percent(
              (double) span.to().get("usageBytes") / Math.max(1, span.to().get("capacityBytes"))));
      rows.add(row);
    }
    line("");
    line("Over time (for a role, inserts stand for misses):");
    table(rows);
  }

  private void printRoles(CacheHistory cache) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of("role", "hits", "inserts", "evictions", "entries", "bytes", "pinned", "hits %"));
    for (Map.Entry<String, Sample> role : cache.lastOfRoles().entrySet()) {
      Sample[] ends = cache.all().roles().get(role.getKey());
      Sample last = role.getValue();
      rows.add(
          List.of(
              role.getKey(),
              String.valueOf(last.since(ends[0], "hits")),
              String.valueOf(last.since(ends[0], "inserts")),
              String.valueOf(last.since(ends[0], "evictions")),
              String.valueOf(last.get("entries")),
              String.valueOf(last.get("chargeBytes")),
              String.valueOf(last.get("pinnedBytes")),
              percent(cache.all().hitRatio(role.getKey()))));
    }
    line("");
    line("By role:");
    table(rows);
  }

  private void print(String title, Incidents incidents) {
    line("%s: %s", title, incidents.count() == 0 ? "none" : incidents.count());
    incidents.greatest().forEach(incident -> line("  %s", incident.text()));
  }

  private static String percent(double ratio) {
    return Double.isNaN(ratio) ? "-" : String.format(Locale.ROOT, "%.1f", 100 * ratio);
  }

  private void table(List<List<String>> rows) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        text.append("  ").append(" ".repeat(widths[i] - row.get(i).length())).append(row.get(i));
      }
      line("%s", text);
    }
  }

  private void line(String format, Object... args) {
    out.printf(Locale.ROOT, format + "%n", args);
  }
}
