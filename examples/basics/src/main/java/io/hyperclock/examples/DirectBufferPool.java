/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A pool of direct buffers of one size: memory that nobody but its user can free at the right time.
 */
final class DirectBufferPool {
  private final int bufferBytes;
  private final ConcurrentLinkedQueue<ByteBuffer> free = new ConcurrentLinkedQueue<>();
  private final AtomicInteger allocated = new AtomicInteger();
  private final AtomicInteger inUse = new AtomicInteger();

  DirectBufferPool(int bufferBytes) {
    this.bufferBytes = bufferBytes;
  }

  ByteBuffer take() {
    inUse.incrementAndGet();
    ByteBuffer buffer = free.poll();
    if (buffer == null) {
      allocated.incrementAndGet();
      buffer = ByteBuffer.allocateDirect(bufferBytes);
    }
    return buffer.clear();
  }

  void give(ByteBuffer buffer) {
    inUse.decrementAndGet();
    free.add(buffer);
  }

  int allocated() {
    return allocated.get();
  }

  int inUse() {
    return inUse.get();
  }
}
