/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links on the pages of the project lead to files and headings that are there. */
class DocumentLinksTest {
  @Test
  void noneIsBroken() {
    assertThat(Documents.pages(ModuleFiles.project())).hasSizeGreaterThan(40);
    assertThat(Documents.brokenLinks(ModuleFiles.project())).isEmpty();
  }

  @Test
  void whatIsBrokenIsFound(@TempDir Path root) throws IOException {
    Files.writeString(root.resolve("other.md"), "# Title\n\n## A `name`: why?\n\n## Title\n");
    Files.writeString(
        root.resolve("page.md"),
        "[a](other.md) [b](other.md#a-name-why) [c](other.md#title-1) [d](https://example.org/x)\n"
            + "[e](gone.md) [f](other.md#gone) `[g](gone.md)`\n```\n[h](gone.md)\n```\n"
            + "![i](gone.svg) [j](#gone)\n");

    assertThat(Documents.brokenLinks(root))
        .containsExactly(
            "page.md: gone.md", "page.md: other.md#gone", "page.md: gone.svg", "page.md: #gone");
  }
}
