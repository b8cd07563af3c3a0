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
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Each planted fault names tests that exist, since one that matches none would seem to be noticed,
 * and can still be planted.
 */
class PlantedFaultsTest {
  /** As {@code stress/planted-faults.sh} reads them: white space does not matter. */
  private static final Pattern EDIT =
      Pattern.compile(
          "^file: *(\\S+)\n<<<<\n(.*?)^====\n.*?^>>>>$", Pattern.MULTILINE | Pattern.DOTALL);

  private static final Pattern FAULTS_NAMED =
      Pattern.compile("Planted faults?:</b>.*?\\*/", Pattern.DOTALL);

  private static final Pattern CODE = Pattern.compile("\\{@code[\\s*]+([a-z]+(?:-[a-z]+)+)\\}");

  /** Of the table of faults: edge, fault, what, who. */
  private static final Pattern ROW =
      Pattern.compile("^\\| [\\w-]+ \\| `([\\w-]+)` \\| .* \\| ([^|]*) \\|$", Pattern.MULTILINE);

  private static final Pattern TEST = Pattern.compile("`([\\w.]+)`");

  /** What the page says of the stress classes that have caught nothing. */
  private static final Pattern NO_ROW =
      Pattern.compile(
          "^No row names these stress classes: .*?\n\n", Pattern.MULTILINE | Pattern.DOTALL);

  private static final Pattern ENDS_WITH_COMMENT = Pattern.compile("//[^\n]*\n$");

  private static final Pattern TOKEN = Pattern.compile("\\w+|\\S");

  @TestFactory
  Stream<DynamicTest> faultsNameTestsThatExist() throws IOException {
    Set<String> stressTests = new TreeSet<>();
    for (Path source : javaFiles(ModuleFiles.stressSources())) {
      stressTests.addAll(classes(source));
    }
    Set<String> tests = testClasses(ModuleFiles.testSources());
    Set<String> testsOfTiers = testClasses(ModuleFiles.secondaryTestSources());
    List<Path> faults;
    try (Stream<Path> files = Files.list(ModuleFiles.plantedFaults())) {
      faults = files.filter(file -> file.toString().endsWith(".fault")).sorted().toList();
    }
    assertThat(faults).isNotEmpty();
    return faults.stream()
        .map(
            fault ->
                DynamicTest.dynamicTest(
                    fault.getFileName().toString(),
                    () -> {
                      boolean isOfTiers = isOfTiers(fault);
                      check(
                          fault,
                          isOfTiers
                              ? ModuleFiles.secondarySources()
                              : ModuleFiles.internalSources(),
                          stressTests,
                          isOfTiers ? testsOfTiers : tests);
                    }));
  }

  private static Set<String> testClasses(Path sources) throws IOException {
    return javaFiles(sources).stream()
        .map(PlantedFaultsTest::simpleName)
        .collect(Collectors.toSet());
  }

  private static boolean isOfTiers(Path fault) throws IOException {
    List<String> modules = parts(Files.readAllLines(fault), "module:", ",");
    assertThat(modules).isSubsetOf("secondary");
    return !modules.isEmpty();
  }

  private static void check(Path fault, Path sources, Set<String> stressTests, Set<String> tests)
      throws IOException {
    List<String> lines = Files.readAllLines(fault);
    List<String> stress = parts(lines, "stress:", "\\|");
    List<String> named = parts(lines, "tests:", ",");
    assertThat(stress.size() + named.size()).as("tests named").isPositive();
    for (String regex : stress) {
      assertThat(stressTests).as(regex).anyMatch(name -> name.matches(".*" + regex + ".*"));
    }
    assertThat(tests).containsAll(named);
    Matcher edit = EDIT.matcher(Files.readString(fault));
    int edits = 0;
    for (; edit.find(); edits++) {
      String source = Files.readString(sources.resolve(edit.group(1)));
      String present =
          TOKEN
              .matcher(edit.group(2))
              .results()
              .map(token -> Pattern.quote(token.group()))
              .collect(Collectors.joining("\\s*"));
      if (ENDS_WITH_COMMENT.matcher(edit.group(2)).find()) {
        // Else the rest of the comment would become code.
        present += " *\n";
      }
      assertThat(Pattern.compile(present).matcher(source).results())
          .as("present text, which must occur once in " + edit.group(1))
          .hasSize(1);
    }
    assertThat(edits).as("edits").isPositive();
  }

  /** What a stress class says of a planted fault is still so: it is run where that says so. */
  @TestFactory
  Stream<DynamicTest> stressTestsNameFaultsThatExist() throws IOException {
    return javaFiles(ModuleFiles.stressSources()).stream()
        .map(file -> DynamicTest.dynamicTest(simpleName(file), () -> checkFaultsOf(file)));
  }

  private static void checkFaultsOf(Path stressTest) throws IOException {
    Matcher comment = FAULTS_NAMED.matcher(Files.readString(stressTest));
    while (comment.find()) {
      Matcher code = CODE.matcher(comment.group());
      while (code.find()) {
        Path fault = ModuleFiles.plantedFaults().resolve(code.group(1) + ".fault");
        assertThat(fault).exists();
        List<String> regexes = parts(Files.readAllLines(fault), "stress:", "\\|");
        if (!regexes.isEmpty()) {
          assertThat(classes(stressTest))
              .as("stress tests of " + code.group(1) + ": " + regexes)
              .anyMatch(name -> regexes.stream().anyMatch(r -> name.matches(".*" + r + ".*")));
        }
      }
    }
  }

  /** The table of what was measured has a row for each. */
  @Test
  void eachFaultIsInTheTable() throws IOException {
    Set<String> rows = new TreeSet<>(rows().keySet());
    Set<String> faults = new TreeSet<>();
    try (Stream<Path> files = Files.list(ModuleFiles.plantedFaults())) {
      files.forEach(file -> faults.add(file.getFileName().toString().replace(".fault", "")));
    }
    assertThat(rows).isEqualTo(faults);
  }

  /** A row names tests that the script runs for its fault: nothing else would notice it again. */
  @TestFactory
  Stream<DynamicTest> rowsNameTestsThatRun() throws IOException {
    return rows().entrySet().stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.getKey(), () -> checkCatchers(row.getKey(), row.getValue())));
  }

  private static void checkCatchers(String fault, List<String> catchers) throws IOException {
    List<String> lines = Files.readAllLines(ModuleFiles.plantedFaults().resolve(fault + ".fault"));
    List<String> stress = parts(lines, "stress:", "\\|");
    List<String> tests = parts(lines, "tests:", ",");
    assertThat(catchers)
        .isNotEmpty()
        .allMatch(
            name ->
                tests.contains(name)
                    || stress.stream().anyMatch(regex -> name.matches(".*" + regex + ".*")));
  }

  /** The table of classes has a row for each stress class. */
  @Test
  void eachStressClassIsInTheTableOfClasses() throws IOException {
    String classes = page().substring(0, page().indexOf("## Beside them"));
    assertThat(tests(classes).stream().filter(name -> name.matches("\\w+Stress")).distinct())
        .containsExactlyInAnyOrderElementsOf(stressClasses());
  }

  /** The page names each stress class that has caught no planted fault, and only those. */
  @Test
  void stressClassesInNoRowAreNamed() throws IOException {
    Set<String> inNoRow = stressClasses();
    rows().values().stream()
        .flatMap(List::stream)
        .forEach(name -> inNoRow.remove(name.split("\\.")[0]));
    Matcher said = NO_ROW.matcher(page());
    assertThat(said.find()).as("what is said of classes in no row").isTrue();
    assertThat(tests(said.group()).stream().filter(name -> name.endsWith("Stress")))
        .containsExactlyInAnyOrderElementsOf(inNoRow);
  }

  private static Set<String> stressClasses() throws IOException {
    Set<String> classes = new TreeSet<>();
    for (Path source : javaFiles(ModuleFiles.stressSources())) {
      if (text(source).contains("@JCStressTest")) {
        classes.add(simpleName(source));
      }
    }
    return classes;
  }

  private static String page() {
    return text(ModuleFiles.plantedFaults().resolveSibling("README.md"));
  }

  /** Of each fault, the tests that have caught it. */
  private static Map<String, List<String>> rows() {
    Map<String, List<String>> rows = new TreeMap<>();
    ROW.matcher(page()).results().forEach(row -> rows.put(row.group(1), tests(row.group(2))));
    return rows;
  }

  private static List<String> tests(String text) {
    return TEST.matcher(text).results().map(name -> name.group(1)).toList();
  }

  private static List<String> parts(List<String> lines, String key, String separator) {
    return lines.stream()
        .filter(line -> line.startsWith(key))
        .flatMap(line -> Stream.of(line.substring(key.length()).strip().split(separator)))
        .toList();
  }

  /** A file's class and those within it, as {@code Outer.Inner}. */
  private static List<String> classes(Path file) {
    String outer = simpleName(file);
    List<String> names = new ArrayList<>(List.of(outer));
    Matcher inner = Pattern.compile("\\bclass (\\w+)").matcher(text(file));
    while (inner.find()) {
      names.add(outer + "." + inner.group(1));
    }
    return names;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String simpleName(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static List<Path> javaFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }
}
