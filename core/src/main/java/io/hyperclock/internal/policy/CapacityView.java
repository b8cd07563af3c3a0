/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

/** The sums of a table by which a replacement policy decides. */
public interface CapacityView {
  /**
   * Bytes that the entries of the table may take: capacity without slots and standalone entries.
   */
  long capacityOfEntries();

  /** Bytes taken by the entries of the table, and by inserts under way. */
  long usageOfEntries();

  /** Entries in the table, and inserts under way. */
  long occupancy();

  /** Whether another entry fits without an eviction. */
  default boolean hasRoomFor(long chargeBytes) {
    return usageOfEntries() <= capacityOfEntries() - chargeBytes;
  }
}
