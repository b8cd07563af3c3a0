/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import java.util.concurrent.atomic.AtomicLong;

/** The time by which tiers and loads are measured, as a test tells it. */
public final class ScriptedClock {
  private final AtomicLong nanos = new AtomicLong(1_000_000);

  /** Goes on, or back. */
  public void pass(long nanosMore) {
    nanos.addAndGet(nanosMore);
  }

  /** Lets a cache go by this clock. */
  public <V> TieredBlockCacheBuilder<V> in(TieredBlockCacheBuilder<V> builder) {
    return builder.clock(nanos::get);
  }
}
