/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands that measure something else than speed. */
final class FiguresCommandsTest {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    return line.execute(args);
  }

  private String page() throws IOException {
    assertThat(run("report", "--results", directory.toString())).as("%s", err).isZero();
    return Files.readString(directory.resolve("README.md"));
  }

  @Test
  void measuresCollectionsAndReportsThem() throws IOException {
    String json = directory.resolve("small.json").toString();
    String command =
        "gc --entries 5000 --rounds 2 --forks 1 --heap 64m --collectors g1 --caches none,off_heap";
    assertThat(run((command + " --json " + json).split(" "))).as("%s", err).isZero();

    assertThat(out.toString())
        .contains("| G1 | no cache | 5000 |", "| G1 | HyperClock, slots off heap | 5000 |");
    assertThat(page())
        .contains("### B8 · Garbage collection", "| G1 | HyperClock, slots off heap | 5000 |")
        .contains("(charts/small-gc-collection.svg)", "(charts/small-gc-marking.svg)");
  }

  @Test
  void showsHowATableFollowsItsEntries() throws IOException {
    Path json = directory.resolve("sizing.json");
    Path chart = directory.resolve("sizing.svg");
    String command = "sizing --capacity 4194304 --phases 2 --turnovers 2 --fill 2000 --rounds 1";
    assertThat(run((command + " --json " + json + " --chart " + chart).split(" ")))
        .as("%s", err)
        .isZero();

    assertThat(out.toString())
        .containsPattern("entries of 64,000 bytes: [\\d.]+ % hits, [\\d.]+ % with the right")
        .containsPattern("entries of 64 bytes: [\\d.]+ % hits, [\\d.]+ % with the right")
        .containsPattern("insert into an empty cache of 2,000 entries: \\d+ ns growing");
    JsonObject result = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    result = result.getAsJsonObject("sizing");
    JsonArray samples = result.getAsJsonArray("samples");
    assertThat(result.getAsJsonArray("fixedLongestMicros")).hasSameSizeAs(samples);
    long large = slots(samples, 15);
    long small = slots(samples, samples.size() - 1);
    assertThat(large).isLessThan(2_000);
    assertThat(small).isGreaterThan(20 * large);
    assertThat(result.get("resizes").getAsLong()).isPositive();
    for (JsonElement phase : result.getAsJsonArray("phases")) {
      double hits = phase.getAsJsonObject().get("hits").getAsDouble();
      double told = phase.getAsJsonObject().get("toldHits").getAsDouble();
      assertThat(hits).isBetween(told - 20, told + 20).isGreaterThan(20);
    }
    assertThat(page())
        .contains(
            "### A cache without an estimate", "| filling from empty, 2000 entries of 1 KiB, ns |")
        .contains("(charts/sizing-shift.svg)");
    assertThat(directory.resolve("charts/sizing-shift.svg")).isNotEmptyFile();
    // Text is drawn as outlines.
    assertThat(Files.readString(chart)).startsWith("<?xml").contains("<path", "</svg>");
  }

  private static long slots(JsonArray samples, int place) {
    return samples.get(place).getAsJsonObject().get("slots").getAsLong();
  }

  @Test
  void saysWhichJvmFailed() {
    assertThat(run("gc --entries 50000 --heap 2m --forks 1 --caches caffeine".split(" ")))
        .isEqualTo(1);
    assertThat(err.toString().lines().reduce("", (a, b) -> b))
        .startsWith("a JVM must end well: collector=G1, cache=Caffeine, output=");
  }

  @Test
  void reportsAddedTimeBesideTheRival() throws IOException {
    String run =
        """
        {"collector": "G1", "cache": "%s", "entries": 10, "fork": 1, "collectionMillis": [%s],
         "markMillis": [%s], "heapUsedBytes": 1048576, "directBytes": 0, "bytesPerRead": 24.0}\
        """;
    Files.writeString(
        directory.resolve("some.json"),
        """
        {"date": "today", "machine": "a machine", "command": "gc", "runs": [], "allocations": [],
         "collections": [%s, %s, %s]}
        """
            .formatted(
                run.formatted("no cache", "9.0, 10.0, 11.0", "1.0"),
                run.formatted("HyperClock", "20.0", "2.0"),
                run.formatted("Caffeine", "110.0", "3.0")));

    assertThat(page())
        .contains(
            "| G1 | HyperClock | 10 | 20.0 (20.0–20.0) | 10.0 | **0.10** (0.10–0.10) | ≤ 0.2"
                + " reached | 2.0 (2.0–2.0) | 1.0 | **0.50** (0.50–0.50) | ≤ 0.2 **lost** | 1.0 |"
                + " 0.0 | 24.0 |");
  }

  @Test
  void weighsCachesAndReportsThem() throws IOException {
    String json = directory.resolve("small.json").toString();
    assertThat(run("footprint", "--size", "1024,2048", "--json", json)).as("%s", err).isZero();

    assertThat(page())
        .contains("### B7 · Overhead in bytes per entry")
        .contains("| HyperClock, classic, heap | 2048 |", "| ≤ 64 |")
        .contains("| HyperClock, adaptive, off heap | 2048 |", "| ≤ 76 |")
        .contains("| Caffeine | 2048 | 2048 |")
        .contains("(charts/small-footprint.svg)");
  }
}
