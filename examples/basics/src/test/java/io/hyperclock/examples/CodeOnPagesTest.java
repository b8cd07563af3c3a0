/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The code in the README and on the pages on migration and on engines is code that runs: above each
 * block a comment names a class and a part of it, marked there by {@code // [name]} and {@code //
 * [/name]}.
 */
class CodeOnPagesTest {
  private static final Pattern BLOCK =
      Pattern.compile("(?:<!-- (\\w+) (\\w+) -->\\n)?```java\\n(.*?)```", Pattern.DOTALL);

  private static Path root() {
    Path dir = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    while (!Files.isDirectory(dir.resolve("core/docs"))) {
      dir = dir.getParent();
    }
    return dir;
  }

  private static String pages() throws IOException {
    return Files.readString(root().resolve("README.md"))
        + Files.readString(root().resolve("core/docs/migration.md"))
        + Files.readString(root().resolve("core/docs/engines.md"))
        + Files.readString(root().resolve("secondary/docs/tiering.md"));
  }

  @TestFactory
  Stream<DynamicTest> codeOnThePageIsTheCodeThatRuns() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    Matcher block = BLOCK.matcher(pages());
    while (block.find()) {
      String file = block.group(1);
      String part = block.group(2);
      String code = block.group(3);
      tests.add(
          DynamicTest.dynamicTest(
              file + " " + part,
              () -> {
                assertThat(file).as("class named above: %s", code).isNotNull();
                assertThat(code.strip()).isEqualTo(part(file, part));
              }));
    }
    assertThat(tests).hasSizeGreaterThan(40);
    return tests.stream();
  }

  private static String part(String file, String part) throws IOException {
    Path source =
        root().resolve("examples/basics/src/main/java/io/hyperclock/examples/" + file + ".java");
    List<String> lines = Files.readAllLines(source);
    int from = indexOf(lines, "// [" + part + "]") + 1;
    int to = indexOf(lines, "// [/" + part + "]");
    assertThat(from).as("start of %s in %s", part, file).isPositive();
    assertThat(to).as("end of %s in %s", part, file).isGreaterThan(from);
    return String.join("\n", lines.subList(from, to)).stripTrailing().stripIndent().strip();
  }

  private static int indexOf(List<String> lines, String marker) {
    return lines.stream().map(String::strip).toList().indexOf(marker);
  }
}
