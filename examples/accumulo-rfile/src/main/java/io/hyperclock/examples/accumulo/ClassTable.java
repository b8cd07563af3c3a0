/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.accumulo.core.client.rfile.RFile;
import org.apache.accumulo.core.client.rfile.RFileWriter;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * An RFile with one row for each class of the running JDK (row: the internal name; value: the class
 * file), and what is needed to work with it.
 *
 * @param file the RFile
 * @param classes names of all rows, sorted
 * @param blocks names under which the file's data blocks are cached, in file order
 * @param rawBytes length of all class files together
 */
record ClassTable(Path file, List<String> classes, List<String> blocks, long rawBytes) {

  /**
   * Opens the table of the running JDK, building it if it is not there.
   *
   * @param directory where it is or will be
   * @param blockBytes size at which a data block is closed
   * @return the table
   * @throws IOException if the file system fails
   */
  static ClassTable open(Path directory, int blockBytes) throws IOException {
    return open(directory, blockBytes, classFiles("/modules"));
  }

  /**
   * Opens the table of given classes, building it if it is not there.
   *
   * @param directory where it is or will be
   * @param blockBytes size at which a data block is closed
   * @param classFiles where the class files are, by internal name
   * @return the table
   * @throws IOException if the file system fails
   */
  static ClassTable open(Path directory, int blockBytes, Map<String, Path> classFiles)
      throws IOException {
    Files.createDirectories(directory);
    String name =
        "jdk-%s-%d-classes-%dk.rf"
            .formatted(Runtime.version(), classFiles.size(), blockBytes >> 10)
            .replace('+', '_');
    Path file = directory.toAbsolutePath().normalize().resolve(name);
    Path catalog = catalogOf(file);
    if (!Files.exists(catalog)) {
      long rawBytes = write(file, blockBytes, classFiles);
      BlockNames blocks = new BlockNames();
      try (ClassReader reader = new ClassReader(file, blocks)) {
        reader.readAll();
      }
      writeCatalog(file, classFiles, blocks.names(), rawBytes);
    }
    return load(file);
  }

  /**
   * Opens a table that {@link #open} has built.
   *
   * @param file the RFile
   * @return the table
   * @throws IOException if it cannot be read
   */
  static ClassTable load(Path file) throws IOException {
    List<String> lines = Files.readAllLines(catalogOf(file), StandardCharsets.UTF_8);
    String[] counts = lines.get(0).split(" ");
    int classes = Integer.parseInt(counts[0]);
    String prefix = ClassReader.cacheId(file);
    return new ClassTable(
        file,
        List.copyOf(lines.subList(1, 1 + classes)),
        lines.subList(1 + classes, lines.size()).stream().map(prefix::concat).toList(),
        Long.parseLong(counts[1]));
  }

  /**
   * Class files of the running JDK.
   *
   * @param root directory in its image, {@code /modules} for all
   * @return their places by internal name, sorted by the bytes of the name
   * @throws IOException if the image cannot be read
   */
  static Map<String, Path> classFiles(String root) throws IOException {
    Map<String, Path> files =
        new TreeMap<>(
            Comparator.comparing(
                name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned));
    Path image = FileSystems.getFileSystem(URI.create("jrt:/")).getPath(root);
    try (Stream<Path> paths = Files.walk(image)) {
      paths.filter(path -> path.toString().endsWith(".class")).forEach(path -> add(files, path));
    }
    files.remove("module-info");
    return files;
  }

  private static void add(Map<String, Path> files, Path path) {
    Path inModule = path.subpath(2, path.getNameCount());
    String name = inModule.toString();
    files.put(name.substring(0, name.length() - ".class".length()), path);
  }

  private static long write(Path file, int blockBytes, Map<String, Path> classFiles)
      throws IOException {
    Files.deleteIfExists(file);
    long rawBytes = 0;
    try (FileSystem files = FileSystem.newInstanceLocal(new Configuration());
        RFileWriter writer =
            RFile.newWriter()
                .to(file.toString())
                .withFileSystem(files)
                .withTableProperties(
                    Map.of(
                        "table.file.compress.type",
                        "gz",
                        "table.file.compress.blocksize",
                        Integer.toString(blockBytes)))
                .build()) {
      for (Map.Entry<String, Path> entry : classFiles.entrySet()) {
        byte[] bytes = Files.readAllBytes(entry.getValue());
        writer.append(new Key(entry.getKey()), new Value(bytes, false));
        rawBytes += bytes.length;
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return rawBytes;
  }

  private static void writeCatalog(
      Path file, Map<String, Path> classFiles, List<String> blocks, long rawBytes)
      throws IOException {
    List<String> lines = new ArrayList<>(1 + classFiles.size() + blocks.size());
    lines.add(classFiles.size() + " " + rawBytes);
    lines.addAll(classFiles.keySet());
    int prefix = ClassReader.cacheId(file).length();
    blocks.forEach(block -> lines.add(block.substring(prefix)));
    Path unfinished = file.resolveSibling(file.getFileName() + ".tmp");
    Files.write(unfinished, lines, StandardCharsets.UTF_8);
    Files.move(unfinished, catalogOf(file), StandardCopyOption.ATOMIC_MOVE);
  }

  private static Path catalogOf(Path file) {
    return file.resolveSibling(file.getFileName() + ".catalog");
  }
}
