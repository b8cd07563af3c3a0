/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.testing.DiskWriters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** P10: what the tier makes is for its owner alone, where files have POSIX permissions. */
class OwnerOnlyTest {
  @TempDir private Path scratch;
  @RegisterExtension final DiskWriters writers = new DiskWriters();

  @BeforeEach
  void needsPermissions() {
    assumeThat(scratch.getFileSystem().supportedFileAttributeViews()).contains("posix");
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(
        Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
  }

  private static void set(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  private static Set<String> filePermissions(Path directory) throws IOException {
    Set<String> all = new TreeSet<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        all.add(permissions(file));
      }
    }
    return all;
  }

  /** Whatever the umask of this process: the usual ones leave reading to everybody. */
  @Test
  void directoriesAndFilesAreMadeForTheirOwner() throws IOException {
    Path directory = scratch.resolve("parent").resolve("tier");
    try (DiskSecondaryCache tier = Rig.open(directory)) {
      assertThat(Rig.put(tier, 1, 1, 1_000)).isTrue();
      assertThat(permissions(directory.getParent())).isEqualTo("rwx------");
      assertThat(permissions(directory)).isEqualTo("rwx------");
      assertThat(filePermissions(directory)).containsExactly("rw-------");
    }
    writers.awaitEnd();
    assertThat(directory.resolve("index.snap")).exists();
    assertThat(filePermissions(directory)).containsExactly("rw-------");
  }

  /** A directory that others may look into is the user's affair; they cannot read the files. */
  @Test
  void directoryThatOthersMayReadIsLeftAsItIs() throws IOException {
    Path directory = Files.createDirectory(scratch.resolve("readable"));
    set(directory, "rwxr-xr-x");
    Rig.open(directory).close();
    writers.awaitEnd();
    assertThat(permissions(directory)).isEqualTo("rwxr-xr-x");
    assertThat(filePermissions(directory)).containsExactly("rw-------");
  }

  /** Who may write into the directory may exchange its files. */
  @Test
  void directoryThatOthersMayWriteIsRefused() throws IOException {
    Path directory = Files.createDirectory(scratch.resolve("writable"));
    for (String wide : List.of("rwxrwxrwx", "rwxrwx---", "rwx----w-", "rwxrwxr-x")) {
      set(directory, wide);
      assertThatThrownBy(() -> Rig.open(directory))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("directory must be writable by its owner only: ")
          .hasMessageContaining("directory=" + directory)
          .hasMessageContaining("permissions=" + wide);
      assertThat(permissions(directory)).isEqualTo(wide);
      assertThat(directory).isEmptyDirectory();
    }
    set(directory, "rwx------");
    Rig.open(directory).close();
  }

  /** Files of a tier that were copied, say, and lost their permissions. */
  @Test
  void filesOfTheTierAreTightened() throws IOException {
    try (DiskSecondaryCache tier = Rig.open(scratch)) {
      assertThat(Rig.put(tier, 1, 1, 1_000)).isTrue();
    }
    writers.awaitEnd();
    set(scratch.resolve("data"), "rw-rw-rw-");
    set(scratch.resolve("index.snap"), "rw-r--r--");
    try (DiskSecondaryCache tier = Rig.open(scratch)) {
      assertThat(tier.diskStats().warmStart()).as(tier.diskStats().start()).isTrue();
      assertThat(Rig.versionNow(tier, 1)).isEqualTo(1);
      assertThat(filePermissions(scratch)).containsExactly("rw-------");
    }
    writers.awaitEnd();
    assertThat(filePermissions(scratch)).containsExactly("rw-------");
  }
}
