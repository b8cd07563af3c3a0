/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.inspect;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.hyperclock.benchmarks.inspect.CacheHistory.Span;
import io.hyperclock.benchmarks.results.TimelineChart;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the caches of a recording did, as a table, a chart or JSON. */
public final class Inspection {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls().create();

  private final Path recording;
  private final Collection<CacheHistory> caches;

  private Inspection(Path recording, Collection<CacheHistory> caches) {
    this.recording = recording;
    this.caches = caches;
  }

  /**
   * Reads a recording.
   *
   * @param recording the file
   * @param cache name of the one cache to show, or null for all
   * @return what it holds
   * @throws IllegalArgumentException if it is no whole recording, or holds nothing of these caches
   */
  public static Inspection of(Path recording, @Nullable String cache) {
    require(
        Files.isRegularFile(recording) && Files.isReadable(recording),
        "recording must be a file that can be read: recording=" + recording);
    Map<String, CacheHistory> found;
    try {
      found = RecordingReader.read(recording);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "recording must be a whole flight recording: recording="
              + recording
              + ", reason="
              + e.getMessage(),
          e);
    }
    require(
        !found.isEmpty(),
        "recording must hold events of a cache (give JfrEvents to its builder): recording="
            + recording);
    if (cache == null) {
      return new Inspection(recording, found.values());
    }
    require(
        found.containsKey(cache),
        "--cache must be one of " + String.join(", ", found.keySet()) + ": cache=" + cache);
    return new Inspection(recording, List.of(found.get(cache)));
  }

  private static void require(boolean valid, String rule) {
    if (!valid) {
      throw new IllegalArgumentException(rule);
    }
  }

  /**
   * Shows everything as text.
   *
   * @param out where to
   */
  public void print(PrintWriter out) {
    for (CacheHistory cache : caches) {
      new InspectionText(out).print(cache);
    }
    out.flush();
  }

  /**
   * Draws hit ratios over time by role; with several caches, of all of them.
   *
   * @param file SVG to write
   * @throws IllegalArgumentException if no cache counted reads
   */
  public void draw(Path file) throws IOException {
    Map<String, List<double[]>> curves = new LinkedHashMap<>();
    for (CacheHistory cache : caches) {
      String prefix = caches.size() == 1 ? "" : cache.name() + " ";
      if (cache.hasStatistics()) {
        addCurves(curves, prefix, cache);
      }
    }
    require(
        !curves.isEmpty(),
        "recording must hold hits, which caches count with recordHits(true), in two samples or"
            + " more: recording="
            + recording);
    String title = caches.size() == 1 ? caches.iterator().next().name() : "all caches";
    TimelineChart.draw("Hit ratio over time: " + title, curves, file);
  }

  private static void addCurves(
      Map<String, List<double[]>> curves, String prefix, CacheHistory cache) {
    for (Span span : cache.steps()) {
      addPoint(curves, prefix + "all reads", span.seconds(), span.hitRatio());
      for (String role : span.roles().keySet()) {
        addPoint(curves, prefix + role, span.seconds(), span.hitRatio(role));
      }
    }
  }

  private static void addPoint(
      Map<String, List<double[]>> curves, String name, double seconds, double ratio) {
    if (!Double.isNaN(ratio)) {
      curves
          .computeIfAbsent(name, key -> new ArrayList<>())
          .add(new double[] {seconds, 100 * ratio});
    }
  }

  /**
   * Writes everything as JSON.
   *
   * @param file where to
   */
  public void write(Path file) throws IOException {
    JsonArray all = new JsonArray();
    for (CacheHistory cache : caches) {
      all.add(json(cache));
    }
    JsonObject root = new JsonObject();
    root.addProperty("recording", String.valueOf(recording.getFileName()));
    root.add("caches", all);
    Files.writeString(file, GSON.toJson(root) + "\n");
  }

  private static JsonObject json(CacheHistory cache) {
    JsonObject json = new JsonObject();
    json.addProperty("cache", cache.name());
    if (cache.hasStatistics()) {
      json.addProperty("from", cache.first().at().toString());
      json.addProperty("to", cache.last().at().toString());
      json.addProperty("samples", cache.samples());
      json.add("last", figures(cache.last()));
      JsonObject roles = new JsonObject();
      cache.lastOfRoles().forEach((role, sample) -> roles.add(role, figures(sample)));
      json.add("lastByRole", roles);
      JsonArray timeline = new JsonArray();
      cache.steps().forEach(span -> timeline.add(json(span)));
      json.add("timeline", timeline);
    }
    JsonObject incidents = new JsonObject();
    CacheHistory.KINDS.keySet().forEach(kind -> incidents.add(kind, json(cache.incidents(kind))));
    json.add("events", incidents);
    return json;
  }

  private static JsonObject figures(Sample sample) {
    JsonObject json = new JsonObject();
    new TreeMap<>(sample.figures()).forEach(json::addProperty);
    return json;
  }

  private static JsonObject json(Span span) {
    JsonObject json = new JsonObject();
    json.addProperty("seconds", Math.round(span.seconds() * 1000) / 1000.0);
    json.add("hitRatio", number(span.hitRatio()));
    JsonObject roles = new JsonObject();
    span.roles().keySet().forEach(role -> roles.add(role, number(span.hitRatio(role))));
    json.add("hitRatioByRole", roles);
    for (String counter : List.of("hits", "misses", "inserts", "evictions", "refused")) {
      json.addProperty(counter, span.count(counter));
    }
    json.addProperty("usageBytes", span.to().get("usageBytes"));
    return json;
  }

  private static JsonElement number(double ratio) {
    return Double.isNaN(ratio)
        ? JsonNull.INSTANCE
        : new JsonPrimitive(Double.parseDouble(String.format(Locale.ROOT, "%.6f", ratio)));
  }

  private static JsonObject json(Incidents incidents) {
    JsonObject json = new JsonObject();
    json.addProperty("count", incidents.count());
    JsonArray greatest = new JsonArray();
    incidents.greatest().forEach(incident -> greatest.add(incident.text()));
    json.add("greatest", greatest);
    return json;
  }
}
