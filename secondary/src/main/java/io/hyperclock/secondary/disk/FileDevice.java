/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Three files in a directory that nobody else uses: {@code data}, {@code index.snap} and {@code
 * lock}, which is locked as long as the device is open.
 */
public final class FileDevice implements Device {
  private FileDevice(Path directory) {
    throw new UnsupportedOperationException();
  }

  /**
   * Opens a directory and locks it.
   *
   * @param directory made if it is not there, with all parents
   * @return the device
   * @throws IllegalStateException if another device, in this process or another, has the directory
   *     open
   * @throws java.io.UncheckedIOException if the directory or its files cannot be made or opened
   */
  public static FileDevice open(Path directory) {
    return new FileDevice(directory);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void force() throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public long size() throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void truncate(long bytes) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public byte @Nullable [] readSnapshot() throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void writeSnapshot(byte[] bytes) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void deleteSnapshot() throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() throws IOException {
    throw new UnsupportedOperationException();
  }
}
