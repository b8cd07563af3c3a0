/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lucene;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.tests.store.BaseChunkedDirectoryTestCase;

/** Lucene's own tests of directories that read in chunks, and, inherited, of any directory. */
public class BlockCacheDirectoryTest extends BaseChunkedDirectoryTestCase {
  @Override
  protected Directory getDirectory(Path path, int maxChunkSize) throws IOException {
    int blockBytes = Math.min(64 << 10, Math.max(64, Integer.highestOneBit(maxChunkSize)));
    return new SmallCacheDirectory(new NIOFSDirectory(path), blockBytes, random().nextInt(100));
  }
}
