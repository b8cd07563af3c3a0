/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.lucene;

import io.hyperclock.files.BlockFiles;
import io.hyperclock.lucene.BlockCacheDirectory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  /** Who can be measured. */
  static final List<Contender> ALL =
      List.of(Contender.MMAP, Contender.HYPERCLOCK, Contender.CAFFEINE);

  /**
   * Reads per second of processor time, in millions, of the best round.
   *
   * @param inTurn every third long, forwards
   * @param atRandom each in any block
   */
  record Rates(Contender contender, double inTurn, double atRandom) {
    private static final String MARK = "hot-reads ";

    String toLine() {
      return MARK + String.format(Locale.ROOT, "%s %.2f %.2f", contender, inTurn, atRandom);
    }

    static boolean isLine(String line) {
      return line.startsWith(MARK);
    }

    static Rates fromLine(String line) {
      String[] parts = line.substring(MARK.length()).split(" ");
      return new Rates(
          Contender.valueOf(parts[0]), Double.parseDouble(parts[1]), Double.parseDouble(parts[2]));
    }
  }

  /**
   * Prints {@link Rates} of a contender; each should have a process of its own.
   *
   * @param args {@code HYPERCLOCK}, {@code CAFFEINE} or {@code MMAP}
   */
  public static void main(String[] args) throws IOException {
    System.out.println(measure(Contender.valueOf(args[0]), ROUND_NANOS).toLine());
  }

  static Rates measure(Contender contender, long roundNanos) throws IOException {
    Path path = Files.createTempDirectory("hot-reads");
    try (Directory directory = new NIOFSDirectory(path);
        IndexOutput out = directory.createOutput("longs", IOContext.DEFAULT)) {
      for (int i = 0; i < BYTES / Long.BYTES; i++) {
        out.writeLong(i);
      }
    }
    try (Directory directory = open(contender, path);
        IndexInput input = directory.openInput("longs", IOContext.DEFAULT)) {
      RandomAccessInput longs = input.randomAccessSlice(0, BYTES);
      return new Rates(contender, best(longs, false, roundNanos), best(longs, true, roundNanos));
    } finally {
      Files.delete(path.resolve("longs"));
      Files.delete(path);
    }
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

  /** Of this thread, so that others which run at the same time do not count. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** Millions a second of the best round. */
  private static double best(RandomAccessInput longs, boolean random, long roundNanos)
      throws IOException {
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long start = cpuNanos();
      long reads = 0;
      long state = 1;
      while (cpuNanos() - start < roundNanos) {
        for (int i = 0; i < 10_000; i++) {
          state = random ? state * 6364136223846793005L + 1442695040888963407L : state + (3L << 33);
          long at = (state >>> 33) % (BYTES / Long.BYTES) * Long.BYTES;
          if (longs.readLong(at) != at / Long.BYTES) {
            throw new IllegalStateException("read must be right: position=" + at);
          }
        }
        reads += 10_000;
      }
      best = Math.max(best, reads / ((cpuNanos() - start) / 1e3));
    }
    return best;
  }
}
