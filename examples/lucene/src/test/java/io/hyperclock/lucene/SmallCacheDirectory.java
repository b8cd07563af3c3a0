/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lucene;

import io.hyperclock.files.BlockFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.tests.util.LuceneTestCase;

/**
 * A directory with a cache of a few small blocks, which are recycled all the time; checks when it
 * closes that all memory is back. Lucene's tests use it for all they do with {@code
 * -Dtests.directory}.
 */
public class SmallCacheDirectory extends FilterDirectory {
  private final BlockFiles files;

  /** As Lucene's tests make directories. */
  public SmallCacheDirectory(Path path, LockFactory locks) throws IOException {
    this(
        new NIOFSDirectory(path, locks),
        1 << ThreadLocalRandom.current().nextInt(6, 13),
        ThreadLocalRandom.current().nextInt(4, 200));
  }

  SmallCacheDirectory(FSDirectory below, int blockBytes, int blocks) {
    this(below, files(blockBytes, blocks));
  }

  private SmallCacheDirectory(Directory below, BlockFiles files) {
    super(new BlockCacheDirectory(below, files));
    this.files = files;
  }

  private static BlockFiles files(int blockBytes, int blocks) {
    int perBlock = io.hyperclock.memory.BufferPool.capacityFor(blockBytes);
    return BlockFiles.builder()
        .blockBytes(blockBytes)
        .capacityBytes((long) Math.max(4, blocks) * perBlock)
        .prefetcher(Runnable::run, 4)
        .build();
  }

  @Override
  public void close() throws IOException {
    super.close();
    files.close();
    LuceneTestCase.assertEquals("buffers not given back", 0, files.pool().outstanding());
  }
}
