/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.caches;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A block that counts its references, as storage engines do to free buffers by hand. It is made
 * with one, the cache's.
 */
public final class CountedBlock {
  private static final AtomicIntegerFieldUpdater<CountedBlock> REFERENCES =
      AtomicIntegerFieldUpdater.newUpdater(CountedBlock.class, "references");

  private volatile int references = 1;

  /**
   * Takes a reference unless the last one is gone.
   *
   * @return false if the block has been freed
   */
  public boolean tryRetain() {
    while (true) {
      int count = references;
      if (count == 0) {
        return false;
      }
      if (REFERENCES.compareAndSet(this, count, count + 1)) {
        return true;
      }
    }
  }

  /** Takes a reference where the caller knows that there is one. */
  public void retain() {
    REFERENCES.getAndIncrement(this);
  }

  /**
   * Gives a reference back.
   *
   * @return true if it was the last one
   */
  public boolean release() {
    return REFERENCES.decrementAndGet(this) == 0;
  }
}
