/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A device whose calls are noted while they are under way. */
final class WatchedDevice implements Device {
  private final Device under;
  private final CallWatch reads;
  private final CallWatch writes;

  /**
   * @param reads of the data
   * @param writes all other calls: those of the writer
   */
  WatchedDevice(Device under, CallWatch reads, CallWatch writes) {
    this.under = under;
    this.reads = reads;
    this.writes = writes;
  }

  /** A call of the writer that gives nothing. */
  private interface Call {
    void make() throws IOException;
  }

  private void noted(Call call) throws IOException {
    int place = writes.begin();
    try {
      call.make();
    } finally {
      writes.end(place);
    }
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    int place = reads.begin();
    try {
      return under.read(target, position);
    } finally {
      reads.end(place);
    }
  }

  @Override
  public boolean readsDirectly() {
    return under.readsDirectly();
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    int place = writes.begin();
    try {
      return under.write(source, position);
    } finally {
      writes.end(place);
    }
  }

  @Override
  public void force() throws IOException {
    noted(under::force);
  }

  @Override
  public long size() throws IOException {
    int place = writes.begin();
    try {
      return under.size();
    } finally {
      writes.end(place);
    }
  }

  @Override
  public void truncate(long bytes) throws IOException {
    noted(() -> under.truncate(bytes));
  }

  @Override
  public byte @Nullable [] readSnapshot() throws IOException {
    int place = writes.begin();
    try {
      return under.readSnapshot();
    } finally {
      writes.end(place);
    }
  }

  @Override
  public void writeSnapshot(byte[] bytes) throws IOException {
    noted(() -> under.writeSnapshot(bytes));
  }

  @Override
  public void deleteSnapshot() throws IOException {
    noted(under::deleteSnapshot);
  }

  @Override
  public void writeRestartList(byte[] bytes) throws IOException {
    noted(() -> under.writeRestartList(bytes));
  }

  @Override
  public byte @Nullable [] takeRestartList() throws IOException {
    int place = writes.begin();
    try {
      return under.takeRestartList();
    } finally {
      writes.end(place);
    }
  }

  @Override
  public void close() throws IOException {
    noted(under::close);
  }
}
