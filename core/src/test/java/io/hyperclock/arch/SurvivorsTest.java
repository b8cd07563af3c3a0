/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Each surviving mutant that {@code stress/mutations/survivors.tsv} explains is one of a class, a
 * method and a line that are still there: an explanation of other code explains nothing.
 */
class SurvivorsTest {
  private static final int FIELDS = 5;

  @TestFactory
  Stream<DynamicTest> survivorsAreOfPresentCode() throws IOException {
    List<String> lines =
        Files.readAllLines(ModuleFiles.survivors()).stream()
            .filter(line -> !line.startsWith("#"))
            .toList();
    assertThat(lines).isNotEmpty().doesNotHaveDuplicates();
    return lines.stream().map(line -> DynamicTest.dynamicTest(line, () -> check(line)));
  }

  private static void check(String line) throws IOException {
    String[] fields = line.split("\t");
    assertThat(fields).as("class, method, mutation, source line, reason").hasSize(FIELDS);
    String outer = fields[0].replaceFirst("\\$.*", "").replace('.', '/');
    Path file =
        ModuleFiles.sourceRootsOfMutants().stream()
            .map(root -> root.resolve(outer + ".java"))
            .filter(Files::exists)
            .findFirst()
            .orElseThrow(() -> new AssertionError("no source of " + fields[0]));
    List<String> source = Files.readAllLines(file).stream().map(String::strip).toList();
    assertThat(source).as("lines of %s", file).contains(fields[3]);
    String method = declared(fields[0], fields[1]);
    assertThat(source).as("%s in %s", method, file).anyMatch(text -> text.contains(method + "("));
    assertThat(fields[4]).as("reason").isNotBlank();
  }

  /** The method as sources name it: {@code lambda$run$0} is in {@code run}. */
  private static String declared(String className, String method) {
    if (method.equals("<init>")) {
      return className.replaceFirst(".*[.$]", "");
    }
    return method.startsWith("lambda$") ? method.split("\\$")[1] : method;
  }
}
