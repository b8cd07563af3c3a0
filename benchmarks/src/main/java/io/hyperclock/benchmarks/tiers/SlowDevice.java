/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.tiers;

import io.hyperclock.secondary.disk.Device;
import io.hyperclock.secondary.testing.ForwardingDevice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/** A device whose reads take longer, any number of them at once: a disk with a deep queue. */
public final class SlowDevice extends ForwardingDevice {
  private final long readNanos;

  /**
   * Wraps a device.
   *
   * @param under does the work
   * @param readNanos what a read waits
   */
  public SlowDevice(Device under, long readNanos) {
    super(under);
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
    return super.read(target, position);
  }
}
