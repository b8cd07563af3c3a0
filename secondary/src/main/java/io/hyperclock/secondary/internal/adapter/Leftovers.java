/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.entry.Key128;
import io.hyperclock.secondary.internal.tier.FutureWaits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What tiers may hold, when the cache closes, although a write has made it outdated: a tier that is
 * found again after a restart must not bring it back.
 *
 * @param written keys whose writes have not ended: their copies may not be erased yet
 * @param late offers that a write has made stale and that have not ended in time: their insert, or
 *     the erase after it, is still under way
 */
record Leftovers(List<Key128> written, List<DemotionTask> late) {
  /**
   * Waits for stale offers. To be called after the hand-off and the primary have been closed: then
   * no write that begins later changes anything, and no offer that is moved later reaches a tier.
   *
   * @param limit how long to wait for all of them
   */
  static Leftovers await(InFlightTable registry, Duration limit) {
    // In this order: a write that ends in between has made its offer stale before.
    List<Key128> written = registry.written();
    List<DemotionTask> stale = registry.staleMoves();
    long nanos = Expiry.nanos(limit);
    long begin = System.nanoTime();
    List<DemotionTask> late = new ArrayList<>();
    for (DemotionTask offer : stale) {
      long left = nanos == Long.MAX_VALUE ? nanos : nanos - (System.nanoTime() - begin);
      boolean canWait = offer.mover != Thread.currentThread();
      if (!offer.ended.isDone() && !(canWait && FutureWaits.waitThrough(offer.ended, left))) {
        late.add(offer);
      }
    }
    return new Leftovers(written, late);
  }
}
