/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import io.hyperclock.secondary.disk.Device;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Anything that the system lets open as a file, for its errors; keeps no snapshot. */
final class PathDevice implements Device {
  private final RandomAccessFile file;

  PathDevice(Path path) throws IOException {
    file = new RandomAccessFile(path.toFile(), "rw");
  }

  @Override
  public synchronized int read(ByteBuffer target, long position) throws IOException {
    file.seek(position);
    int count = file.read(target.array(), target.position(), target.remaining());
    target.position(target.position() + Math.max(0, count));
    return count;
  }

  @Override
  public synchronized int write(ByteBuffer source, long position) throws IOException {
    file.seek(position);
    int count = source.remaining();
    file.write(source.array(), source.position(), count);
    source.position(source.limit());
    return count;
  }

  @Override
  public void force() {}

  @Override
  public long size() throws IOException {
    return file.length();
  }

  @Override
  public void truncate(long bytes) {}

  @Override
  public byte @Nullable [] readSnapshot() {
    return null;
  }

  @Override
  public void writeSnapshot(byte[] bytes) {}

  @Override
  public void deleteSnapshot() {}

  @Override
  public void close() throws IOException {
    file.close();
  }
}
