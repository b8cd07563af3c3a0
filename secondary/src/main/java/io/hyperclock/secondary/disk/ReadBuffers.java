/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.secondary.internal.pool.Pool;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The {@link ReadBuffer}s of a tier: as many outside of the heap as the pool keeps, whichever
 * thread reads; more lookups at once take arrays. So memory outside of the heap is bounded, and
 * none is left to the collector.
 *
 * <p>A buffer has one owner, from {@link #take} to {@link #giveBack}, which each owner calls once,
 * in a finally block of the same method. Nothing that is made from its bytes outlives that but by a
 * copy: two readers of one buffer would be a wrong value that no checksum sees.
 */
final class ReadBuffers {
  private final boolean isDirect;
  private final Pool<ReadBuffer> pool = new Pool<>(this::make, any -> noPlace());
  private final AtomicInteger made = new AtomicInteger();

  /**
   * @param isDirect whether the device takes buffers outside of the heap
   */
  ReadBuffers(boolean isDirect) {
    this.isDirect = isDirect;
  }

  private ReadBuffer make() {
    boolean mayBeKept =
        isDirect && made.getAndUpdate(count -> Math.min(count + 1, Pool.SIZE)) < Pool.SIZE;
    return new ReadBuffer(mayBeKept);
  }

  /** One that is kept has come back and found no place, as others came and went. */
  private void noPlace() {
    made.decrementAndGet();
  }

  ReadBuffer take() {
    return pool.take();
  }

  /** By its owner, who does not touch it any more. */
  void giveBack(ReadBuffer buffer) {
    if (buffer.isDirect()) {
      pool.giveBack(buffer);
    }
  }
}
