/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.sizing.ForcedSizes;
import io.hyperclock.internal.sizing.SizingRule;
import io.hyperclock.internal.sizing.TableSizing;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Caches that size themselves more often than is of use: in turn the table of a shard becomes
 * larger, as large as it is, and as large as the first.
 */
public final class ForcedSizing implements ForcedSizes {
  /** Where hardly a key has two full buckets. */
  private static final double LOAD = 0.4;

  private final int every;
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger firstSlots = new AtomicInteger();

  private ForcedSizing(int every) {
    this.every = every;
  }

  /**
   * Makes each shard of the cache to be built change its size again and again.
   *
   * @param builder one without an estimate of the charges
   * @param writes of a shard from one change to the next
   * @param loadCharge charge of what is loaded if neither loader nor codec knows one
   */
  public static <V> BlockCacheBuilder<V> every(
      BlockCacheBuilder<V> builder, int writes, long loadCharge) {
    return builder.resizeBy(() -> new ForcedSizing(writes), loadCharge);
  }

  @Override
  public int slots(TableSizing table, CapacityLedger ledger) {
    // The first write finds the first table.
    firstSlots.compareAndSet(0, table.slots());
    int write = writes.incrementAndGet();
    if (write % every != 0) {
      return 0;
    }
    int first = firstSlots.get();
    double wanted =
        switch (write / every % 3) {
          case 0 -> table.slots() * 1.5;
          case 1 -> table.slots();
          default -> Math.max(ledger.occupancy() / LOAD, first);
        };
    int most = Math.max(2 * first, table.most(ledger.capacity()));
    return SizingRule.wholeBuckets(wanted, table.least(), most);
  }
}
