/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import io.hyperclock.secondary.disk.Device;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A device in memory that remembers each change made to it. */
final class MemoryDevice implements Device {
  private byte[] data = new byte[1 << 16];
  private int size;
  private byte @Nullable [] snapshot;
  private final List<Change> changes = new ArrayList<>();
  private boolean remembers = true;
  private boolean closed;

  /** Whether something was asked of it since it was opened. */
  private boolean used;

  /** A device on which nothing but {@code changes} happened; it remembers them. */
  static MemoryDevice after(List<Change> changes) {
    MemoryDevice device = new MemoryDevice();
    changes.forEach(device::apply);
    return device;
  }

  /** A device that does not remember, for long runs. */
  static MemoryDevice forgetful() {
    MemoryDevice device = new MemoryDevice();
    device.remembers = false;
    return device;
  }

  /** The same device, open again; if a tier has it, once that has closed it. */
  synchronized MemoryDevice reopened() {
    if (used) {
      awaitClosed();
    }
    used = false;
    closed = false;
    return this;
  }

  /**
   * Waits until the tier that has it has closed it. Its close waits a limited time for the thread
   * that writes, which goes on afterwards.
   */
  synchronized void awaitClosed() {
    boolean wasInterrupted = false;
    long deadline = System.nanoTime() + TierTestLimits.TIME.toNanos();
    while (!closed) {
      long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (millis <= 0) {
        throw new AssertionError("the device must be closed: seconds=" + TierTestLimits.SECONDS);
      }
      try {
        wait(millis);
      } catch (InterruptedException e) {
        wasInterrupted = true;
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Another open device of the same contents, which does not remember. */
  synchronized MemoryDevice copy() {
    MemoryDevice copy = forgetful();
    copy.data = data.clone();
    copy.size = size;
    copy.snapshot = snapshot == null ? null : snapshot.clone();
    return copy;
  }

  synchronized void apply(Change change) {
    if (change instanceof Change.Write write) {
      put(write.position(), write.bytes());
    } else if (change instanceof Change.Truncate truncate) {
      Arrays.fill(data, (int) Math.min(size, truncate.bytes()), size, (byte) 0);
      size = (int) Math.min(size, truncate.bytes());
    } else if (change instanceof Change.Snapshot other) {
      snapshot = other.bytes();
    }
    if (remembers) {
      changes.add(change);
    }
  }

  private void put(long position, byte[] bytes) {
    int end = Math.toIntExact(position + bytes.length);
    if (end > data.length) {
      data = Arrays.copyOf(data, Math.max(end, 2 * data.length));
    }
    System.arraycopy(bytes, 0, data, (int) position, bytes.length);
    size = Math.max(size, end);
  }

  /** How many changes there were. */
  synchronized int changed() {
    return changes.size();
  }

  synchronized List<Change> changes() {
    return List.copyOf(changes);
  }

  synchronized byte[] data() {
    return Arrays.copyOf(data, size);
  }

  synchronized byte @Nullable [] snapshot() {
    return snapshot == null ? null : snapshot.clone();
  }

  /** Turns bits of one byte of the data. */
  synchronized void flip(int position, int bits) {
    data[position] ^= (byte) bits;
  }

  synchronized boolean isClosed() {
    return closed;
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    used = true;
  }

  @Override
  public synchronized int read(ByteBuffer target, long position) throws IOException {
    requireOpen();
    if (position >= size) {
      return -1;
    }
    int count = (int) Math.min(target.remaining(), size - position);
    target.put(data, (int) position, count);
    return count;
  }

  @Override
  public synchronized int write(ByteBuffer source, long position) throws IOException {
    requireOpen();
    byte[] bytes = new byte[source.remaining()];
    source.get(bytes);
    apply(new Change.Write(position, bytes));
    return bytes.length;
  }

  @Override
  public synchronized void force() throws IOException {
    requireOpen();
    apply(new Change.Force());
  }

  @Override
  public synchronized long size() throws IOException {
    requireOpen();
    return size;
  }

  @Override
  public synchronized void truncate(long bytes) throws IOException {
    requireOpen();
    apply(new Change.Truncate(bytes));
  }

  @Override
  public synchronized byte @Nullable [] readSnapshot() throws IOException {
    requireOpen();
    return snapshot();
  }

  @Override
  public synchronized void writeSnapshot(byte[] bytes) throws IOException {
    requireOpen();
    apply(new Change.Snapshot(bytes.clone()));
  }

  @Override
  public synchronized void deleteSnapshot() throws IOException {
    requireOpen();
    apply(new Change.Snapshot(null));
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
