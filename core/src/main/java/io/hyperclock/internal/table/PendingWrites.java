/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.slot.GenerationWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Tags;
import io.hyperclock.internal.slot.TentativeInserts;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What writers of a key have to know about its buckets: which entry is visible, and what others
 * have begun and not finished. What they have not finished is finished here, so that no writer
 * waits.
 *
 * <ul>
 *   <li>An <em>announced</em> entry is invalidated: its owner looks again.
 *   <li>A <em>superseding</em> entry is newer than every other visible one. The others are hidden,
 *       then the mark is taken off. Each is pinned first and the mark looked at again after, so
 *       that it is the one that was superseded then, however late the step is made.
 *   <li>An <em>erasing</em> entry is being erased. Overwrites that saw it without the mark have
 *       announced before; they are invalidated, or have published in time. Then it is hidden.
 * </ul>
 */
final class PendingWrites {
  /** Result of {@link #visible}: none. */
  static final int ABSENT = -1;

  private static final int RETRY = -2;

  private final Buckets buckets;
  private final SlotStore store;
  private final SlotProtocol slots;
  private final TentativeInserts tentativeInserts;
  private final ClockTable table;
  private final OverwriteSequence overwrites;

  /** A view of one table. */
  PendingWrites(ClockTable table, TentativeInserts tentativeInserts, OverwriteSequence overwrites) {
    this.buckets = table.buckets;
    this.slots = table.slots;
    this.store = table.store;
    this.tentativeInserts = tentativeInserts;
    this.table = table;
    this.overwrites = overwrites;
  }

  /**
   * Looks at every slot that may hold a key, invalidating announcements but for the caller's own.
   *
   * @param own the caller's announced slot
   * @return slot of the visible entry of the key that is not being erased, or {@link #ABSENT}
   */
  int findCurrent(long hi, long lo, long hash, int own) {
    for (; ; ) {
      int found = findCurrentOrRetry(hi, lo, hash, own);
      if (found != RETRY) {
        return found;
      }
    }
  }

  private int findCurrentOrRetry(long hi, long lo, long hash, int own) {
    int found = ABSENT;
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    long left = tentativeInserts.candidates(first, second, Tags.pattern(hash));
    for (; left != 0; left &= left - 1) {
      int slot = SlotStore.slot(first, second, left);
      if (slot == own) {
        continue;
      }
      long meta = tentativeInserts.findOrInvalidate(slot, hi, lo, slot < own);
      if (meta == 0) {
        continue;
      }
      if (tentativeInserts.isErasing(slot)) {
        if (pin(slot, hi, lo)) {
          // The slot may have a new tenant of the same key by now.
          if (GenerationWord.isErasing(store.tailAcquire(slot))) {
            completeEraseOfOther(hi, lo, hash, slot, own);
          } else {
            table.release(slot, false, false);
          }
        }
        return RETRY;
      }
      if (MetaWord.isSuperseding(meta) || found >= 0) {
        completeReplacement(hi, lo, hash);
        return RETRY;
      }
      found = slot;
    }
    return found;
  }

  /** See {@link ClockTable#isPresent}. */
  boolean isPresent(long hi, long lo, long hash) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    for (; ; ) {
      long before = overwrites.of(hash);
      if (slots.another(first, second, Tags.pattern(hash), ABSENT, hi, lo) != 0) {
        return true;
      }
      // [one-entry] slots that matched in vain were looked at before the count.
      VarHandle.acquireFence();
      if (overwrites.of(hash) == before) {
        return false;
      }
    }
  }

  /** Pins the visible entry of a key in a slot. */
  boolean pin(int slot, long hi, long lo) {
    return slots.matches(slot, hi, lo) != 0
        && table.pinned(slots.pinUnseen(slot, hi, lo, MetaWord.MAX_PINS_AND_ERASERS), slot);
  }

  /** Hides what a superseding entry of the key has superseded, if there is one. */
  private void completeReplacement(long hi, long lo, long hash) {
    int newer = superseding(hi, lo, hash);
    if (newer < 0 || !pin(newer, hi, lo)) {
      return;
    }
    if (MetaWord.isSuperseding(store.metaAcquire(newer))) {
      overwrites.step(hash);
      int first = buckets.first(hash);
      int second = buckets.second(hash);
      long left = store.candidates(first, second, Tags.pattern(hash));
      for (; left != 0; left &= left - 1) {
        int older = SlotStore.slot(first, second, left);
        if (older != newer && pin(older, hi, lo)) {
          if (MetaWord.isSuperseding(store.metaAcquire(newer))) {
            table.freeIfOwned(slots.supersedeAndRelease(older), older);
          } else {
            table.release(older, false, false);
          }
        }
      }
      slots.endSuperseding(newer);
    }
    table.release(newer, false, false);
  }

  private int superseding(long hi, long lo, long hash) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    long left = store.candidates(first, second, Tags.pattern(hash));
    for (; left != 0; left &= left - 1) {
      int slot = SlotStore.slot(first, second, left);
      if (MetaWord.isSuperseding(slots.matches(slot, hi, lo))) {
        return slot;
      }
    }
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
      boolean mine = slots.markErasing(slot);
      if (completeErase(hi, lo, hash, slot, ABSENT)) {
        return mine;
      }
    }
  }

  private int pinVisible(long hi, long lo, long hash) {
    for (; ; ) {
      long before = overwrites.of(hash);
      int slot = superseding(hi, lo, hash);
      if (slot >= 0) {
        completeReplacement(hi, lo, hash);
        continue;
      }
      slot = table.pinnedReads().find(hi, lo, hash, MetaWord.MAX_PINS_AND_ERASERS, true);
      if (slot >= 0 || overwrites.of(hash) == before) {
        return slot;
      }
    }
  }

  /** Goes on with an erase that another thread has begun. Ends the pin. */
  void completeEraseOfOther(long hi, long lo, long hash, int erasing, int own) {
    slots.markErasing(erasing);
    completeErase(hi, lo, hash, erasing, own);
  }

  /**
   * Hides a pinned, erasing entry, unless it was superseded in time. Ends the pin, but not before
   * it is decided: the thread that marked the entry has to learn whether that erased the key, even
   * if others did the rest.
   *
   * @param own the caller's announced slot, or {@link #ABSENT}
   * @return whether the key was erased
   */
  private boolean completeErase(long hi, long lo, long hash, int erasing, int own) {
    try {
      while (MetaWord.isVisible(store.metaAcquire(erasing))
          && findAnotherOrInvalidate(hi, lo, hash, erasing, own)) {
        // One of the two supersedes the other.
        completeReplacement(hi, lo, hash);
      }
    } catch (Throwable e) {
      // Without memory it stays as it is, erasing; the next writer of the key erases it.
      table.release(erasing, false, false);
      throw e;
    }
    int outcome = table.freeIfOwned(slots.hideAndRelease(erasing), erasing);
    return (outcome & SlotProtocol.SUPERSEDED) == 0;
  }

  /** Invalidates announcements; returns whether another entry of the key is visible. */
  private boolean findAnotherOrInvalidate(long hi, long lo, long hash, int erasing, int own) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    long left = tentativeInserts.candidates(first, second, Tags.pattern(hash));
    for (; left != 0; left &= left - 1) {
      int slot = SlotStore.slot(first, second, left);
      if (slot != erasing
          && slot != own
          && tentativeInserts.findOrInvalidate(slot, hi, lo, false) != 0) {
        return true;
      }
    }
    return false;
  }
}
