/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.entry.Key128;
import java.util.concurrent.atomic.AtomicInteger;

/** A guest that counts how often it is served, and how often it hears that there is no memory. */
final class CountedWaiter extends Waiter<Object> {
  private final AtomicInteger served;
  private final AtomicInteger failed;

  /** Whether it waits no more. */
  volatile boolean gaveUp;

  /** Whether there is no memory to serve it. */
  boolean cannotBeServed;

  CountedWaiter(AtomicInteger served, AtomicInteger failed) {
    super(false);
    this.served = served;
    this.failed = failed;
  }

  /** How often it was served, or heard that there is no memory. */
  int heard() {
    return served == failed ? served.get() : served.get() + failed.get();
  }

  /** How many wait for a load that is not over: those who gave up count until they are unlinked. */
  static int linked(InFlightLoad<?> flight) {
    int linked = 0;
    Waiter<?> waiter = (Waiter<?>) flight.waiters.get();
    for (; waiter != null; waiter = waiter.next) {
      linked++;
    }
    return linked;
  }

  @Override
  boolean isDone() {
    return gaveUp;
  }

  @Override
  void serve(Key128 key, SharedResult<Object> shared) {
    requireMemory();
    served.incrementAndGet();
  }

  @Override
  void startAnew() {
    requireMemory();
  }

  private void requireMemory() {
    if (cannotBeServed) {
      throw new OutOfMemoryError("test");
    }
  }

  @Override
  void fail() {
    failed.incrementAndGet();
  }
}
