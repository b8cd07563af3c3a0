/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccumuloRFileJobTest {
  private static final Findings FINDINGS = new Findings(100, 90, 1_000, 500_000, 42);

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --budgets=12x        | size must be a number with k, m, g or nothing: 12x
          --budgets=0          | size must be in [1, 1024g]: 0
          --budgets=4k         | --budgets must be at least 1m each
          --threads=0          | --threads must be in [1, 1024]: 0
          --rounds=0           | --rounds must be in [1, 1000]: 0
          --lookups=-1         | --lookups must be at least the number of threads: -1
          --lookups=many       | 'many' is not an int
          --read-delay=-1      | --read-delay must be in [0, 1000000]: -1
          --block=16           | --block must be in [1k, 16m]: 16
          --caches=LRU,LRU     | --caches must not repeat a name
          --caches=ARC         | --caches
          --no-such-option     | --no-such-option
          """)
  void wrongOptionIsOneLineAndExitCodeTwo(String option, String message) {
    PrintStream usual = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    int exitCode;
    try {
      exitCode = AccumuloRFileJob.run(option);
    } finally {
      System.setErr(usual);
    }

    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .singleElement()
        .asString()
        .startsWith("accumulo-rfile: ")
        .contains(message);
    assertThat(exitCode).isEqualTo(2);
  }

  @Test
  void reportShowsMediansAndCharts() throws Exception {
    List<Result> results = new ArrayList<>();
    for (int speed : new int[] {900, 100, 500}) {
      results.add(result(CacheChoice.NONE, 0, speed, FINDINGS));
      results.add(result(CacheChoice.HYPER_CLOCK, 4 << 20, 2 * speed, FINDINGS));
    }
    Report report = report(results);

    Path page = report.write(directory);

    assertThat(report.allAgree()).isTrue();
    assertThat(page)
        .content()
        .contains("| HyperClock | 4 MiB | 1,000 | 200–1,800 | 7.0 | 75.0 % |");
    assertThat(page).content().contains("| no data cache | – | 500 |");
    assertThat(report.text()).contains("All runs read the same bytes.").contains("200-1,800");
    assertThat(StandardCharsets.US_ASCII.newEncoder().canEncode(report.text())).isTrue();
    assertThat(directory.resolve("throughput.svg")).content().contains("<svg");
    assertThat(directory.resolve("misses.svg")).content().contains("<svg");
  }

  @Test
  void reportTellsWhereRunsDisagree() {
    Findings other = FINDINGS.plus("a", new byte[] {1}, 3);
    Report report =
        report(
            List.of(
                result(CacheChoice.LRU, 4 << 20, 1, FINDINGS),
                result(CacheChoice.HYPER_CLOCK, 4 << 20, 1, other)));

    assertThat(report.allAgree()).isFalse();
    assertThat(report.text()).contains("THE RUNS DID NOT READ THE SAME BYTES");
  }

  @Test
  void measurementSurvivesItsLine() {
    Measurement measurement = result(CacheChoice.LRU, 4 << 20, 1.0 / 3, FINDINGS).measurement();

    assertThat(Measurement.isLine(measurement.toLine())).isTrue();
    assertThat(Measurement.fromLine(measurement.toLine())).isEqualTo(measurement);
  }

  private Report report(List<Result> results) {
    ClassTable table =
        new ClassTable(directory.resolve("a.rf"), List.of("a"), List.of("R0"), 2_000_000);
    return new Report(table, 16 << 10, 2, 100, 3, 0, results);
  }

  private static Result result(
      CacheChoice cache, long budgetBytes, double speed, Findings findings) {
    return new Result(
        cache,
        new Measurement(budgetBytes, speed, 7_000, 75, 100, 3 << 20, 90, 5_000, 90_000, findings));
  }
}
