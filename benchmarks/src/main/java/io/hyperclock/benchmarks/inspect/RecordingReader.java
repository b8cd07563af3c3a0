/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.inspect;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Picks our events out of a flight recording. */
final class RecordingReader {
  private static final String PREFIX = "hyperclock.";
  private static final int MOST_CAUSES = 3;

  private final Map<String, CacheHistory> caches = new TreeMap<>();

  private RecordingReader() {}

  /**
   * Reads a recording to its end.
   *
   * @return caches by name, empty if none wrote anything
   * @throws IOException if it is no recording, or a broken one
   */
  static Map<String, CacheHistory> read(Path file) throws IOException {
    RecordingReader reader = new RecordingReader();
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        if (event.getEventType().getName().startsWith(PREFIX)) {
          reader.add(event);
        }
      }
    } catch (RuntimeException e) {
      throw new IOException("broken recording: " + e, e);
    }
    reader.caches.values().forEach(CacheHistory::sort);
    return reader.caches;
  }

  private void add(RecordedEvent event) {
    String kind = event.getEventType().getName().substring(PREFIX.length());
    CacheHistory cache = caches.computeIfAbsent(event.getString("cache"), CacheHistory::new);
    switch (kind) {
      case "CacheStatistics" -> cache.addTotals(sample(event));
      case "RoleStatistics" -> cache.addRole(event.getString("role"), sample(event));
      case "Problem" ->
          cache
              .incidents(kind)
              .addOnce(severity(event), event.getString("severity") + ": " + text(event));
      case "Refusal" ->
          cache
              .incidents(kind)
              .add(
                  event.getLong("chargeBytes"),
                  line(
                      "%s, chargeBytes=%d, usageBytes=%d, capacityBytes=%d",
                      entry(event),
                      event.getLong("chargeBytes"),
                      event.getLong("usageBytes"),
                      event.getLong("capacityBytes")));
      case "LongSweep" ->
          cache
              .incidents(kind)
              .add(
                  event.getLong("took"),
                  line(
                      "%s, slots=%d, pinned=%d, freed=%d%s",
                      millis(event, "took"),
                      event.getLong("slots"),
                      event.getLong("pinnedSeen"),
                      event.getLong("freedEntries"),
                      event.getBoolean("effortExceeded") ? ", given up" : ""));
      case "LongPin", "LeakedHandle" ->
          cache
              .incidents(kind)
              .add(
                  event.getLong("held"),
                  line(
                      "%s, %s, thread=%s, taken at %s",
                      millis(event, "held"),
                      entry(event),
                      event.getString("thread"),
                      place(event.getString("takenAt"))));
      case "CallbackFailure" ->
          cache
              .incidents(kind)
              .addOnce(
                  0,
                  line(
                      "%s: %s: %s",
                      event.getString("callback"), event.getString("exception"), text(event)));
      default -> {}
    }
  }

  private static int severity(RecordedEvent event) {
    return switch (event.getString("severity")) {
      case "ERROR" -> 2;
      case "WARN" -> 1;
      default -> 0;
    };
  }

  private static String text(RecordedEvent event) {
    return event.getString("message");
  }

  private static String entry(RecordedEvent event) {
    return line(
        "key=%x:%x, type=%s, role=%s",
        event.getLong("keyHi"),
        event.getLong("keyLo"),
        event.getString("type"),
        event.getString("role"));
  }

  private static String millis(RecordedEvent event, String field) {
    return line("%.3f ms", event.getDuration(field).toNanos() / 1e6);
  }

  private static String place(String frames) {
    return String.join(" < ", frames.lines().limit(MOST_CAUSES).toList());
  }

  private static String line(String format, Object... args) {
    return String.format(Locale.ROOT, format, args);
  }

  private static Sample sample(RecordedEvent event) {
    Map<String, Long> figures = new HashMap<>();
    for (ValueDescriptor field : event.getFields()) {
      if (field.getTypeName().equals("long") && !isTime(field.getName())) {
        figures.put(field.getName(), event.getLong(field.getName()));
      }
    }
    Instant at = event.getStartTime();
    return new Sample(at, figures);
  }

  private static boolean isTime(String field) {
    return field.equals("startTime") || field.equals("duration");
  }
}
