/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.arch;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.CacheBuilder;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tuning page has one row for each option, with nothing left out. */
class TuningDocTest {
  private static final int COLUMNS = 6;

  private static List<String[]> rows() throws IOException {
    return Files.readAllLines(ModuleFiles.docs().resolve("tuning.md")).stream()
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.substring(2, line.length() - 2).split(" \\| "))
        .toList();
  }

  @Test
  void everyOptionHasItsRow() throws IOException {
    Set<String> options =
        Arrays.stream(BlockCacheBuilder.class.getMethods())
            .filter(method -> CacheBuilder.class.isAssignableFrom(method.getReturnType()))
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    List<String> named = rows().stream().map(row -> row[0].replace("`", "")).toList();
    assertThat(options).isNotEmpty();
    assertThat(named).doesNotHaveDuplicates().containsAll(options);
  }

  @Test
  void everyRowSaysEverything() throws IOException {
    assertThat(rows())
        .isNotEmpty()
        .allSatisfy(
            row -> {
              assertThat(row).hasSize(COLUMNS);
              assertThat(row).allSatisfy(cell -> assertThat(cell).isNotBlank());
            });
  }
}
