/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.sizing;

import io.hyperclock.internal.capacity.CapacityLedger;

/** Sizes of the tables of one shard that change without need, for tests. */
public interface ForcedSizes {
  /**
   * Called at each write.
   *
   * @param table the present one
   * @return slots of another one, or 0 to keep it
   */
  int slots(TableSizing table, CapacityLedger ledger);
}
