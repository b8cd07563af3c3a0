/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.testing;

import io.hyperclock.secondary.disk.Device;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A device that passes each call on to another one: the base of those that change some calls. */
public abstract class ForwardingDevice implements Device {
  private final Device under;

  /**
   * Wraps a device.
   *
   * @param under does the work
   */
  protected ForwardingDevice(Device under) {
    this.under = Objects.requireNonNull(under, "under must not be null");
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
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
