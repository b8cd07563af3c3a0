/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model.parity;

import io.hyperclock.InsertResult;
import io.hyperclock.entry.Priority;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the workloads need of a cache: the real one or the oracle. Keys stand for their values. */
interface ParityCache {
  /** One reference. */
  interface Pin {
    BenchKey key();

    boolean isStandalone();

    /** True if the entry was freed by it. */
    boolean release(boolean useful, boolean eraseIfLast);
  }

  @Nullable Pin lookup(BenchKey key);

  InsertResult insert(BenchKey key, long chargeBytes, Priority priority);

  Pin insertPinned(BenchKey key, long chargeBytes, Priority priority);

  boolean erase(BenchKey key);

  long occupancy();

  long usageBytes();

  long pinnedUsageBytes();

  long slots();

  /** Keys evicted since the last call, in order. */
  List<BenchKey> drainEvicted();
}
