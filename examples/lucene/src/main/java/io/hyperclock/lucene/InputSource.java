/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lucene;

import io.hyperclock.files.BlockSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.lucene.store.IndexInput;

/** Reads blocks from an input of the directory below. */
final class InputSource implements BlockSource {
  private static final int MOST_KEPT_BYTES = 64 << 10;

  static final ThreadLocal<byte[]> SCRATCH = ThreadLocal.withInitial(() -> new byte[0]);

  private final IndexInput input;
  private final long length;

  InputSource(IndexInput input) {
    this.input = input;
    this.length = input.length();
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public long readAt(long position, ByteBuffer[] into) throws IOException {
    long wanted = 0;
    for (ByteBuffer buffer : into) {
      wanted += buffer.remaining();
    }
    int count = (int) Math.min(wanted, length - position);
    if (count <= 0) {
      return 0;
    }
    byte[] bytes = SCRATCH.get();
    if (bytes.length < count) {
      bytes = new byte[count];
      if (count <= MOST_KEPT_BYTES) {
        SCRATCH.set(bytes);
      }
    }
    IndexInput own;
    synchronized (input) {
      own = input.clone();
    }
    own.seek(position);
    own.readBytes(bytes, 0, count, false);
    int done = 0;
    for (ByteBuffer buffer : into) {
      int part = Math.min(buffer.remaining(), count - done);
      buffer.put(bytes, done, part);
      done += part;
    }
    return done;
  }

  @Override
  public void close() throws IOException {
    input.close();
  }

  @Override
  public String toString() {
    return input.toString();
  }
}
