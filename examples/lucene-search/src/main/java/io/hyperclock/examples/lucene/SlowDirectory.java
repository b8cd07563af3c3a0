/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.lucene;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** Counts the reads of a directory and makes each take time, as remote storage does. */
final class SlowDirectory extends FilterDirectory {
  private final LongAdder reads = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private volatile long delayNanos;

  SlowDirectory(Directory below) {
    super(below);
  }

  long reads() {
    return reads.sum();
  }

  long bytes() {
    return bytes.sum();
  }

  void delayMicros(long micros) {
    delayNanos = micros * 1000;
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return new SlowInput(in.openInput(name, context));
  }

  private final class SlowInput extends IndexInput {
    private final IndexInput input;

    SlowInput(IndexInput input) {
      super(input.toString());
      this.input = input;
    }

    @Override
    public byte readByte() throws IOException {
      return input.readByte();
    }

    @Override
    public void readBytes(byte[] into, int offset, int count) throws IOException {
      reads.increment();
      bytes.add(count);
      if (delayNanos > 0) {
        LockSupport.parkNanos(delayNanos);
      }
      input.readBytes(into, offset, count);
    }

    @Override
    public void close() throws IOException {
      input.close();
    }

    @Override
    public long getFilePointer() {
      return input.getFilePointer();
    }

    @Override
    public void seek(long position) throws IOException {
      input.seek(position);
    }

    @Override
    public long length() {
      return input.length();
    }

    @Override
    public IndexInput clone() {
      return new SlowInput(input.clone());
    }

    @Override
    public IndexInput slice(String description, long offset, long length) throws IOException {
      return new SlowInput(input.slice(description, offset, length));
    }
  }
}
