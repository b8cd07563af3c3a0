/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.slot.Announcements;
import io.hyperclock.internal.slot.Meta;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Slots;
import io.hyperclock.internal.slot.Tail;
import org.jspecify.annotations.Nullable;

/**
 * What writers of a key have to know about its path: which entry is visible, and what others have
 * begun and not finished. What they have not finished is finished here, so that no writer waits.
 *
 * <ul>
 *   <li>An <em>announced</em> entry is knocked: its owner looks again.
 *   <li>A <em>superseding</em> entry is newer than every other visible one. The others are hidden,
 *       then the mark is taken off. Each is pinned first and the mark looked at again after, so
 *       that it is the one that was superseded then, however late the step is made.
 *   <li>A <em>condemned</em> entry is being erased. Overwrites that saw it without the mark have
 *       announced before; they are knocked, or have published in time. Then it is hidden.
 * </ul>
 */
final class Survey {
  static final int ABSENT = -1;
  private static final int UNSETTLED = -2;

  private final Probing probing;
  private final SlotStore store;
  private final Slots slots;
  private final Announcements announcements;
  private final ClockTable table;
  private final OverwriteCounts overwrites;

  /** A view of one table. */
  Survey(
      Probing probing,
      Slots slots,
      Announcements announcements,
      ClockTable table,
      OverwriteCounts overwrites) {
    this.probing = probing;
    this.slots = slots;
    this.store = slots.store();
    this.announcements = announcements;
    this.table = table;
    this.overwrites = overwrites;
  }

  /** Slots of a key's path in order. */
  private final class Path {
    private final int increment;
    private final int lane;
    private int step;
    private int slot;
    private long tail;

    Path(long hi, long lo, long hash) {
      this.increment = probing.increment(hash);
      this.lane = Tail.lane(hash);
      this.slot = probing.home(hash, hi, lo);
      this.tail = store.tailAcquire(slot);
    }

    boolean advance() {
      step++;
      if (Tail.displacements(tail, lane) == 0 || step == probing.slots()) {
        return false;
      }
      slot = probing.next(slot, increment, step - 1);
      tail = store.tailAcquire(slot);
      return true;
    }
  }

  /**
   * Looks at every slot of a path, knocking announcements but for the caller's own.
   *
   * @param own the caller's announced slot
   * @return slot of the visible entry of the key that nobody is erasing, or {@link #ABSENT}
   */
  int visible(long hi, long lo, long hash, int own) {
    for (; ; ) {
      int found = visibleOrUnsettled(hi, lo, hash, own);
      if (found != UNSETTLED) {
        return found;
      }
    }
  }

  private int visibleOrUnsettled(long hi, long lo, long hash, int own) {
    int found = ABSENT;
    boolean patient = true;
    Path path = new Path(hi, lo, hash);
    do {
      int slot = path.slot;
      if (slot == own) {
        patient = false;
        continue;
      }
      long meta = announcements.meet(slot, hi, lo, patient);
      if (meta == 0) {
        continue;
      }
      if (Tail.isCondemned(store.tailAcquire(slot))) {
        if (pin(slot, hi, lo)) {
          // The slot may have a new tenant of the same key by now.
          if (Tail.isCondemned(store.tailAcquire(slot))) {
            finishEraseOfOther(hi, lo, hash, slot, own);
          } else {
            table.release(slot, false, false);
          }
        }
        return UNSETTLED;
      }
      if (Meta.isSuperseding(meta) || found >= 0) {
        settle(hi, lo, hash);
        return UNSETTLED;
      }
      found = slot;
    } while (path.advance());
    return found;
  }

  /** See {@link ClockTable#isPresent}. */
  boolean isPresent(long hi, long lo, long hash) {
    for (; ; ) {
      long before = overwrites.of(hash);
      Path path = new Path(hi, lo, hash);
      do {
        if (slots.matches(path.slot, hi, lo) != 0) {
          return true;
        }
      } while (path.advance());
      if (overwrites.of(hash) == before) {
        return false;
      }
    }
  }

  /**
   * Whether the entry that a superseding one overwrites is still visible before it: then the
   * overwrite has not happened yet for searches to come, and for a search that found the newer
   * entry it must not have happened either.
   *
   * @return whether a slot of the path before that of the superseding entry shows the key; if one
   *     was visible before this call and is still, this call finds it
   */
  boolean isPreceded(long hi, long lo, long hash, int superseding) {
    Path path = new Path(hi, lo, hash);
    do {
      if (path.slot == superseding) {
        return false;
      }
      if (slots.matches(path.slot, hi, lo) != 0) {
        return true;
      }
    } while (path.advance());
    return false;
  }

  /** Pins the visible entry of a key in a slot. */
  boolean pin(int slot, long hi, long lo) {
    return slots.matches(slot, hi, lo) != 0
        && table.pinned(slots.pinUnseen(slot, hi, lo, Meta.MAX_PINS_AND_ERASERS), slot);
  }

  /** Hides what a superseding entry of the key has superseded, if there is one. */
  private void settle(long hi, long lo, long hash) {
    int newer = superseding(hi, lo, hash);
    if (newer < 0 || !pin(newer, hi, lo)) {
      return;
    }
    if (Meta.isSuperseding(store.metaAcquire(newer))) {
      overwrites.step(hash);
      Path path = new Path(hi, lo, hash);
      do {
        int older = path.slot;
        if (older != newer && pin(older, hi, lo)) {
          if (Meta.isSuperseding(store.metaAcquire(newer))) {
            table.freeIfOwned(slots.supersedeAndRelease(older), older);
          } else {
            table.release(older, false, false);
          }
        }
      } while (path.advance());
      slots.endSuperseding(newer);
    }
    table.release(newer, false, false);
  }

  private int superseding(long hi, long lo, long hash) {
    Path path = new Path(hi, lo, hash);
    do {
      if (Meta.isSuperseding(slots.matches(path.slot, hi, lo))) {
        return path.slot;
      }
    } while (path.advance());
    return ABSENT;
  }

  /**
   * Erases a key. The value of a pinned entry stays what it is: if it is the expected one, the
   * entry is erased unless a newer one takes its place in time, which is then looked at in turn.
   *
   * @param expected the only value to erase, or null for any
   * @return whether this call did
   */
  boolean erase(long hi, long lo, long hash, @Nullable Object expected) {
    for (; ; ) {
      int slot = pinVisible(hi, lo, hash);
      if (slot < 0) {
        return false;
      }
      if (expected != null && !table.holds(slot, expected)) {
        table.release(slot, false, false);
        return false;
      }
      boolean mine = slots.condemn(slot);
      if (finishErase(hi, lo, hash, slot, ABSENT)) {
        return mine;
      }
    }
  }

  private int pinVisible(long hi, long lo, long hash) {
    for (; ; ) {
      long before = overwrites.of(hash);
      int slot = superseding(hi, lo, hash);
      if (slot >= 0) {
        settle(hi, lo, hash);
        continue;
      }
      slot = table.pinnedReads().find(hi, lo, hash, Meta.MAX_PINS_AND_ERASERS, true);
      if (slot >= 0 || overwrites.of(hash) == before) {
        return slot;
      }
    }
  }

  /** Goes on with an erase that another thread has begun. Ends the pin. */
  void finishEraseOfOther(long hi, long lo, long hash, int condemned, int own) {
    slots.condemn(condemned);
    finishErase(hi, lo, hash, condemned, own);
  }

  /**
   * Hides a pinned, condemned entry, unless it was superseded in time. Ends the pin, but not before
   * it is decided: whoever marked the entry has to learn whether that erased the key, even if
   * others did the rest.
   *
   * @param own the caller's announced slot, or {@link #ABSENT}
   * @return whether the key was erased
   */
  private boolean finishErase(long hi, long lo, long hash, int condemned, int own) {
    try {
      while (Meta.isVisible(store.metaAcquire(condemned))
          && knockOrMeet(hi, lo, hash, condemned, own)) {
        // One of the two supersedes the other.
        settle(hi, lo, hash);
      }
    } catch (Throwable e) {
      // Without memory it stays as it is, condemned; the next writer of the key erases it.
      table.release(condemned, false, false);
      throw e;
    }
    int outcome = table.freeIfOwned(slots.hideAndRelease(condemned), condemned);
    return (outcome & Slots.SUPERSEDED) == 0;
  }

  /** Knocks announcements; returns whether another entry of the key is visible. */
  private boolean knockOrMeet(long hi, long lo, long hash, int condemned, int own) {
    Path path = new Path(hi, lo, hash);
    do {
      int slot = path.slot;
      if (slot != condemned && slot != own && announcements.meet(slot, hi, lo, false) != 0) {
        return true;
      }
    } while (path.advance());
    return false;
  }
}
