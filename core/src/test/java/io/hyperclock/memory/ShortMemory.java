/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memory;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A JVM that gives so many bytes of direct memory and no more, and a clock that tests set. */
public final class ShortMemory {
  public final AtomicLong leftBytes;
  public final AtomicInteger calls = new AtomicInteger();
  public final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 5);

  private final List<WeakReference<ByteBuffer>> given = new ArrayList<>();

  /** Gives so many bytes. */
  public ShortMemory(long bytes) {
    leftBytes = new AtomicLong(bytes);
  }

  /** A pool that has its memory from here. */
  public BufferPool pool(long maxBytes) {
    return new BufferPool(maxBytes, this::allocate, nanoTime::get);
  }

  private ByteBuffer allocate(int bytes) {
    calls.incrementAndGet();
    if (leftBytes.addAndGet(-bytes) < 0) {
      leftBytes.addAndGet(bytes);
      throw new OutOfMemoryError("Cannot reserve so many bytes of direct buffer memory: " + bytes);
    }
    ByteBuffer memory = ByteBuffer.allocateDirect(bytes);
    given.add(new WeakReference<>(memory));
    return memory;
  }

  /** Waits until the collector has freed all but so many pieces of memory. */
  void awaitFreed(int left) {
    long end = System.nanoTime() + 60_000_000_000L;
    while (given.stream().map(WeakReference::get).filter(Objects::nonNull).count() > left) {
      System.gc();
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("the collector must free what was given up");
      }
    }
  }
}
