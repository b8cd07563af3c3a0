/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.lucene;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** Java sources to index, in archives. */
record Corpus(List<Path> archives, String name) {
  private static final String OWN = "src.zip of JDK ";

  /** Takes one source file. */
  interface Reader {
    void read(String path, String text) throws IOException;
  }

  /**
   * The sources of the running JDK, of one installed beside it, or else those that Maven has
   * fetched; null without any.
   */
  static @Nullable Corpus find() throws IOException {
    return find(
        Path.of(System.getProperty("java.home")),
        Path.of(System.getProperty("user.home"), ".m2", "repository"));
  }

  static @Nullable Corpus find(Path home, Path repository) throws IOException {
    Path own = home.resolve("lib/src.zip");
    if (Files.isReadable(own)) {
      return new Corpus(List.of(own.toRealPath()), OWN + Runtime.version());
    }
    try (Stream<Path> others = Files.list(home.resolve(".."))) {
      Optional<Path> zip =
          others
              .sorted()
              .map(other -> other.resolve("lib/src.zip"))
              .filter(Files::isReadable)
              .findFirst();
      if (zip.isPresent()) {
        Path real = zip.get().toRealPath();
        return new Corpus(List.of(real), "src.zip of " + real.getName(real.getNameCount() - 3));
      }
    }
    if (!Files.isDirectory(repository)) {
      return null;
    }
    try (Stream<Path> files = Files.walk(repository)) {
      List<Path> jars =
          files.filter(file -> file.toString().endsWith("-sources.jar")).sorted().toList();
      return jars.isEmpty() ? null : new Corpus(jars, jars.size() + " sources jars of Maven");
    }
  }

  /** Whether it is that of the running JDK. */
  boolean isOwn() {
    return name.startsWith(OWN);
  }

  void forEach(Reader reader) throws IOException {
    for (Path archive : archives) {
      try (ZipFile zip = new ZipFile(archive.toFile())) {
        List<? extends ZipEntry> entries =
            zip.stream()
                .filter(entry -> entry.getName().endsWith(".java"))
                .sorted(Comparator.comparing(ZipEntry::getName))
                .toList();
        for (ZipEntry entry : entries) {
          byte[] bytes = zip.getInputStream(entry).readAllBytes();
          reader.read(entry.getName(), new String(bytes, StandardCharsets.UTF_8));
        }
      }
    }
  }
}
