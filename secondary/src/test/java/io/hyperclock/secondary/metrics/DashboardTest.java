/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hyperclock.BlockCache;
import io.hyperclock.metrics.HyperClockMetrics;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.testing.DiskWriters;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard asks for series that a Prometheus registry has, by labels that they carry. */
class DashboardTest {
  private static final Path DASHBOARD = Path.of("docs", "grafana-dashboard.json");
  private static final Pattern SERIES = Pattern.compile("\\b((?:hyperclock|cache)_\\w+)");
  private static final Pattern LABEL = Pattern.compile("\\{\\{(\\w+)}}");
  private static final Pattern BY = Pattern.compile("by \\(([\\w, ]+)\\)");
  private static final Pattern SELECTED = Pattern.compile("(\\w+)=~?\"([^\"]*)\"");
  private static final Pattern SCRAPED = Pattern.compile("(?m)^(\\w+)\\{([^}]*)}");

  @TempDir private Path directory;
  @RegisterExtension final DiskWriters writers = new DiskWriters();

  private record Target(String expression, String legend) {}

  @Test
  void asksForWhatIsThere() throws IOException {
    Map<String, Map<String, Set<String>>> there = scraped();
    List<Target> targets = targets();
    assertThat(targets).hasSizeGreaterThan(20);
    for (Target target : targets) {
      Set<String> series = found(SERIES, target.expression, 1);
      assertThat(series).as(target.expression).isNotEmpty();
      for (String name : series) {
        assertThat(there).as(target.expression).containsKey(name);
        Set<String> labels = there.get(name).keySet();
        assertThat(labels).as(target.legend).containsAll(found(LABEL, target.legend, 1));
        for (String by : found(BY, target.expression, 1)) {
          assertThat(labels).as(target.expression).contains(by.split(", "));
        }
        assertSelected(there.get(name), target.expression);
      }
    }
  }

  /** Without an aggregation a label that the legend leaves out makes series that look alike. */
  @Test
  void aggregatedSeriesAreToldApart() throws IOException {
    for (Target target : targets()) {
      for (String by : found(BY, target.expression, 1)) {
        assertThat(by.split(", ")).as(target.legend).containsAll(found(LABEL, target.legend, 1));
      }
    }
  }

  private static void assertSelected(Map<String, Set<String>> labels, String expression) {
    Matcher selected = SELECTED.matcher(expression);
    while (selected.find()) {
      assertThat(labels).as(expression).containsKey(selected.group(1));
      if (!selected.group(2).startsWith("$")) {
        assertThat(labels.get(selected.group(1))).as(expression).contains(selected.group(2));
      }
    }
  }

  private static List<Target> targets() throws IOException {
    JsonArray panels =
        JsonParser.parseString(Files.readString(DASHBOARD))
            .getAsJsonObject()
            .getAsJsonArray("panels");
    List<Target> targets = new ArrayList<>();
    for (JsonElement panel : panels) {
      JsonArray asked = panel.getAsJsonObject().getAsJsonArray("targets");
      if (asked != null) {
        for (JsonElement element : asked) {
          JsonObject target = element.getAsJsonObject();
          targets.add(
              new Target(
                  target.get("expr").getAsString(), target.get("legendFormat").getAsString()));
        }
      }
    }
    return targets;
  }

  private static Set<String> found(Pattern pattern, String text, int group) {
    Set<String> found = new TreeSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(group));
    }
    return found;
  }

  /** Name to label to values. */
  private Map<String, Map<String, Set<String>>> scraped() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (TieredBlockCache<byte[]> cache =
            TieredBlockCache.builder(
                    BlockCache.<byte[]>builder()
                        .capacityBytes(1 << 20)
                        .estimatedEntryCharge(4096)
                        .recordHits(true))
                .tier(
                    DiskSecondaryCache.builder()
                        .directory(directory.resolve("tier"))
                        .capacityBytes(64 << 20)
                        .build())
                .build();
        HyperClockMetrics primary = new HyperClockMetrics(cache.primary(), "blocks", Tags.empty());
        TieredMetrics tiers = new TieredMetrics(cache, "blocks", Tags.empty())) {
      primary.bindTo(registry);
      tiers.bindTo(registry);
      Map<String, Map<String, Set<String>>> there = new HashMap<>();
      Matcher line = SCRAPED.matcher(registry.scrape());
      while (line.find()) {
        Map<String, Set<String>> labels =
            there.computeIfAbsent(line.group(1), name -> new HashMap<>());
        Matcher label = SELECTED.matcher(line.group(2));
        while (label.find()) {
          labels.computeIfAbsent(label.group(1), name -> new TreeSet<>()).add(label.group(2));
        }
      }
      return there;
    }
  }
}
