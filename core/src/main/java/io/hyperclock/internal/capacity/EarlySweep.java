/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import io.hyperclock.internal.policy.EvictableEntries;
import io.hyperclock.internal.policy.EvictionRequest;

/**
 * Evicts a little of one table although there may be room. Where a sweep finds too little because
 * all is pinned, those after it look at a few slots each, until together they have looked at as
 * many as it has, or have found that pins have ended.
 */
final class EarlySweep {
  /** Share of the entries that leave at a time. */
  private static final int SHARE = 128;

  private final CapacityLedger ledger;
  private final EvictableEntries residents;
  private final Sweeps sweeps;
  private final ShortSweep shortSweep;

  /** Looks to be made up for. Plain: it steers what a call costs, and a lost step does no harm. */
  private long debt;

  EarlySweep(
      CapacityLedger ledger, EvictableEntries residents, Sweeps sweeps, ShortSweep shortSweep) {
    this.ledger = ledger;
    this.residents = residents;
    this.sweeps = sweeps;
    this.shortSweep = shortSweep;
  }

  /**
   * Evicts by a request of no insert.
   *
   * @param leastBytes charge to free at least
   * @return whether an entry has left
   */
  boolean run(EvictionRequest request, long leastBytes, int effortCap) {
    if (debt > 0) {
      debt -= ShortSweep.LOOKS;
      request.ask(leastBytes, 0, EvictionRequest.NO_EFFORT_CAP);
      shortSweep.run(residents, request);
      if (request.isFulfilled()) {
        debt = 0;
      }
    } else {
      request.takeTime();
      long bytes = Math.max(leastBytes, ledger.usageOfEntries() / SHARE);
      sweeps.run(request, bytes, false, effortCap);
      if (!request.isFulfilled()) {
        debt = request.looks() - ShortSweep.LOOKS;
      }
    }
    return request.freedEntries() > 0;
  }
}
