/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.tiers;

import io.hyperclock.secondary.disk.Device;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A device whose reads take longer, any number of them at once: a disk with a deep queue. */
public final class SlowDevice implements Device {
  private final Device under;
  private final long readNanos;

  /**
   * Wraps a device.
   *
   * @param under does the work
   * @param readNanos what a read waits
   */
  public SlowDevice(Device under, long readNanos) {
    this.under = under;
    this.readNanos = readNanos;
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    if (readNanos > 0) {
      long until = System.nanoTime() + readNanos;
      for (long left = readNanos; left > 0; left = until - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
    }
    return under.read(target, position);
  }

  @Override
  public boolean readsDirectly() {
    return under.readsDirectly();
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    return under.write(source, position);
  }

  @Override
  public void force() throws IOException {
    under.force();
  }

  @Override
  public long size() throws IOException {
    return under.size();
  }

  @Override
  public void truncate(long bytes) throws IOException {
    under.truncate(bytes);
  }

  @Override
  public byte @Nullable [] readSnapshot() throws IOException {
    return under.readSnapshot();
  }

  @Override
  public void writeSnapshot(byte[] bytes) throws IOException {
    under.writeSnapshot(bytes);
  }

  @Override
  public void deleteSnapshot() throws IOException {
    under.deleteSnapshot();
  }

  @Override
  public void writeRestartList(byte[] bytes) throws IOException {
    under.writeRestartList(bytes);
  }

  @Override
  public byte @Nullable [] takeRestartList() throws IOException {
    return under.takeRestartList();
  }

  @Override
  public void close() throws IOException {
    under.close();
  }
}
