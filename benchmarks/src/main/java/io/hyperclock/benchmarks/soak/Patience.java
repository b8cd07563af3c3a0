/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** How long to wait for something that must happen. */
record Patience(long nanos) {
  /** Waits until something holds; false if it does not in time. */
  boolean until(BooleanSupplier condition) {
    long end = System.nanoTime() + nanos;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        return condition.getAsBoolean();
      }
      LockSupport.parkNanos(200_000);
    }
    return true;
  }
}
