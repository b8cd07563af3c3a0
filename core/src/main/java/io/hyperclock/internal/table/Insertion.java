/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.slot.Announcements;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Slots;
import io.hyperclock.internal.slot.Tail;

/**
 * Puts new entries into a table, at most one of a key.
 *
 * <p>The first empty slot of the path is claimed; each slot passed before it gets a displacement,
 * <em>before</em> the entry is published. The claimed slot is filled and announced, then the whole
 * path is searched for the key, and if it is absent the slot is published. Of several inserts of an
 * absent key one publishes and the others find it.
 */
final class Insertion {
  private final Probing probing;
  private final Slots slots;
  private final SlotStore store;
  private final Announcements announcements;
  private final boolean stopAtEmpty;

  /**
   * Inserts into the slots of one table.
   *
   * @param stopAtEmpty whether a search ends at the slot claimed, as RocksDB's does, so that an
   *     older entry behind it is shadowed
   */
  Insertion(Probing probing, Slots slots, boolean stopAtEmpty) {
    this.probing = probing;
    this.slots = slots;
    this.store = slots.store();
    this.announcements = new Announcements(store);
    this.stopAtEmpty = stopAtEmpty;
  }

  /** See {@link ClockTable#insert}. */
  int insert(long hi, long lo, long hash, Object value, long cold, long visibleMeta, int boost) {
    int increment = probing.increment(hash);
    int lane = Tail.lane(hash);
    int slot = probing.home(hash, hi, lo);
    int passed = 0;
    while (!slots.claim(slot)) {
      long present = slots.matches(slot, hi, lo);
      if (present != 0) {
        slots.boost(slot, present, boost);
        removeDisplacements(hi, lo, hash, passed);
        return ClockTable.KEPT_EXISTING;
      }
      slots.addDisplacement(slot, lane);
      passed++;
      if (passed == probing.slots()) {
        removeDisplacements(hi, lo, hash, passed);
        return ClockTable.NO_SLOT;
      }
      slot = probing.next(slot, increment, passed - 1);
    }
    slots.fill(slot, hi, lo, value, cold);
    do {
      announcements.announce(slot);
      if (isPresent(hi, lo, hash, slot, boost)) {
        removeDisplacements(hi, lo, hash, passed);
        slots.abandon(slot);
        return ClockTable.KEPT_EXISTING;
      }
    } while (!announcements.publish(slot, visibleMeta));
    return slot;
  }

  /** Looks for a visible entry of a key and knocks those that are announced but for our own. */
  private boolean isPresent(long hi, long lo, long hash, int own, int boost) {
    int increment = probing.increment(hash);
    int lane = Tail.lane(hash);
    int slot = probing.home(hash, hi, lo);
    boolean patient = true;
    for (int step = 1; ; step++) {
      long tail = store.tailAcquire(slot);
      if (slot == own) {
        if (stopAtEmpty) {
          return false;
        }
        patient = false;
      } else {
        long present = announcements.meet(slot, hi, lo, patient);
        if (present != 0) {
          slots.boost(slot, present, boost);
          return true;
        }
      }
      if (Tail.displacements(tail, lane) == 0 || step == probing.slots()) {
        return false;
      }
      slot = probing.next(slot, increment, step - 1);
    }
  }

  private void removeDisplacements(long hi, long lo, long hash, int passed) {
    int increment = probing.increment(hash);
    int slot = probing.home(hash, hi, lo);
    for (int step = 0; step < passed; step++) {
      slots.removeDisplacement(slot, Tail.lane(hash));
      slot = probing.next(slot, increment, step);
    }
  }
}
