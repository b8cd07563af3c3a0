/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

/**
 * What moves from the primary cache to the tiers, and when; {@code secondary/docs/tiering.md} has a
 * table of it, for each way into the cache. Entries of types without codec, entries that a tier
 * still holds and erased entries never move.
 *
 * <p>Source: RocksDB {@code TieredAdmissionPolicy}.
 */
public enum AdmissionPolicy {
  /**
   * Every evicted entry is offered; the tier decides. Tiers in memory keep what is offered for the
   * second time.
   */
  SECOND_HIT,
  /** As {@link #SECOND_HIT}, but what was hit in the primary is kept at its first eviction. */
  HITS_ONLY,
  /** Every evicted entry is offered and kept at once. */
  ALL,
  /**
   * Evicted entries do not move. What is inserted or loaded is written through to the lowest tier,
   * and what is found there is offered to the tier above: values climb from tier to tier by being
   * used.
   */
  THREE_QUEUES
}
