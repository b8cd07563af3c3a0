/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.FileKey;
import io.hyperclock.entry.FileKeys;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads blocks of a file through a cache: run it with a file of your own, or without. */
public final class Quickstart {
  private static final int BLOCK = 4096;

  private Quickstart() {}

  /**
   * Reads the file twice, block by block, and prints how often the disk was asked.
   *
   * @param args the path of a file, or nothing
   * @throws IOException if it cannot be read
   */
  public static void main(String[] args) throws IOException {
    Path path = args.length > 0 ? Path.of(args[0]) : sample();
    System.out.println(readTwice(path) + " blocks read from disk");
  }

  static int readTwice(Path path) throws IOException {
    int diskReads = 0;
    try (BlockCache<byte[]> cache = BlockCache.<byte[]>builder().capacityBytes(64 << 20).build();
        RandomAccessFile disk = new RandomAccessFile(path.toFile(), "r")) {
      FileKeys files = cache.fileKeys();
      // A file that is written again needs another number, so that no old block is found for it.
      // Enough here: an engine counts, for two writes may fall into one tick of this clock.
      long written = Files.getLastModifiedTime(path).toMillis();
      FileKey file = files.open(path.toString(), written);
      for (int pass = 0; pass < 2; pass++) {
        for (long offset = 0; offset < disk.length(); offset += BLOCK) {
          byte[] block = cache.get(file.hi(), file.lo(offset));
          if (block == null) {
            block = new byte[(int) Math.min(BLOCK, disk.length() - offset)];
            disk.seek(offset);
            disk.readFully(block);
            diskReads++;
            cache.insert(file.hi(), file.lo(offset), block, block.length);
          }
        }
      }
      files.drop(file);
    }
    return diskReads;
  }

  private static Path sample() throws IOException {
    Path path = Files.createTempFile("quickstart", ".dat");
    path.toFile().deleteOnExit();
    return Files.write(path, new byte[10 * BLOCK + 1]);
  }
}
