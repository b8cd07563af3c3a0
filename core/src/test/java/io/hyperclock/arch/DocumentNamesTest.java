/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages for those who change the code name types, methods and tests that are there. */
class DocumentNamesTest {
  private static final DocumentNames NAMES = new DocumentNames(sources());

  private static List<JavaSource> sources() {
    List<JavaSource> sources = new ArrayList<>();
    for (String module : List.of("core", "secondary", "benchmarks", "stress", "examples")) {
      sources.addAll(JavaSource.allBelow(ModuleFiles.project().resolve(module)));
    }
    return sources;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "start-here.md",
        "design.md",
        "slot-protocol.md",
        "memory-ordering.md",
        "replacement.md",
        "versioned.md",
        "tuning.md",
        "engines.md",
        "diagnostics.md"
      })
  void everyNameIsInTheSources(String page) {
    Path file = ModuleFiles.docs().resolve(page);
    assertThat(NAMES.unknown(Documents.read(file))).isEmpty();
  }

  @Test
  void namesThatAreNowhereAreFound() {
    assertThat(
            NAMES.unknown(
                "`BlockCache` `BlockCache.get` `BlockCache.goneMethod` `GoneType` `goneMethod()`"
                    + " `GoneType.get` `insertPinned` `internal.slot` `internal.gone`"
                    + " `StackOverflowError` `get` `a + b` `core/docs`"))
        .containsExactly(
            "BlockCache.goneMethod", "GoneType", "goneMethod()", "GoneType.get", "internal.gone");
  }
}
