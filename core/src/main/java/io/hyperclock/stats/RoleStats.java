/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stats;

/**
 * What the entries of one role hold and have done. Entries, bytes and pinned bytes come from one
 * scan without locks; they are exact when nothing changes meanwhile. The others count since the
 * cache was built.
 *
 * @param entries visible entries now
 * @param chargeBytes their charge in bytes
 * @param pinnedBytes charge in bytes of entries that are referenced, erased ones included
 * @param hits reads that found an entry; 0 unless hits are recorded
 * @param inserts entries added
 * @param evictions entries evicted
 */
public record RoleStats(
    long entries, long chargeBytes, long pinnedBytes, long hits, long inserts, long evictions) {

  /** Nothing held, nothing done. */
  public static final RoleStats NONE = new RoleStats(0, 0, 0, 0, 0, 0);

  /**
   * Share of reads that found an entry, as far as it can be told for one role: a key that is not
   * found has no type, so inserts stand for misses. Right where each miss is followed by one insert
   * and nothing is inserted without one.
   *
   * @return hits / (hits + inserts), or 0 if there were neither
   */
  public double hitRatioByInserts() {
    long reads = hits + inserts;
    return reads == 0 ? 0.0 : (double) hits / reads;
  }
}
