/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lucene;

import io.hyperclock.files.BlockSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the reads of a source. */
record CountingSource(BlockSource source, AtomicLong reads) implements BlockSource {
  @Override
  public long length() throws IOException {
    return source.length();
  }

  @Override
  public long readAt(long position, ByteBuffer[] into) throws IOException {
    reads.incrementAndGet();
    return source.readAt(position, into);
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
