/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lucene;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** Counts the reads of blocks. */
final class CountingDirectory extends FilterDirectory {
  private final AtomicLong reads = new AtomicLong();

  CountingDirectory(Directory below) {
    super(below);
  }

  long reads() {
    return reads.get();
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return new Counting(in.openInput(name, context));
  }

  private final class Counting extends FilterIndexInput {
    Counting(IndexInput in) {
      super(in.toString(), in);
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int count) throws IOException {
      reads.incrementAndGet();
      super.readBytes(bytes, offset, count);
    }

    @Override
    public IndexInput clone() {
      return new Counting(in.clone());
    }
  }
}
