/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The results that are kept with the project. */
class RecordedResultsTest {
  private static final Path RESULTS = Path.of("results");

  static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(RESULTS)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void tellHowTheyWereMadeAndNameNoPlaceOfTheMachine(Path file) throws IOException {
    assertThat(ResultFile.read(file).origin())
        .containsKeys("date", "machine")
        .hasEntrySatisfying(
            "command",
            command ->
                assertThat(command)
                    .startsWith("java -jar benchmarks/target/benchmarks.jar ")
                    .doesNotContainPattern("\\s/"));
    assertThat(Files.readString(file)).doesNotContain("\"jvm\"");
  }

  static List<Path> filesOfBars() throws IOException {
    return files().stream()
        .filter(file -> file.getFileName().toString().startsWith("bars-"))
        .toList();
  }

  /** A heap that grows while it is measured says nothing of a process that runs for days. */
  @ParameterizedTest
  @MethodSource("filesOfBars")
  void ofBarsAreOfAHeapOfOneSize(Path file) throws IOException {
    JsonObject results = JsonParser.parseString(Files.readString(file)).getAsJsonObject();

    assertThat(results.getAsJsonArray("runs"))
        .isNotEmpty()
        .allSatisfy(
            run -> {
              String arguments = run.getAsJsonObject().getAsJsonArray("jvmArgs").toString();
              assertThat(arguments).contains("-Xms", "-Xmx");
            });
  }

  @Test
  void areAllOnThePage() throws IOException {
    String page = Files.readString(RESULTS.resolve("README.md"));

    assertThat(files())
        .isNotEmpty()
        .allSatisfy(file -> assertThat(page).contains("## " + file.getFileName()));
  }
}
