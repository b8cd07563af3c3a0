/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.lucene;

import io.hyperclock.files.BlockFiles;
import io.hyperclock.lucene.BlockCacheDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.RandomAccessInput;

/** Single reads of cached blocks, which search makes by the million: in turn and at random. */
public final class HotReads {
  private static final int BYTES = 32 << 20;
  private static final int ROUNDS = 5;
  private static final long ROUND_NANOS = 500_000_000L;

  private HotReads() {}

  /**
   * Prints reads per second of a contender.
   *
   * @param args {@code HYPERCLOCK}, {@code CAFFEINE} or {@code MMAP}; without any each of them, one
   *     after the other in this process
   */
  public static void main(String[] args) throws IOException {
    Path path = Files.createTempDirectory("hot-reads");
    try (Directory directory = new NIOFSDirectory(path);
        IndexOutput out = directory.createOutput("longs", IOContext.DEFAULT)) {
      for (int i = 0; i < BYTES / Long.BYTES; i++) {
        out.writeLong(i);
      }
    }
    String[] names = args.length == 0 ? new String[] {"MMAP", "HYPERCLOCK", "CAFFEINE"} : args;
    for (String name : names) {
      try (Directory directory = open(Contender.valueOf(name), path);
          IndexInput input = directory.openInput("longs", IOContext.DEFAULT)) {
        RandomAccessInput longs = input.randomAccessSlice(0, BYTES);
        System.out.printf(
            Locale.ROOT,
            "%-12s in turn %6.1f M/s, at random %6.1f M/s%n",
            name,
            best(longs, false),
            best(longs, true));
      }
    }
    Files.delete(path.resolve("longs"));
    Files.delete(path);
  }

  private static Directory open(Contender contender, Path path) throws IOException {
    return switch (contender) {
      case HYPERCLOCK ->
          new BlockCacheDirectory(
              new NIOFSDirectory(path), BlockFiles.builder().capacityBytes(2L * BYTES).build());
      case CAFFEINE ->
          new CaffeineDirectory(new NIOFSDirectory(path), new CaffeineBlocks(2L * BYTES));
      case MMAP -> new MMapDirectory(path);
      case NIOFS -> new NIOFSDirectory(path);
    };
  }

  /** Millions a second of the best round. */
  private static double best(RandomAccessInput longs, boolean random) throws IOException {
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      long reads = 0;
      long state = 1;
      while (System.nanoTime() - start < ROUND_NANOS) {
        for (int i = 0; i < 10_000; i++) {
          state = random ? state * 6364136223846793005L + 1442695040888963407L : state + (3L << 33);
          long at = (state >>> 33) % (BYTES / Long.BYTES) * Long.BYTES;
          if (longs.readLong(at) != at / Long.BYTES) {
            throw new IllegalStateException("read must be right: position=" + at);
          }
        }
        reads += 10_000;
      }
      best = Math.max(best, reads / ((System.nanoTime() - start) / 1e3));
    }
    return best;
  }
}
