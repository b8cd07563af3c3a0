/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.beside;

import io.hyperclock.benchmarks.results.BesideRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Runs a contestant in a process and reads what it prints; both programs print alike. */
public final class BenchProcess {
  private static final Pattern SPEED =
      Pattern.compile("(?m)^Complete in .*; Rough parallel ops/sec = ([0-9]+)$");
  private static final Pattern HITS = Pattern.compile("(?m)^Lookup hit ratio: ([0-9.e+-]+)$");
  private static final Pattern VERSION = Pattern.compile("(?m)^RocksDB version +: (\\S+)$");
  private static final int USAGE_ERROR = 2;

  private BenchProcess() {}

  /**
   * Runs it.
   *
   * @param contestant what runs
   * @param workload options of the workload
   * @param threads number of threads
   * @param round number of this run among equal ones
   * @return what came out
   * @throws IllegalArgumentException if our program refuses the options
   * @throws IllegalStateException if the program fails, or prints no result
   */
  public static BesideRun run(Contestant contestant, List<String> workload, int threads, int round)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("cache-bench", ".out");
    Path errors = Files.createTempFile("cache-bench", ".err");
    try {
      Process process =
          new ProcessBuilder(contestant.command(workload, threads))
              .redirectOutput(output.toFile())
              .redirectError(errors.toFile())
              .start();
      int status;
      try {
        status = process.waitFor();
      } finally {
        process.destroyForcibly();
      }
      if (status != 0) {
        throw failed(contestant, status, Files.readString(errors) + Files.readString(output));
      }
      String text = Files.readString(output);
      String version = find(VERSION, text);
      return new BesideRun(
          String.join(" ", workload),
          threads,
          contestant.ours() ? "HyperClock" : "RocksDB" + (version == null ? "" : " " + version),
          contestant.cache(),
          contestant.ours(),
          round,
          number(contestant, SPEED, text),
          number(contestant, HITS, text));
    } finally {
      Files.deleteIfExists(output);
      Files.deleteIfExists(errors);
    }
  }

  private static RuntimeException failed(Contestant contestant, int status, String text) {
    String first = text.lines().filter(line -> !line.isBlank()).findFirst().orElse("");
    if (contestant.ours() && status == USAGE_ERROR) {
      return new IllegalArgumentException(first.replaceAll(" \\(see .* --help\\)$", ""));
    }
    return new IllegalStateException(
        "a program must end well: cache="
            + contestant.cache()
            + ", status="
            + status
            + ", output="
            + first);
  }

  private static double number(Contestant contestant, Pattern pattern, String text) {
    String found = find(pattern, text);
    if (found == null) {
      throw new IllegalStateException(
          "a program must print as cache_bench does: cache="
              + contestant.cache()
              + ", missing="
              + pattern.pattern().replaceAll("^.*\\^|[ :].*", ""));
    }
    return Double.parseDouble(found);
  }

  private static @Nullable String find(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : null;
  }
}
