/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hyperclock.benchmarks.soak.SoakCaches;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class SoakCommandTest {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(SoakCaches caches, String options) {
    CommandLine line = new CommandLine(new SoakCommand(caches));
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    return line.execute(options.split(" "));
  }

  /** The seeds are some whose epochs are short, and half of whose epochs end while in use. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--what blocks --seed 1040",
        "--what loads --seed 1040 --faults",
        "--what versioned --seed 1040",
        "--what tiered --seed 1040",
        "--what tiered --seed 1040 --faults",
        "--seed 1209 --faults"
      })
  void findsNothingWrong(String options) {
    assertThat(run(SoakCaches.PLAIN, options + " --epochs 4 --entries 256"))
        .as("%s%s", out, err)
        .isZero();

    assertThat(out.toString()).startsWith("seed=1");
    assertThat(out.toString().lines().reduce("", (a, b) -> b))
        .startsWith("nothing wrong: seed=1")
        .contains("epochs=4 ")
        .doesNotContain("operations=0,", "hits=0 ");
    assertThat(out.toString().contains("faults=0, epochs=4"))
        .isEqualTo(!options.contains("--faults"));
    assertThat(err.toString()).isEmpty();
  }

  /** The seed is one whose epochs are short, and whose first cache is not closed while in use. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          FREES_TWICE         | blocks    | freed twice: value of key
          FINDS_ANOTHER_KEY   | blocks    | found the value of another key than
          LOSES_A_FREE        | blocks    | all values must be freed: not freed=
          HANGS               | blocks    | an operation did not return within 2 s: operation=
          ERASES_NOTHING      | blocks    | found a version older than
          FREES_WHAT_IS_HELD  | blocks    | freed
          LEAKS_A_PIN         | blocks    | all values must be freed: not freed=
          LEAKS_A_SCOPE       | blocks    | open scopes and retired values must be 0
          THROWS              | blocks    | java.lang.NullPointerException: planted
          COUNTS_WRONG        | blocks    | getAll must count what it finds
          SHOWS_PREPARED      | versioned | read as committed
          COMMITS_NOTHING     | versioned | found a version older than
          TIERS_ERASE_NOTHING | tiered    | found a version older than
          TIERS_MIX_A_BATCH   | tiered    | found the value of another key than
          TIERS_HANG          | tiered    | operation=waitAll
          TIERS_LEAK_A_PIN    | tiered    | nothing must be pinned any more
          """)
  void findsWhatIsPlanted(FaultyCaches.Fault fault, String what, String found) {
    String bound =
        switch (fault) {
          case HANGS -> "2";
          case TIERS_HANG -> "10";
          default -> "60";
        };
    // What leaks is waited for as long; for all else an epoch may end late, and hold nothing more.
    String settle =
        switch (fault) {
          case LOSES_A_FREE, LEAKS_A_PIN, LEAKS_A_SCOPE, TIERS_LEAK_A_PIN -> "1";
          default -> "60";
        };
    // Of several threads another one might be named, if the machine stood still for as long.
    String threads = fault == FaultyCaches.Fault.TIERS_HANG ? " --threads 1" : "";
    try (FaultyCaches caches = new FaultyCaches(fault)) {
      String options =
          "--seed 8 --seconds 120 --entries 256 --settle %s --what %s --stuck-after %s"
              .formatted(settle, what, bound);
      assertThat(run(caches, options + threads)).as("%s", out).isEqualTo(1);
    }

    assertThat(err.toString()).startsWith("wrong: seed=8, ").contains(found, "in epoch ");
    assertThat(out.toString()).startsWith("seed=8").doesNotContain("nothing wrong");
  }

  @Test
  void writesARecord() throws IOException {
    Path file = directory.resolve("run.json");

    assertThat(run(SoakCaches.PLAIN, "--seconds 2 --what versioned --seed 7 --record " + file))
        .as("%s%s", out, err)
        .isZero();

    assertThat(out.toString()).containsPattern("(?m)^ +\\d+ s: operations=");
    JsonObject json = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    assertThat(json.keySet())
        .containsExactly(
            "date",
            "command",
            "commit",
            "jdk",
            "machine",
            "seed",
            "seconds",
            "passed",
            "summary",
            "mostHeapBytes");
    assertThat(json.get("seed").getAsLong()).isEqualTo(7);
    assertThat(json.get("passed").getAsBoolean()).isTrue();
    assertThat(json.get("command").getAsString()).contains("--seconds 2 --what versioned");
    assertThat(json.get("summary").getAsString()).contains("operations=", "epochs=");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --threads 0             | --threads must be in [1, 1024]: threads=0
          --entries 10            | --entries must be in [64, 10000000]: entries=10
          --minutes 0             | --minutes and --seconds must be in [1 s, 30 days]: seconds=0
          --minutes 1 --seconds 1 | one of --minutes, --seconds and --epochs must be given at most: given=2
          --epochs 0              | --epochs must be >= 1: epochs=0
          --what all              | --what must be one of blocks, loads, versioned, tiered: what=all
          --stuck-after 0         | --stuck-after must be >= 1: stuck-after=0
          --settle 0              | --settle must be >= 1: settle=0
          --record no/such/f.json | --record must be in a directory that exists and can be written: record=no/such/f.json
          """)
  void refusesWrongOptions(String options, String message) {
    assertThat(run(SoakCaches.PLAIN, options)).isEqualTo(2);
    assertThat(err.toString()).startsWith(message);
    assertThat(out.toString()).isEmpty();
  }
}
