/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A small device in memory. */
final class HeapDevice implements Device {
  private final byte[] data = new byte[1 << 20];
  private int size;

  @Override
  public synchronized int read(ByteBuffer target, long position) {
    if (position >= size) {
      return -1;
    }
    int count = (int) Math.min(target.remaining(), size - position);
    target.put(data, (int) position, count);
    return count;
  }

  @Override
  public synchronized int write(ByteBuffer source, long position) {
    int count = source.remaining();
    source.get(data, (int) position, count);
    size = Math.max(size, (int) position + count);
    return count;
  }

  @Override
  public void force() {}

  @Override
  public synchronized long size() {
    return size;
  }

  @Override
  public synchronized void truncate(long bytes) {
    size = (int) Math.min(size, bytes);
  }

  @Override
  public byte @Nullable [] readSnapshot() {
    return null;
  }

  @Override
  public void writeSnapshot(byte[] bytes) {}

  @Override
  public void deleteSnapshot() {}

  @Override
  public void close() {}
}
