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
  /**
   * As {@link #SECOND_HIT}, but what was hit in the primary is kept at its first eviction. Entries
   * without a hit are offered as well.
   */
  HITS_ONLY,
  /** Every evicted entry is offered and kept at once. */
  ALL,
  /**
   * Evicted entries do not move. What is inserted or loaded is written through to the lowest tier,
   * and what is found there is offered to the tier above: values climb from tier to tier by being
   * used. Each value that is written through is looked up in the primary once more: where hits are
   * recorded there, that counts as one.
   */
  THREE_QUEUES,
  /**
   * What pays is moved, and kept at once: costs are measured, for each entry type, and an evicted
   * entry is offered to the nearest tier if the time that it is expected to save exceeds that of
   * its encoding. The saving is the chance of a return, learnt from keys that came back, times what
   * a load takes longer than a hit. A tier whose hits take longer than loads is not asked, but for
   * a trickle that tells when this changes. What a load takes is known of loaders, and else from
   * the time between a miss and the insert of the key.
   */
  ADAPTIVE
}
