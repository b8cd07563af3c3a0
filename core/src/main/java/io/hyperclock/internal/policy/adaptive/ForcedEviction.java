/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import io.hyperclock.internal.policy.EvictableEntries;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotStore;

/**
 * The end of a {@link VictimSearch} that has used up its looks: what is not pinned leaves, used or
 * not, of the ring first, then of main, then of all, as far as the effort cap allows.
 */
final class ForcedEviction {
  private final AdaptiveEntries clock;
  private final EvictableEntries residents;
  private final SlotStore store;
  private final ProbationQueue queue;
  private final ClockStretch hand;
  private final EvictionRequest request;

  ForcedEviction(
      AdaptiveEntries clock,
      EvictableEntries residents,
      ProbationQueue queue,
      ClockStretch hand,
      EvictionRequest request) {
    this.clock = clock;
    this.residents = residents;
    this.store = clock.store;
    this.queue = queue;
    this.hand = hand;
    this.request = request;
  }

  void run() {
    for (long places = queue.length(); places > 0 && mustGoOn(); places--) {
      long token = queue.takeOwn();
      int slot = ProbationRing.slot(token);
      boolean current = ProbationRing.isTenant(token, store.tailAcquire(slot));
      if (!current || ChargeWord.isMain(store.coldAcquire(slot))) {
        continue;
      }
      long pinned = request.pinnedSeen();
      if (!takeUnlessPinned(slot)) {
        if (request.pinnedSeen() == pinned) {
          queue.enqueueAgain(token);
        } else {
          clock.promote(slot, request);
        }
      }
    }
    long count = store.slots();
    for (long visit = 0; visit < 2 * count && mustGoOn(); visit++) {
      int slot = hand.next();
      if (visit >= count || ChargeWord.isMain(store.coldAcquire(slot))) {
        takeUnlessPinned(slot);
      }
    }
  }

  private boolean mustGoOn() {
    return !request.isFulfilled() && !request.exceedsEffort();
  }

  private boolean takeUnlessPinned(int slot) {
    request.looked(1);
    long meta = store.metaAcquire(slot);
    if (!MetaWord.isShareable(meta)) {
      return false;
    }
    if (MetaWord.refcount(meta) != 0) {
      request.sawPinned();
      return false;
    }
    return clock.evict(slot, meta, residents, request) != AdaptiveEntries.GONE;
  }
}
