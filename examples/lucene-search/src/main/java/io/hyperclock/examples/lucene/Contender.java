/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.lucene;

import io.hyperclock.files.BlockFiles;
import io.hyperclock.files.FileStats;
import io.hyperclock.lucene.BlockCacheDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;

/** Ways to read the index. */
enum Contender {
  HYPERCLOCK("HyperClock", true),
  CAFFEINE("Caffeine + counted buffers", true),
  NIOFS("NIOFS", false),
  MMAP("MMap", false);

  final String label;

  /** Whether it has a budget. */
  final boolean caches;

  Contender(String label, boolean caches) {
    this.label = label;
    this.caches = caches;
  }

  /** An opened index with its figures. */
  record Opened(
      Directory directory,
      SlowDirectory below,
      LongSupplier lookups,
      LongSupplier misses,
      LongSupplier poolBytes) {}

  Opened open(Path index, long budgetBytes) throws IOException {
    Directory raw = this == MMAP ? new MMapDirectory(index) : new NIOFSDirectory(index);
    SlowDirectory slow = new SlowDirectory(raw);
    switch (this) {
      case HYPERCLOCK -> {
        BlockFiles files = BlockFiles.builder().capacityBytes(budgetBytes).build();
        return new Opened(
            new BlockCacheDirectory(slow, files),
            slow,
            () -> lookups(files.stats()),
            () -> files.stats().misses(),
            () -> files.pool().allocatedBytes());
      }
      case CAFFEINE -> {
        CaffeineBlocks blocks = new CaffeineBlocks(budgetBytes);
        return new Opened(
            new CaffeineDirectory(slow, blocks),
            slow,
            blocks::lookups,
            blocks::misses,
            () -> blocks.pool().allocatedBytes());
      }
      case NIOFS -> {
        // Its inputs read the channel through buffers of their own; all of that is delayed.
        return new Opened(slow, slow, () -> 0, () -> 0, () -> 0);
      }
      default -> {
        // Mapped memory cannot be delayed: the page cache serves it.
        return new Opened(raw, slow, () -> 0, () -> 0, () -> 0);
      }
    }
  }

  private static long lookups(FileStats stats) {
    return stats.hits() + stats.misses();
  }
}
