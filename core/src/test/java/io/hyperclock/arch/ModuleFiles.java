/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.arch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where the files of this module and of its neighbours are, whoever starts the tests. */
final class ModuleFiles {
  private ModuleFiles() {}

  static Path mainSources() {
    return core().resolve("src/main/java");
  }

  static Path internalSources() {
    return mainSources().resolve("io/hyperclock/internal");
  }

  static Path mainClasses() {
    return core().resolve("target/classes");
  }

  static Path memoryOrderingDoc() {
    return core().resolve("docs/memory-ordering.md");
  }

  static Path testSources() {
    return core().resolve("src/test/java");
  }

  /** What is in the module of the tiers. */
  static Path secondarySources() {
    return secondary().resolve("src/main/java/io/hyperclock/secondary");
  }

  static Path secondaryTestSources() {
    return secondary().resolve("src/test/java");
  }

  private static Path secondary() {
    return core().resolveSibling("secondary");
  }

  static Path docs() {
    return core().resolve("docs");
  }

  /** Directory that holds the modules. */
  static Path project() {
    return core().resolveSibling("pom.xml").getParent();
  }

  static Path plantedFaults() {
    return core().resolveSibling("stress").resolve("faults");
  }

  static Path survivors() {
    return core().resolveSibling("stress").resolve("mutations").resolve("survivors.tsv");
  }

  /** Where the classes of packages that mutation runs name may lie, the first that has it first. */
  static List<Path> sourceRootsOfMutants() {
    Path secondary = core().resolveSibling("secondary").resolve("src/main/java/io/hyperclock");
    return List.of(internalSources(), mainSources().resolve("io/hyperclock"), secondary);
  }

  /** Directory of the litmus tests. */
  static Path litmusTests() {
    return survivors().getParent().resolveSibling("litmus");
  }

  static Path stressSources() {
    return core().resolveSibling("stress").resolve("src/main/java");
  }

  private static Path core() {
    Path dir = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    return Files.isDirectory(dir.resolve("core")) ? dir.resolve("core") : dir;
  }
}
