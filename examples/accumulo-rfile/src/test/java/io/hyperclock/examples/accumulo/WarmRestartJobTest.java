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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WarmRestartJobTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "--memory=4k, --memory must be at least 1m: 4096",
    "--disk=1m, --disk must be at least 32m: 1048576",
    "--lookups=0, --lookups must be at least the number of threads: 0"
  })
  void wrongOptionIsOneLineAndExitCodeTwo(String option, String message) {
    PrintStream usual = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    int exitCode;
    try {
      exitCode = WarmRestartJob.run(option, "--out=" + directory);
    } finally {
      System.setErr(usual);
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("warm-restart: " + message);
    assertThat(exitCode).isEqualTo(2);
  }

  /** Lines of title, speed, hit ratio and blocks read from the file. */
  @Test
  void secondLifeReadsLittleFromTheFile() {
    PrintStream usual = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    int exitCode;
    try {
      exitCode = WarmRestartJob.run("--lookups=2000", "--threads=2", "--out=" + directory);
    } finally {
      System.setOut(usual);
    }
    assertThat(exitCode).isZero();
    long[] fromFile =
        bytes
            .toString(StandardCharsets.UTF_8)
            .lines()
            .skip(1)
            .mapToLong(line -> Long.parseLong(line.replaceAll(".* ", "").replace(",", "")))
            .toArray();
    assertThat(fromFile).hasSize(3);
    assertThat(fromFile[1]).isLessThan(fromFile[0] / 10);
    assertThat(fromFile[2]).isGreaterThan(fromFile[0] / 2);
  }
}
