/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import io.hyperclock.entry.Priority;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.PaddedCounters;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;

/**
 * Generalized CLOCK: newcomers start at 3, 2 or 1 by priority, each use adds one up to 3, each
 * visit takes one, and an entry found at 0 leaves.
 *
 * <p>Any number of threads sweep at once: each claims four slots at a time from the shared pointer
 * and visits them alone or, a full round later, together with others; every change is one
 * compare-and-set that is skipped if it fails. No thread waits.
 *
 * <p>Source: RocksDB {@code FixedHyperClockTable::Evict} and {@code ClockUpdate}; changed: one
 * round more, so that entries of the highest countdown can be evicted in one call. Blocks of
 * dropped files leave at first sight.
 */
public final class ClassicClock implements Replacement {
  /** Countdown from which on further uses change nothing. */
  public static final int MAX_COUNTDOWN = 3;

  private static final int STEP = 4;
  private static final int ROUNDS = MAX_COUNTDOWN + 1;
  private static final int HAND = 0;

  private final SlotProtocol slots;
  private final SlotStore store;
  private final PaddedCounters counters = new PaddedCounters(1);

  /** A hand over the slots of a table. */
  public ClassicClock(SlotProtocol slots) {
    this.slots = slots;
    this.store = slots.store();
  }

  @Override
  public int newcomer(long hash, Priority priority, long chargeBytes) {
    return InitialState.of(countdown(priority), 0, false);
  }

  @Override
  public int worth(long meta, long cold) {
    return 2 * Math.min(MetaWord.releases(meta), MAX_COUNTDOWN) + (MetaWord.wasHit(meta) ? 1 : 0);
  }

  @Override
  public int countdown(Priority priority) {
    return switch (priority) {
      case HIGH -> 3;
      case LOW -> 2;
      case BOTTOM -> 1;
    };
  }

  @Override
  public Replacement resized(SlotProtocol others, int entries) {
    return new ClassicClock(others);
  }

  @Override
  public void makeRoom(EvictableEntries residents, EvictionRequest request) {
    int count = store.slots();
    // [pointer] distinct slots for concurrent sweeps.
    long pointer = counters.getAndAdd(HAND, STEP);
    long ruthless = request.mustFree() ? pointer + (long) MAX_COUNTDOWN * count : Long.MAX_VALUE;
    long limit = pointer + (long) ROUNDS * count;
    for (; ; ) {
      int slot = (int) Long.remainderUnsigned(pointer, count);
      for (int i = 0; i < STEP; i++) {
        visit(slot, residents, request, pointer >= ruthless);
        slot = slot + 1 == count ? 0 : slot + 1;
      }
      request.looked(STEP);
      if (request.isFulfilled() || pointer >= limit || request.exceedsEffort()) {
        return;
      }
      // [pointer] as above.
      pointer = counters.getAndAdd(HAND, STEP);
    }
  }

  @Override
  public boolean makeRoomIn(
      EvictableEntries residents, int first, int second, EvictionRequest request) {
    return LocalVictim.evict(
        store,
        residents,
        first,
        second,
        (slot, meta) -> worth(meta, 0),
        (slot, meta) -> {
          boolean taken = slots.take(slot, meta);
          if (taken) {
            request.freed(residents.evict(slot, meta, request));
          }
          return taken;
        });
  }

  @Override
  public long searchedForDead() {
    return counters.get(HAND);
  }

  private void visit(
      int slot, EvictableEntries residents, EvictionRequest request, boolean ruthless) {
    long meta = store.metaOpaque(slot);
    if (!MetaWord.isShareable(meta)) {
      return;
    }
    if (MetaWord.refcount(meta) != 0) {
      request.sawPinned();
      return;
    }
    if (MetaWord.isVisible(meta) && !ruthless) {
      int countdown = Math.min(MetaWord.releases(meta), MAX_COUNTDOWN) - 1;
      if (countdown >= 0 && !residents.isDead(slot)) {
        slots.age(slot, meta, countdown, MetaWord.policy(meta));
        return;
      }
    }
    if (slots.take(slot, meta)) {
      request.freed(residents.evict(slot, meta, request));
    }
  }
}
