/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class BesideCommandTest {
  private static final String SMALL =
      "--seed=1 --cache_size=1048576 --value_bytes=1024 --ops_per_thread=1000";

  @TempDir private Path directory;
  private Path program;
  private Path calls;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** A program that prints as the original does and notes how it was called. */
  @BeforeEach
  void writeProgram() throws IOException {
    calls = directory.resolve("calls");
    program =
        script(
            "cache_bench",
            """
            echo "$*" >> '%s'
            echo "RocksDB version     : 10.4"
            echo "Complete in 0.001 s; Rough parallel ops/sec = 2000000"
            echo "Thread ops/sec = 3000000"
            echo "Lookup hit ratio: 0.687245"
            """
                .formatted(calls));
  }

  private Path script(String name, String body) throws IOException {
    Path script = directory.resolve(name);
    Files.writeString(script, "#!/bin/sh\n" + body);
    return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
  }

  private int run(String args, String... workload) {
    List<String> all = new ArrayList<>(List.of("beside", program.toString()));
    all.addAll(Arrays.asList(args.split(" ")));
    all.addAll(List.of("--jvm-args=-Xmx256m", "--"));
    all.addAll(Arrays.asList(workload));
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    return line.execute(all.toArray(String[]::new));
  }

  @Test
  void runsBothInTurnAndRecordsThem() throws IOException {
    Path json = directory.resolve("rocksdb.json");
    int exitCode =
        run(
            "--threads=1,2 --rounds=2 --caches=pinned --built=g++ --json=" + json,
            (SMALL + " --lean --secondary_cache=compressed:1048576").split(" "));
    assertThat(exitCode).as("exit code, %s", err).isZero();

    String shared = "--seed=1 --cache_size=1048576 --value_bytes=1024 --ops_per_thread=1000 --lean";
    String call =
        "--cache_type=%s --threads=%d "
            + shared
            + " --secondary_cache_uri=compressed_secondary_cache://capacity=1048576";
    List<String> round = new ArrayList<>();
    for (int threads = 1; threads <= 2; threads++) {
      for (String type : new String[] {"auto_hyper_clock", "fixed_hyper_clock", "lru"}) {
        round.add(call.formatted(type + "_cache", threads));
      }
    }
    List<String> both = new ArrayList<>(round);
    both.addAll(round);
    assertThat(calls).content().hasLineCount(12).isEqualTo(String.join("\n", both) + "\n");

    String text = Files.readString(json);
    assertThat(text).doesNotContain(directory + "/cache_bench");
    JsonObject file = JsonParser.parseString(text).getAsJsonObject();
    assertThat(file.get("command").getAsString()).contains(" beside cache_bench --threads=1,2 ");
    JsonArray runs = file.getAsJsonArray("beside");
    assertThat(runs).hasSize(16);
    JsonObject ours = runs.get(0).getAsJsonObject();
    assertThat(ours.get("program").getAsString()).isEqualTo("HyperClock");
    assertThat(ours.get("cache").getAsString()).isEqualTo("pinned");
    assertThat(ours.get("opsPerSecond").getAsDouble()).isPositive();
    assertThat(ours.get("hitRatio").getAsDouble()).isBetween(0.1, 1.0);
    JsonObject theirs = runs.get(1).getAsJsonObject();
    assertThat(theirs.get("program").getAsString()).isEqualTo("RocksDB 10.4");
    assertThat(theirs.get("opsPerSecond").getAsDouble()).isEqualTo(2e6);
    assertThat(theirs.get("hitRatio").getAsDouble()).isEqualTo(0.687245);
    assertThat(out.toString()).contains("| HyperClock pinned | RocksDB 10.4 lru_cache |");
  }

  @Test
  void takesNamesInUpperCase() {
    int exitCode =
        run("--threads=1 --rounds=1 --caches=PINNED --cache_types=lru_cache", SMALL.split(" "));
    assertThat(exitCode).as("exit code, %s", err).isZero();
    assertThat(out.toString()).contains("| HyperClock pinned | RocksDB 10.4 lru_cache |");
  }

  @Test
  void comparesRoundByRound() throws IOException {
    String run =
        """
        {"workload": "%s", "threads": %d, "program": "%s", "cache": "%s", "ours": %s,
         "round": %d, "opsPerSecond": %d, "hitRatio": 0.5}\
        """;
    List<String> runs = new ArrayList<>();
    for (int round = 1; round <= 3; round++) {
      int ours = 1_000_000 * round;
      runs.add(run.formatted("", 1, "HyperClock", "pinned", true, round, ours));
      runs.add(run.formatted("", 1, "RocksDB 1.0", "lru_cache", false, round, 4_000_000));
      runs.add(
          run.formatted("", 1, "RocksDB 1.0", "auto_hyper_clock_cache", false, round, 1_000_000));
      runs.add(run.formatted("--lean", 2, "HyperClock", "pinned", true, round, ours));
      runs.add(
          run.formatted(
              "--lean", 2, "RocksDB 1.0", "auto_hyper_clock_cache", false, round, 4_000_000));
    }
    Files.writeString(
        directory.resolve("some.json"),
        """
        {"date": "today", "machine": "a machine", "command": "beside cache_bench", "jdk": "A VM 17",
         "built": "g++ -O2", "runs": [], "allocations": [], "beside": [%s]}
        """
            .formatted(String.join(",", runs)));
    CommandLine line = Main.commandLine().setOut(new PrintWriter(out));
    assertThat(line.execute("report", "--results", directory.toString())).isZero();
    assertThat(directory.resolve("README.md"))
        .content()
        .contains("### B6 · RocksDB's cache_bench", "* the other program: g++ -O2")
        .contains(
            "| HyperClock pinned | RocksDB 1.0 auto_hyper_clock_cache | defaults | 1 | 2.000"
                + " (1.000–3.000) | 1.000 (1.000–1.000) | 50.00 % | 50.00 % | **2.00** (1.00–3.00)"
                + " | ≥ 1.0 | reached |",
            "| lru_cache | defaults |".replace("| lru", "| RocksDB 1.0 lru"),
            "| **0.50** (0.25–0.75) | – |  |",
            "| `--lean` | 2 | 2.000 (1.000–3.000) | 4.000 (4.000–4.000) | 50.00 % | 50.00 % |"
                + " **0.50** (0.25–0.75) | ≥ 1.0 | **lost** |",
            "(charts/some-1.svg)",
            "(charts/some-2.svg)");
    assertThat(directory.resolve("charts/some-2.svg")).content().contains("<svg");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--threads=0|--threads must be in [1, 1024]: threads=0",
        "--rounds=0|--rounds must be >= 1: rounds=0",
        "--caches=lru|--caches must be one of pin-free, pinned, off-heap: caches=lru",
        "--cache_types=LRU|--cache_types must be names: cache_types=LRU",
        "--json=missing/file.json|--json must be in a directory that exists and can be written: j",
        "--rounds=1 -- --cache=lru|WORKLOAD must be options of cache-bench, as --name=value, that",
        "--rounds=1 -- --threads=3|WORKLOAD must be options of cache-bench, as --name=value, that",
        "--rounds=1 -- 64|WORKLOAD must be options of cache-bench, as --name=value, that mean the",
        "--rounds=1 -- --skew=-1|--skew must be in [0, 1000]: skew=-1",
        "--rounds=1 -- --skew=x|Invalid value for option '--skew': 'x' is not an int"
      })
  void refusesWrongOptionsInOneLine(String args, String message) {
    String[] parts = args.split(" -- ");
    String[] workload = parts.length == 1 ? new String[0] : parts[1].split(" ");
    assertThat(run(parts[0], workload)).isEqualTo(2);
    assertThat(err.toString().lines().filter(line -> !line.startsWith("round ")))
        .singleElement()
        .asString()
        .startsWith(message)
        .endsWith(" (see benchmarks beside --help)");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void refusesAProgramThatIsNone() {
    program = directory.resolve("missing");
    assertThat(run("--rounds=1")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("PROGRAM must be a file that can be executed: program=")
        .hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "echo 'unknown flag' >&2; exit 3|a program must end well: cache=some_cache, status=3,"
            + " output=unknown flag",
        "echo hello|a program must print as cache_bench does: cache=some_cache, missing=Complete",
        "echo 'Complete in 1 s; Rough parallel ops/sec = 7'|a program must print as cache_bench"
            + " does: cache=some_cache, missing=Lookup"
      })
  void saysWhatTheProgramFailedIn(String body, String message) throws IOException {
    program = script("other", body + "\n");
    assertThat(run("--rounds=1 --threads=1 --cache_types=some_cache", SMALL.split(" ")))
        .isEqualTo(1);
    assertThat(err.toString().lines().filter(line -> !line.startsWith("round ")))
        .singleElement()
        .isEqualTo(message);
  }
}
