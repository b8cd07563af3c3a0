/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The recorded verdicts of {@code stress/litmus} are those of the tests that are there, and are
 * what they must be. herd7 itself runs apart: {@code stress/litmus/run.sh}.
 */
class LitmusVerdictsTest {
  private static final String SUFFIX = ".litmus";

  @Test
  void eachTestHasTheVerdictThatItMustHave() throws IOException {
    assertThat(recorded()).isNotEmpty().isEqualTo(expected());
  }

  @Test
  void eachSequenceHasAControl() throws IOException {
    Map<String, String> all = expected();
    assertThat(all.keySet())
        .filteredOn(name -> !name.contains("."))
        .allMatch(name -> all.keySet().stream().anyMatch(other -> other.startsWith(name + ".")));
  }

  @Test
  void eachFileBearsTheNameOfItsTest() throws IOException {
    for (String name : expected().keySet()) {
      Path file = ModuleFiles.litmusTests().resolve(name + SUFFIX);
      assertThat(Files.readAllLines(file).get(0)).isEqualTo("AArch64 " + name);
    }
  }

  /** A name without a dot is a sequence of the cache, one with a dot is a control of it. */
  private static Map<String, String> expected() throws IOException {
    try (Stream<Path> files = Files.list(ModuleFiles.litmusTests())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(SUFFIX))
          .map(name -> name.substring(0, name.length() - SUFFIX.length()))
          .collect(
              Collectors.toMap(
                  name -> name,
                  name -> name.contains(".") ? "Sometimes" : "Never",
                  (one, other) -> one,
                  TreeMap::new));
    }
  }

  private static Map<String, String> recorded() throws IOException {
    return Files.readAllLines(ModuleFiles.litmusTests().resolve("verdicts.txt")).stream()
        .skip(1)
        .map(line -> line.split(" +"))
        .collect(
            Collectors.toMap(
                fields -> fields[0], fields -> fields[1], (one, other) -> one, TreeMap::new));
  }
}
