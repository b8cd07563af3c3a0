/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import io.hyperclock.internal.policy.EvictableEntries;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.PaddedCounters;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;

/**
 * Looks at a bounded number of slots, going on where the last such look has stopped, and takes what
 * is not pinned. For room that a whole sweep would hardly find: an entry that could be evicted is
 * met within one turn of the table, and no insert pays for more than its part of the turn.
 *
 * <p>It asks no replacement policy: of a few entries that may leave none is better than another.
 */
public final class ShortSweep {
  /** Most slots that one look takes in. */
  public static final int LOOKS = 1024;

  private static final int STEP = 64;
  private static final int HAND = 0;

  private final SlotProtocol slots;
  private final SlotStore store;
  private final PaddedCounters counters = new PaddedCounters(1);

  /** Short sweeps over the slots of one table. */
  public ShortSweep(SlotProtocol slots) {
    this.slots = slots;
    this.store = slots.store();
  }

  /**
   * Takes entries until the request is met or enough slots were looked at: {@value #LOOKS}, or all
   * of a smaller table.
   */
  public void run(EvictableEntries residents, EvictionRequest request) {
    int count = store.slots();
    int most = Math.min(LOOKS, count);
    for (int looks = 0; looks < most && !request.isFulfilled(); looks += STEP) {
      // [pointer] distinct slots for concurrent sweeps.
      long position = counters.getAndAdd(HAND, STEP);
      int slot = (int) Long.remainderUnsigned(position, count);
      for (int i = 0; i < STEP; i++) {
        visit(slot, residents, request);
        slot = slot + 1 == count ? 0 : slot + 1;
      }
      request.looked(STEP);
    }
    request.exceedsEffort();
  }

  private void visit(int slot, EvictableEntries residents, EvictionRequest request) {
    long meta = store.metaOpaque(slot);
    if (!MetaWord.isShareable(meta)) {
      return;
    }
    if (MetaWord.refcount(meta) != 0) {
      request.sawPinned();
    } else if (!request.isFulfilled() && slots.take(slot, meta)) {
      request.freed(residents.evict(slot, meta, request));
    }
  }
}
