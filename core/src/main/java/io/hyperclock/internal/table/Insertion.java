/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.policy.RoomRequest;
import io.hyperclock.internal.slot.Announcements;
import io.hyperclock.internal.slot.Cold;
import io.hyperclock.internal.slot.Meta;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Slots;
import io.hyperclock.internal.slot.Tail;
import org.jspecify.annotations.Nullable;

/**
 * Puts new entries into a table, at most one of a key.
 *
 * <p>The first empty slot of the path is claimed; each slot passed before it gets a displacement,
 * <em>before</em> the entry is published. The claimed slot is filled and announced, then the whole
 * path is searched for the key ({@link Survey}), and then the slot is published. Of several inserts
 * of an absent key one publishes and the others find it.
 *
 * <p><b>Overwriting.</b> The older entry is pinned, so that it stays while the decision is made.
 * Publishing is the decision: it fails if another insert or an erase of the key has knocked the
 * announcement, so nothing can have come between. The newer entry is published as superseding; the
 * overwrite is counted, the older entry hidden, and the mark taken off. Whoever meets a superseding
 * entry meanwhile does the rest. So there is always one of the two to be found, and the older value
 * is freed by the ordinary protocol after its last reader.
 */
final class Insertion {
  private final Probing probing;
  private final Slots slots;
  private final SlotStore store;
  private final Announcements announcements;
  private final Displacements displacements;
  private final Survey survey;
  private final ClockTable table;
  private final OverwriteCounts overwrites;
  private final Replacement replacement;

  /** Inserts into one table. */
  Insertion(
      Probing probing,
      Slots slots,
      Announcements announcements,
      Displacements displacements,
      Survey survey,
      ClockTable table,
      OverwriteCounts overwrites,
      Replacement replacement) {
    this.probing = probing;
    this.slots = slots;
    this.store = slots.store();
    this.announcements = announcements;
    this.displacements = displacements;
    this.survey = survey;
    this.table = table;
    this.overwrites = overwrites;
    this.replacement = replacement;
  }

  /** See {@link ClockTable#keepExisting}. */
  boolean keepExisting(long hi, long lo, long hash, int countdown) {
    int slot = probing.home(hash, hi, lo);
    int increment = probing.increment(hash);
    int lane = Tail.lane(hash);
    for (int step = 1; ; step++) {
      long meta = slots.matches(slot, hi, lo);
      long tail = store.tailAcquire(slot);
      if (meta != 0 && !Tail.isCondemned(tail) && !Meta.isSuperseding(meta)) {
        slots.boost(slot, meta, countdown);
        return true;
      }
      if (meta != 0 || Tail.displacements(tail, lane) == 0 || step == probing.slots()) {
        return false;
      }
      slot = probing.next(slot, increment, step - 1);
    }
  }

  /** See {@link ClockTable#insert}. */
  int insert(
      long hi,
      long lo,
      long hash,
      Object value,
      long cold,
      long visibleMeta,
      int boost,
      RoomRequest room) {
    int own = claim(hi, lo, hash, true, boost);
    if (own < 0) {
      return own;
    }
    slots.fill(own, hi, lo, value, cold);
    do {
      announcements.announce(own);
      int present = visible(hi, lo, hash, own, cold);
      if (present >= 0) {
        slots.boost(present, slots.matches(present, hi, lo), boost);
        withdraw(own, hi, lo, hash, cold);
        return ClockTable.KEPT_EXISTING;
      }
    } while (!announcements.publish(own, visibleMeta));
    replacement.admitted(own, cold, room);
    return own;
  }

  /** See {@link ClockTable#put}. */
  int put(
      long hi,
      long lo,
      long hash,
      Object value,
      long cold,
      long visibleMeta,
      boolean ifAbsentToo,
      @Nullable Object expected) {
    overwrites.ensure();
    int own = claim(hi, lo, hash, false, 0);
    if (own < 0) {
      return own;
    }
    slots.fill(own, hi, lo, value, cold);
    long classed = cold;
    for (; ; ) {
      announcements.announce(own);
      int older = visible(hi, lo, hash, own, classed);
      if (older < 0) {
        if (!ifAbsentToo) {
          if (announcements.isKnocked(own)) {
            continue;
          }
          withdraw(own, hi, lo, hash, classed);
          return ClockTable.NOT_PRESENT;
        }
        classed = slots.reclass(own, classed, cold);
        if (announcements.publish(own, visibleMeta)) {
          replacement.admitted(own, classed);
          return own;
        }
      } else if (survey.pin(older, hi, lo)) {
        if (Tail.isCondemned(store.tailAcquire(older))) {
          survey.finishEraseOfOther(hi, lo, hash, older, own);
        } else if (expected != null && !table.holds(older, expected)) {
          withdraw(own, hi, lo, hash, classed);
          table.release(older, false, false);
          return ClockTable.NOT_EXPECTED;
        } else {
          long wanted = Cold.isMain(store.coldAcquire(older)) ? Cold.asMain(cold) : cold;
          classed = slots.reclass(own, classed, wanted);
          if (supersede(own, older, hash, classed, Meta.isReadable(visibleMeta))) {
            return ClockTable.REPLACED;
          }
        }
      }
    }
  }

  /** Looks at the path; without stack or memory for that the claimed slot is given back. */
  private int visible(long hi, long lo, long hash, int own, long cold) {
    try {
      return survey.visible(hi, lo, hash, own);
    } catch (Throwable e) {
      withdraw(own, hi, lo, hash, cold);
      throw e;
    }
  }

  private boolean supersede(int own, int older, long hash, long classed, boolean readable) {
    long before = store.metaAcquire(older);
    int policy = replacement.inherited(Meta.policy(before));
    long meta = Meta.superseding(before, policy, readable, replacement.maxCountdown());
    if (!announcements.publish(own, meta)) {
      table.release(older, false, false);
      return false;
    }
    overwrites.step(hash);
    int outcome = slots.supersedeAndRelease(older);
    slots.endSuperseding(own);
    replacement.admitted(own, classed);
    table.release(own, true, false);
    table.freeIfOwned(outcome, older);
    return true;
  }

  private int claim(long hi, long lo, long hash, boolean unlessPresent, int boost) {
    int increment = probing.increment(hash);
    int lane = Tail.lane(hash);
    int slot = probing.home(hash, hi, lo);
    for (int passed = 0; !slots.claim(slot); ) {
      long present = unlessPresent ? slots.matches(slot, hi, lo) : 0;
      if (present != 0 && !Tail.isCondemned(store.tailAcquire(slot))) {
        slots.boost(slot, present, boost);
        displacements.removeUpTo(slot, hi, lo, hash);
        return ClockTable.KEPT_EXISTING;
      }
      slots.addDisplacement(slot, lane);
      passed++;
      int next = probing.next(slot, increment, passed - 1);
      if (passed == probing.slots()) {
        displacements.removeUpTo(slot, hi, lo, hash);
        slots.removeDisplacement(slot, lane);
        return ClockTable.NO_SLOT;
      }
      slot = next;
    }
    return slot;
  }

  private void withdraw(int own, long hi, long lo, long hash, long cold) {
    // A late promotion of an earlier tenant may have moved this one.
    replacement.withdrawn(cold, store.getAndSetCold(own, Cold.GONE));
    displacements.removeUpTo(own, hi, lo, hash);
    slots.abandon(own);
  }
}
