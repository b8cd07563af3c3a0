/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The memory of a region that is filled or waits to be written. Its bytes up to {@code end} never
 * change. Readers pin it while they copy; one that no reader pins is retired and its array used
 * again, after which no pin succeeds.
 */
final class RegionBuffer {
  private static final int RETIRED = Integer.MIN_VALUE;

  final Region region;
  final byte[] bytes;
  private final AtomicInteger pins = new AtomicInteger();

  /** This and the next: guarded by the lock of the log. */
  int end;

  int written;
  boolean sealed;
  boolean dropped;

  RegionBuffer(Region region, byte[] bytes) {
    this.region = region;
    this.bytes = bytes;
  }

  boolean pin() {
    int count = pins.get();
    while (count != RETIRED) {
      if (pins.compareAndSet(count, count + 1)) {
        return true;
      }
      count = pins.get();
    }
    return false;
  }

  void unpin() {
    pins.decrementAndGet();
  }

  /** Whether the array is the caller's from now on. */
  boolean retire() {
    return pins.compareAndSet(0, RETIRED);
  }
}
