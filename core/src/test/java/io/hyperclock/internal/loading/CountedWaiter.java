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

  CountedWaiter(AtomicInteger served, AtomicInteger failed) {
    super(false, true);
    this.served = served;
    this.failed = failed;
  }

  @Override
  void serve(Key128 key, SharedResult<Object> shared) {
    served.incrementAndGet();
  }

  @Override
  void startAnew() {}

  @Override
  void fail() {
    failed.incrementAndGet();
  }
}
