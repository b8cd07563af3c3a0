/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whoever opens the Javadoc of a public type sees first how it is used, in code that compiles. */
class JavadocExamplesTest {
  /** All public sources; {@code module-info} and {@code package-info} too, for their examples. */
  private static List<Path> publicSources() throws IOException {
    try (Stream<Path> files = Files.walk(ModuleFiles.mainSources())) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.startsWith(ModuleFiles.internalSources()))
          .sorted()
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void eachExampleCompiles() throws IOException {
    JavadocExamples examples = new JavadocExamples();
    publicSources().forEach(file -> examples.add(file, read(file)));
    assertThat(examples.errors()).isEmpty();
    assertThat(examples.count()).isGreaterThan(50);
  }

  @Test
  void eachInterfaceAndClassBeginsWithAnExample() throws IOException {
    List<Path> without = new ArrayList<>();
    for (Path file : publicSources()) {
      String text = read(file);
      boolean isUsed = List.of("interface", "class").contains(JavadocExamples.kind(text));
      if (isUsed
          && !text.contains("Exception extends ")
          && !JavadocExamples.beginsWithExample(text)) {
        without.add(file.getFileName());
      }
    }
    assertThat(without).isEmpty();
  }

  @Test
  void examplesThatDoNotCompileAreFound() {
    JavadocExamples examples = new JavadocExamples();
    examples.add("Good", "byte[] block = cache.get(hi, lo);");
    examples.add("NoSuchMethod", "cache.usageBytes();");
    examples.add("WrongType", "String block = cache.get(hi, lo);");
    examples.add("UnknownType", "String text = Files.readString(path);");
    assertThat(examples.errors())
        .hasSize(3)
        .anyMatch(error -> error.contains("NoSuchMethod"))
        .anyMatch(error -> error.contains("WrongType"))
        .anyMatch(error -> error.contains("UnknownType"));
  }

  @Test
  void keysAreExplainedInOnePlace() throws IOException {
    assertThat(publicSources())
        .noneMatch(file -> read(file).contains("   * @param keyHi high word of the key\n"));
  }
}
