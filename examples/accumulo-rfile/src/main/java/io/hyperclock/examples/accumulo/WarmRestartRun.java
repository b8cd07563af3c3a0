/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.nio.file.Path;
import java.util.Map;

/**
 * One life of a server, in a process of its own: starts a cache, works, stops it, and writes a line
 * of {@link Measurement}. Arguments: file, block size, threads, lookups, seed, memory, then a
 * directory and its size if there is a disk.
 */
final class WarmRestartRun {
  private static final String PREFIX = "tserver.cache.config.hyperclock.data.";
  private static final int COMPILER_LOOKUPS = 15_000;

  private WarmRestartRun() {}

  public static void main(String[] args) throws Exception {
    ClassTable table = ClassTable.load(Path.of(args[0]));
    int blockBytes = Integer.parseInt(args[1]);
    int threads = Integer.parseInt(args[2]);
    int lookups = Integer.parseInt(args[3]);
    long seed = Long.parseLong(args[4]);
    long memory = Long.parseLong(args[5]);
    Map<String, String> disk =
        args.length == 6
            ? Map.of()
            : Map.of(PREFIX + "disk.directory", args[6], PREFIX + "disk.bytes", args[7]);
    JobWorkload compiled = new JobWorkload(table, threads, 0, COMPILER_LOOKUPS, seed - 1);
    try (Caches none = new Caches(CacheChoice.HYPER_CLOCK_COMPRESSED, memory, blockBytes)) {
      compiled.run(none, 0);
    }
    JobWorkload workload = new JobWorkload(table, threads, 0, lookups, seed);
    try (Caches caches = new Caches(CacheChoice.HYPER_CLOCK_COMPRESSED, memory, blockBytes, disk)) {
      System.gc();
      System.out.println(workload.run(caches, memory).toLine());
    }
    awaitWriters();
  }

  /**
   * Where the disk is slow, a tier's writer ends after its close, unless the process ends first.
   */
  private static void awaitWriters() throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().endsWith("-writer")) {
        thread.join(60_000);
      }
    }
  }
}
