/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The performance section of the project's README has the figures that are recorded, and so has the
 * comparison with other caches.
 */
class ReadmeFiguresTest {
  private static final Path RESULTS = Path.of("results");
  private static final Path COMPARISON = Path.of("../core/docs/comparison.md");
  private static final Pattern RANGE = Pattern.compile("\\*\\*([0-9.]+)(?: to ([0-9.]+))?\\*\\*");

  private static String performance() throws IOException {
    String readme = Files.readString(Path.of("../README.md"));
    int start = readme.indexOf("\n## Performance\n");
    assertThat(start).as("section on performance").isNotNegative();
    return readme.substring(start, readme.indexOf("\n## ", start + 1));
  }

  private static List<String> table() throws IOException {
    return performance().lines().filter(line -> line.startsWith("| ")).skip(1).toList();
  }

  private static String row(String start) throws IOException {
    List<String> rows = table().stream().filter(row -> row.startsWith("| " + start)).toList();
    assertThat(rows).as("rows that begin with %s", start).hasSize(1);
    return rows.get(0);
  }

  /** Lowest and highest ratio of the rows of the summary that begin so, with two decimals. */
  private static String recorded(String... starts) throws IOException {
    List<Double> bounds = new ArrayList<>();
    for (String row : Files.readAllLines(RESULTS.resolve("SUMMARY.md"))) {
      Matcher range = RANGE.matcher(row);
      if (Stream.of(starts).anyMatch(row::startsWith)
          && !row.contains(", CPU time |")
          && range.find()) {
        bounds.add(Double.valueOf(range.group(1)));
        bounds.add(Double.valueOf(range.group(range.group(2) == null ? 1 : 2)));
      }
    }
    assertThat(bounds).hasSize(2 * starts.length);
    return range(bounds);
  }

  private static String range(List<Double> values) {
    return String.format(
        Locale.ROOT,
        "%.2f to %.2f",
        values.stream().min(Double::compare).orElseThrow(),
        values.stream().max(Double::compare).orElseThrow());
  }

  @Test
  void theTableHasEightRows() throws IOException {
    assertThat(table()).hasSize(8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "`get` |; | B1 | Reads without a pin: get | caffeine | STEADY | 17",
        "`get` of absent keys; | ABSENT | Reads of absent keys: absent | caffeineNewKey | STEADY |"
            + " 17",
        "pinned read; | B2 | Reads with a pin: pin | caffeineCounted | STEADY | 17",
        "get or insert; | B4 | Inserts that evict: get or insert, 99 % hits | caffeine | STEADY |"
            + " 17",
        "get or insert; | B4 | Inserts that evict: get or insert, 90 % hits | caffeine | STEADY |"
            + " 17",
        "get or insert; | B4 | Inserts that evict: get or insert, 50 % hits | caffeine | STEADY |"
            + " 17",
        "get or insert; | B4 | Inserts that evict: insert | caffeine | STEADY | 17",
      })
  void rangesAreThoseOfTheSummary(String row, String summary) throws IOException {
    assertThat(row(row)).contains(" " + recorded(summary) + " ");
  }

  @ParameterizedTest
  @ValueSource(ints = {17, 25})
  void theRangeOfCaffeinesOwnSetUpsCoversAllOfThem(int jdk) throws IOException {
    List<Double> ratios = new ArrayList<>();
    for (String line : Files.readAllLines(RESULTS.resolve("SUMMARY.md"))) {
      Matcher ratio = RANGE.matcher(line);
      if (line.startsWith("| B5 |")
          && line.contains("| " + jdk + " |")
          && !line.contains(", CPU time |")
          && ratio.find()) {
        ratios.add(Double.valueOf(ratio.group(1)));
      }
    }
    assertThat(ratios).hasSizeGreaterThan(5);
    assertThat(jdk == 17 ? row("Caffeine's own set-ups") : sentence("On JDK 25"))
        .contains(jdk == 17 ? "**" + range(ratios) + "**" : "set-ups " + range(ratios));
    double times = 1 / ratios.stream().min(Double::compare).orElseThrow();
    String words = jdk == 17 ? "up to %.1f times" : " %.1f on JDK 25";
    assertThat(Files.readString(COMPARISON))
        .contains("| Caffeine's own set-ups | Caffeine | STEADY | " + jdk + " | " + range(ratios))
        .contains(String.format(Locale.ROOT, words, times));
  }

  @Test
  void hitRatiosAreTheMeansOfAllTraces() throws IOException {
    Map<String, Map<String, Double>> cells = new TreeMap<>();
    for (HitRatio point : ResultFile.read(RESULTS.resolve("hit-ratio.json")).hitRatios()) {
      cells
          .computeIfAbsent(point.trace() + " " + point.capacity(), cell -> new TreeMap<>())
          .put(point.policy(), 100 * point.ratio());
    }
    long traces = cells.keySet().stream().map(cell -> cell.split(" ")[0]).distinct().count();

    assertThat(row("hit ratio"))
        .contains(cells.size() + " capacities of " + traces + " traces")
        .contains(gain(cells, "caffeine") + " points")
        .contains(gain(cells, "classic") + " over a classic CLOCK");
  }

  private static String gain(Map<String, Map<String, Double>> cells, String rival) {
    double mean =
        cells.values().stream()
            .collect(Collectors.averagingDouble(cell -> cell.get("adaptive") - cell.get(rival)));
    return String.format(Locale.ROOT, "%+.1f", mean);
  }

  @Test
  void lookupsOfAccumuloAreThoseOfTheReport() throws IOException {
    Map<String, Double> ours = new TreeMap<>();
    Map<String, Double> theirs = new TreeMap<>();
    for (String line : Files.readAllLines(RESULTS.resolve("accumulo-rfile/report.md"))) {
      String[] cells = line.split(" \\| ");
      if (cells[0].equals("| HyperClock")) {
        ours.put(cells[1], number(cells[2]));
      } else if (cells[0].equals("| Accumulo TinyLFU (Caffeine)")) {
        theirs.put(cells[1], number(cells[2]));
      }
    }
    assertThat(ours).isNotEmpty().containsOnlyKeys(theirs.keySet());
    assertThat(row("Accumulo RFile"))
        .contains(
            range(ours.keySet().stream().map(size -> ours.get(size) / theirs.get(size)).toList()));
  }

  @Test
  void bytesOfAnEntryAreThoseRecorded() throws IOException {
    Map<String, Long> bytes =
        ResultFile.read(RESULTS.resolve("footprint-jdk17.json")).footprints().stream()
            .filter(footprint -> footprint.room() == 65_536)
            .collect(
                Collectors.toMap(Footprint::cache, print -> Math.round(print.bytesPerEntry())));
    assertThat(row("memory per entry"))
        .contains(
            bytes.get("HyperClock, adaptive, heap")
                + " · "
                + bytes.get("HyperClock, adaptive, heap, sizes itself")
                + " against "
                + bytes.get("Caffeine")
                + " ");
  }

  @Test
  void whatIsSaidBelowTheTableIsRecorded() throws IOException {
    List<Double> ratios = new ArrayList<>();
    for (String line : Files.readAllLines(RESULTS.resolve("README.md"))) {
      Matcher ratio = RANGE.matcher(line);
      if (line.startsWith("| HyperClock pin") && line.contains("_hyper_clock") && ratio.find()) {
        ratios.add(Double.valueOf(ratio.group(1)));
      }
    }
    assertThat(ratios).hasSizeGreaterThan(5);
    assertThat(performance().replace('\n', ' '))
        .contains("cache_bench` HyperClock reaches " + range(ratios) + " times")
        .contains(
            "`get` reaches "
                + recorded(
                    "| B1 | Reads without a pin: get | concurrentHashMap | STEADY | 17",
                    "| B1 | Reads without a pin: get | concurrentHashMapNewKey | STEADY | 17")
                + ".");
  }

  /** A sentence of the section on performance, the first with these words. */
  private static String sentence(String words) throws IOException {
    return Stream.of(performance().replaceAll("\\s+", " ").split("(?<=[.:]) "))
        .filter(sentence -> sentence.contains(words))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "A cache without it; | B4 | Inserts that evict: insert automatic | hyperclock | STEADY |"
            + " 17",
        "A cache without it; | B1 | Reads without a pin: get automatic | hyperclock | STEADY | 17",
        "A cache without it; | B2 | Reads with a pin: pin automatic | hyperclock | STEADY | 17",
        "On JDK 25; | B1 | Reads without a pin: get | caffeine | STEADY | 25",
        "On JDK 25; | B2 | Reads with a pin: pin | caffeineCounted | STEADY | 25",
        "with a loader; | LOAD | Reads with a loader: load hit | caffeineHit | STEADY | 17",
        "with a loader; | LOAD | Reads with a loader: load miss | caffeineMiss | FRESH | 17",
        "On JDK 25; | B4 | Inserts that evict: get or insert, 50 % hits | caffeine | STEADY | 25",
      })
  void sentencesHaveTheRangesOfTheSummary(String words, String summary) throws IOException {
    assertThat(sentence(words)).contains(" " + recorded(summary));
  }

  /** Several rows of the summary, for one row of the comparison, are separated by a plus. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          reads without a pin | Caffeine 3.3.1 | STEADY | 17; \
            B1 | Reads without a pin: get | caffeine | STEADY | 17
          reads without a pin | cache2k 2.6.1 | STEADY | 17; \
            B1 | Reads without a pin: get | cache2k | STEADY | 17
          reads without a pin | Caffeine | STEADY | 25; \
            B1 | Reads without a pin: get | caffeine | STEADY | 25
          reads of absent keys | Caffeine, a new key each | STEADY | 17; \
            ABSENT | Reads of absent keys: absent | caffeineNewKey | STEADY | 17
          reads with a pin | Caffeine and a reference count | STEADY | 17; \
            B2 | Reads with a pin: pin | caffeineCounted | STEADY | 17
          reads with a pin | Caffeine and a reference count | STEADY | 25; \
            B2 | Reads with a pin: pin | caffeineCounted | STEADY | 25
          values off the heap, read in place · copied | OHC 0.7.4 | STEADY | 17; \
            OFF-HEAP-VALUES | Reads of values off the heap: \
              off heap value in place | ohcInPlace | STEADY | 17 \
            + OFF-HEAP-VALUES | Reads of values off the heap: \
              off heap value copy | ohcCopy | STEADY | 17
          one hot key, read | Caffeine | STEADY | 17; \
            B3 | One hot key: get | caffeine | STEADY | 17
          get or insert, 50 % · 90 % · 99 % hits | Caffeine | STEADY | 17; \
            B4 | Inserts that evict: get or insert, 50 % hits | caffeine | STEADY | 17 \
            + B4 | Inserts that evict: get or insert, 90 % hits | caffeine | STEADY | 17 \
            + B4 | Inserts that evict: get or insert, 99 % hits | caffeine | STEADY | 17
          inserts that evict | Caffeine | STEADY | 17; \
            B4 | Inserts that evict: insert | caffeine | STEADY | 17
          get or insert, 50 % · 90 % · 99 % hits | Caffeine | STEADY | 25; \
            B4 | Inserts that evict: get or insert, 50 % hits | caffeine | STEADY | 25 \
            + B4 | Inserts that evict: get or insert, 90 % hits | caffeine | STEADY | 25 \
            + B4 | Inserts that evict: get or insert, 99 % hits | caffeine | STEADY | 25
          inserts that evict | Caffeine | STEADY | 25; \
            B4 | Inserts that evict: insert | caffeine | STEADY | 25
          inserts that evict | cache2k | STEADY | 17; \
            B4 | Inserts that evict: insert | cache2k | STEADY | 17
          reads with a loader, hit | Caffeine | STEADY | 17; \
            LOAD | Reads with a loader: load hit | caffeineHit | STEADY | 17
          reads with a loader, miss | Caffeine | FRESH | 17; \
            LOAD | Reads with a loader: load miss | caffeineMiss | FRESH | 17
          """)
  void theComparisonHasTheRangesOfTheSummary(String row, String summary) throws IOException {
    List<String> ranges = new ArrayList<>();
    for (String start : summary.replaceAll("\\s+", " ").split(" \\+ ")) {
      ranges.add(recorded("| " + start + " |"));
    }
    assertThat(Files.readAllLines(COMPARISON))
        .contains("| " + row + " | " + String.join(" · ", ranges) + " |");
  }

  private static double number(String text) {
    return Double.parseDouble(text.replace(",", ""));
  }
}
