/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.PartialKey;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.file.blockfile.impl.CachableBlockFile.CachableBuilder;
import org.apache.accumulo.core.file.blockfile.impl.CacheProvider;
import org.apache.accumulo.core.file.rfile.RFile;
import org.apache.accumulo.core.spi.crypto.NoCryptoServiceFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * Reads classes from the RFile by name. For one thread; any number of readers may share their
 * caches.
 */
final class ClassReader implements AutoCloseable {
  /**
   * How the engine's LRU cache fails a read whose block its evicting thread takes before the size
   * of the block is counted: https://github.com/apache/accumulo/issues/1973
   */
  private static final String LOST_RACE = "Block was evicted";

  private static final int MAX_SEEKS = 10;
  private static final Set<ByteSequence> ALL_FAMILIES = Set.of();

  private final RFile.Reader reader;

  /**
   * Opens the file.
   *
   * @param file an RFile
   * @param caches where its blocks are kept
   * @throws IOException if it cannot be read
   */
  ClassReader(Path file, CacheProvider caches) throws IOException {
    Configuration configuration = new Configuration();
    reader =
        new RFile.Reader(
            new CachableBuilder()
                .fsPath(FileSystem.getLocal(configuration), hadoopPath(file))
                .conf(configuration)
                .cryptoService(NoCryptoServiceFactory.NONE)
                .cacheProvider(caches));
  }

  /**
   * First part of the name of each cached block of a file.
   *
   * @param file an RFile
   * @return the part that tells the file
   */
  static String cacheId(Path file) {
    return hadoopPath(file).toString();
  }

  /**
   * Seeks a class, again if the engine's LRU cache failed the read with its race (the failure is
   * one of a read, not of the cache: a server's client repeats its scan too).
   *
   * @param name internal name
   * @return the class file, or null if the file has none of that name
   * @throws IOException if reading fails
   */
  byte @Nullable [] read(String name) throws IOException {
    Key row = new Key(name.getBytes(StandardCharsets.UTF_8));
    Range range = new Range(row, true, row.followingKey(PartialKey.ROW), false);
    for (int seeks = 1; ; seeks++) {
      try {
        reader.seek(range, ALL_FAMILIES, false);
        return reader.hasTop() ? reader.getTopValue().get() : null;
      } catch (IllegalStateException e) {
        if (seeks == MAX_SEEKS || !String.valueOf(e.getMessage()).startsWith(LOST_RACE)) {
          throw e;
        }
      }
    }
  }

  /**
   * Reads the file from its first row to its last.
   *
   * @return number of rows
   * @throws IOException if reading fails
   */
  int readAll() throws IOException {
    int rows = 0;
    for (reader.seek(new Range(), ALL_FAMILIES, false); reader.hasTop(); reader.next()) {
      rows++;
    }
    return rows;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  private static org.apache.hadoop.fs.Path hadoopPath(Path file) {
    return new org.apache.hadoop.fs.Path(file.toUri());
  }
}
