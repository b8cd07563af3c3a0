/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a file system has no POSIX permissions, such as that of an archive. */
class OwnerOnlyFallbackTest {
  @TempDir private Path directory;

  @Test
  void nothingIsSetOrChecked() throws IOException {
    Path archive = directory.resolve("archive.zip");
    try (FileSystem files = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      assertThat(files.supportedFileAttributeViews()).doesNotContain("posix");
      Path made = files.getPath("/parent/tier");
      OwnerOnly.createDirectories(made);
      assertThat(made).isDirectory();
      OwnerOnly.createDirectories(made);
      OwnerOnly.requireOwnerWrites(made, made);
      assertThat(OwnerOnly.forFile(made)).isEmpty();
      Path file = Files.createFile(made.resolve("data"), OwnerOnly.forFile(made));
      OwnerOnly.tighten(file);
      assertThat(file).exists();
    }
  }
}
