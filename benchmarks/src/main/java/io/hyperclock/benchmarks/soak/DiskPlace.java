/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Where disk tiers live, one after the other, and the versions of what they keep. */
final class DiskPlace implements AutoCloseable {
  private final Path root;
  private int generation;
  private SoakVersions versions;

  DiskPlace(int keys) {
    try {
      root = Files.createTempDirectory("soak-");
    } catch (IOException e) {
      throw new UncheckedIOException("a directory for the disk tier must be made: " + e, e);
    }
    versions = new SoakVersions(keys);
  }

  Path directory() {
    return root.resolve("disk-" + generation);
  }

  /** Versions of the keys that the directory may hold values of. */
  SoakVersions versions() {
    return versions;
  }

  /** Gives the directory up: a tier that opens next begins with nothing. */
  void renew() {
    delete(directory());
    generation++;
    versions = new SoakVersions(versions.keys());
  }

  private static void delete(Path path) {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> below = Files.walk(path)) {
      List<Path> deepestFirst = below.sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the disk tier's files must be deleted: " + e, e);
    }
  }

  @Override
  public void close() {
    delete(root);
  }
}
