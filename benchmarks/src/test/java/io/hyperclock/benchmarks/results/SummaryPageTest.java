/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SummaryPageTest {
  @TempDir private Path directory;

  private static String run(
      String benchmark, int threads, String params, String scores, String cpu, String more) {
    return """
    {"benchmark": "io.hyperclock.benchmarks.%s", "threads": %d, "vmName": "OpenJDK 64-Bit Server VM",
     "vmVersion": "17.0.15+6", "params": {%s}, "primaryMetric": {"scoreUnit": "ops/us", "rawData": %s},
     "secondaryMetrics": {%s} %s}\
    """
        .formatted(
            benchmark,
            threads,
            params,
            scores,
            cpu.isEmpty() ? "" : "\"cpu.ns/op\": {\"rawData\": " + cpu + "}",
            more);
  }

  private ResultFile file(String... runs) throws IOException {
    Path path = directory.resolve("some.json");
    Files.writeString(
        path,
        """
        {"date": "today", "machine": "a machine", "command": "bars", "before": "core.jar, sha256 12",
         "runs": [%s], "allocations": [],
         "firstSeconds": [{"cache": "hyperclock", "entries": 65536, "threads": 1, "stepMillis": 500,
           "millionOpsPerSecond": [0.5, 2.25]}]}
        """
            .formatted(String.join(",", runs)));
    return ResultFile.read(path);
  }

  private static final String FRESH = "\"size\": \"65536\", \"distribution\": \"ZIPF\"";
  private static final String STEADY = FRESH + ", \"state\": \"STEADY\"";
  private static final String FULL = "\"size\": \"65536\", \"state\": \"STEADY\"";

  private ResultFile example() throws IOException {
    return file(
        run("GetBenchmark.hyperclock", 1, FRESH, "[[30.0]]", "", ""),
        run("GetBenchmark.caffeine", 1, FRESH, "[[10.0]]", "", ""),
        run("GetBenchmark.hyperclock", 1, STEADY, "[[20.0]]", "", ""),
        run("GetBenchmark.hyperclock", 2, STEADY, "[[50.0]]", "", ""),
        run("GetBenchmark.caffeine", 1, STEADY, "[[10.0]]", "", ""),
        run("GetBenchmark.caffeine", 2, STEADY, "[[20.0]]", "", ""),
        run("GetBenchmark.concurrentHashMapNewKey", 1, STEADY, "[[25.0]]", "", ""),
        run("GetBenchmark.concurrentHashMapNewKey", 2, STEADY, "[[50.0]]", "", ""),
        run("GetBenchmark.hyperclock", 1, STEADY, "[[16.0]]", "", ", \"before\": true"),
        run("InsertBenchmark.hyperclock", 1, FULL, "[[2.0]]", "[[400.0]]", ""),
        run("InsertBenchmark.caffeine", 1, FULL, "[[1.0]]", "[[1000.0]]", ""));
  }

  @Test
  void hasOneRowForEachQuestion() throws IOException {
    SummaryPage page = new SummaryPage(12);
    page.add(example());

    assertThat(page.text().lines().filter(line -> line.startsWith("| ")))
        .contains(
            "| B1 | Reads without a pin: get | caffeine | FRESH | 17 | **3.00** | ≥ 1.80 | 1 of 1"
                + " | reached |",
            "| B1 | Reads without a pin: get | caffeine | STEADY | 17 | **2.00 to 2.50** | ≥ 2.20 |"
                + " 1 of 2 | **in part** |",
            "| B1 | Reads without a pin: get | concurrentHashMapNewKey | STEADY | 17 | **0.80 to"
                + " 1.00** | ≥ 1.00 | 1 of 2 | **in part** |",
            "| B1 | Reads without a pin: get | the jar before | STEADY | 17 | **1.25** | ≥ 1.30 | 0"
                + " of 1 | **lost** |",
            "| B4 | Inserts that evict: insert | caffeine | STEADY | 17 | **2.00** | ≥ 1.00 | 1 of"
                + " 1 | reached |",
            "| B4 | Inserts that evict: insert, CPU time | caffeine | STEADY | 17 | **0.40** | ≤"
                + " 0.67 | 1 of 1 | reached |")
        .hasSize(7);
  }

  @Test
  void theResultPageShowsCpuScalingTheEarlierJarAndTheFirstSeconds() throws IOException {
    ReportPage page = new ReportPage(directory);
    page.add(example(), "some.json");

    assertThat(page.write())
        .content()
        .contains("* before: core.jar, sha256 12")
        .contains("| hyperclock | before:hyperclock |", "**1.25** (1.25–1.25) | ≥ 1.3 | **lost** |")
        .contains(" 400 | 1000 | **0.40** (0.40–0.40) | ≤ 0.67 | reached |")
        .contains("| 2.00 (2.00–2.00) | million ops/s |  | 400.0 |")
        .contains("| hyperclock | distribution=ZIPF, size=65536, state=STEADY | **2.50**")
        .contains("| 2.00 | reached |")
        .contains("Million operations a second in each step of 500 ms: 0.50, 2.25");
  }
}
