/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.errors;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A striped sum that no lack of memory keeps from counting: a {@link LongAdder} allocates stripes
 * when threads get into each other's way; what it has no memory for is counted beside it.
 */
public final class Figure extends LongAdder {
  private static final long serialVersionUID = 1L;

  private final AtomicLong beside = new AtomicLong();

  @Override
  public void add(long amount) {
    try {
      super.add(amount);
    } catch (OutOfMemoryError e) {
      beside.addAndGet(amount);
    }
  }

  @Override
  public long sum() {
    return super.sum() + beside.get();
  }
}
