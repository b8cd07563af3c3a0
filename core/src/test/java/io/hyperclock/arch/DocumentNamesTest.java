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

/** The pages of the project name types, methods and tests that are there. */
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
        "core/docs/start-here.md",
        "core/docs/design.md",
        "core/docs/slot-protocol.md",
        "core/docs/memory-ordering.md",
        "core/docs/replacement.md",
        "core/docs/versioned.md",
        "core/docs/tuning.md",
        "core/docs/engines.md",
        "core/docs/diagnostics.md",
        "core/docs/glossary.md",
        "core/docs/comparison.md",
        "core/docs/compatibility.md",
        "core/docs/metrics.md",
        "secondary/docs/tiering.md",
        "secondary/docs/compressed.md",
        "secondary/docs/disk.md",
        "secondary/docs/disk-format.md",
        "secondary/docs/remote.md",
        "secondary/docs/metrics.md",
        "stress/README.md",
        "stress/litmus/README.md",
        "benchmarks/docs/cache-bench.md",
        "benchmarks/docs/soak.md",
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "RELEASING.md",
        "SECURITY.md"
      })
  void everyNameIsInTheSources(String page) {
    Path file = ModuleFiles.project().resolve(page);
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
