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
import java.util.Objects;
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
 *   <li>An entry that was <em>moved</em> supersedes itself in the table that is being left. There
 *       it is hidden like any other: the mover holds it until it has forwarded it.
 * </ul>
 *
 * <p>While entries are moved from one table to the next a key has the buckets of both. A
 * <em>place</em> is a slot of this table, or a slot of the one before with {@link #BEFORE} set.
 * Searches that no announcement protects look at the table before first: entries go to this one
 * only, and are visible here before they are hidden there.
 */
final class PendingWrites {
  /** Result of a search: none. */
  static final int ABSENT = -1;

  /** Result of an erase: this call erased it. */
  static final int ERASED = 1;

  /** Result of an erase: another value than expected, or another thread erased it. */
  static final int NOT_ERASED = 0;

  /** In a place: the slot is one of the table before. */
  static final int BEFORE = 1 << 30;

  private static final int RETRY = -2;

  private final EntryLifecycle table;
  private final OverwriteSequence overwrites;

  /** A view of one table. */
  PendingWrites(EntryLifecycle table) {
    this.table = table;
    this.overwrites = table.overwrites;
  }

  /** The table of a place. */
  EntryLifecycle tableOf(int place, @Nullable EntryLifecycle before) {
    return (place & BEFORE) == 0 ? table : Objects.requireNonNull(before);
  }

  /** The slot of a place. */
  static int slot(int place) {
    return place & ~BEFORE;
  }

  /**
   * Looks at every slot that may hold a key, invalidating announcements but for the caller's own.
   *
   * @param own the caller's announced slot
   * @param before the table before, as of the caller's beginning
   * @return place of the visible entry of the key that is not being erased, or {@link #ABSENT}
   */
  int findCurrent(long hi, long lo, long hash, int own, @Nullable EntryLifecycle before) {
    for (; ; ) {
      int found = findCurrentIn(table, hi, lo, hash, own, ABSENT, before);
      if (found != RETRY && before != null) {
        found = findCurrentIn(before, hi, lo, hash, own, found, before);
      }
      if (found != RETRY) {
        return found;
      }
    }
  }

  private int findCurrentIn(
      EntryLifecycle in,
      long hi,
      long lo,
      long hash,
      int own,
      int foundBefore,
      @Nullable EntryLifecycle before) {
    int found = foundBefore;
    int first = in.buckets.first(hash);
    int second = in.buckets.second(hash);
    TentativeInserts inserts = in.tentativeInserts;
    long left = inserts.candidates(first, second, Tags.pattern(hash));
    for (; left != 0; left &= left - 1) {
      int slot = SlotStore.slot(first, second, left);
      if (slot == own && in == table) {
        continue;
      }
      long meta = inserts.findOrInvalidate(slot, hi, lo, slot < own && in == table);
      if (meta == 0) {
        continue;
      }
      if (inserts.isErasing(slot)) {
        if (pin(in, slot, hi, lo)) {
          // The slot may have a new tenant of the same key by now.
          if (GenerationWord.isErasing(in.store.tailAcquire(slot))) {
            in.slots.markErasing(slot);
            completeErase(hi, lo, hash, in, slot, own);
          } else {
            in.release(slot, false);
          }
        }
        return RETRY;
      }
      // Of two visible entries one is marked until the other is hidden.
      if (MetaWord.isSuperseding(meta)) {
        completeReplacement(hi, lo, hash, before);
        return RETRY;
      }
      found = in == table ? slot : slot | BEFORE;
    }
    return found;
  }

  /** Pins the visible entry of a key in a slot. */
  static boolean pin(EntryLifecycle in, int slot, long hi, long lo) {
    return in.slots.matches(slot, hi, lo) != 0
        && in.pinned(in.slots.pinUnseen(slot, hi, lo, MetaWord.MAX_PINS_AND_ERASERS), slot);
  }

  /** Hides what a superseding entry of the key has superseded, if there is one. */
  void completeReplacement(long hi, long lo, long hash, @Nullable EntryLifecycle before) {
    int place = superseding(hi, lo, hash, before);
    if (place < 0) {
      return;
    }
    EntryLifecycle in = tableOf(place, before);
    int newer = slot(place);
    if (!pin(in, newer, hi, lo)) {
      return;
    }
    if (MetaWord.isSuperseding(in.store.metaAcquire(newer))) {
      overwrites.step(hash);
      hideOlder(table, in, newer, hi, lo, hash);
      if (before != null) {
        hideOlder(before, in, newer, hi, lo, hash);
      }
      in.slots.endSuperseding(newer);
    }
    in.release(newer, false);
  }

  private void hideOlder(
      EntryLifecycle among, EntryLifecycle in, int newer, long hi, long lo, long hash) {
    int first = among.buckets.first(hash);
    int second = among.buckets.second(hash);
    long left = among.store.candidates(first, second, Tags.pattern(hash));
    for (; left != 0; left &= left - 1) {
      int older = SlotStore.slot(first, second, left);
      if ((older != newer || among != in) && pin(among, older, hi, lo)) {
        // [one-entry] behind the pin: what was pinned is what the newer one supersedes.
        if (MetaWord.isSuperseding(in.store.metaAcquire(newer))) {
          among.freeIfOwned(among.slots.supersedeAndRelease(older), older);
        } else {
          among.release(older, false);
        }
      }
    }
  }

  private int superseding(long hi, long lo, long hash, @Nullable EntryLifecycle before) {
    int slot = supersedingIn(table, hi, lo, hash);
    // With the bit set, absent is still absent.
    return slot >= 0 || before == null ? slot : supersedingIn(before, hi, lo, hash) | BEFORE;
  }

  private static int supersedingIn(EntryLifecycle in, long hi, long lo, long hash) {
    int first = in.buckets.first(hash);
    int second = in.buckets.second(hash);
    long left = in.store.candidates(first, second, Tags.pattern(hash));
    for (; left != 0; left &= left - 1) {
      int slot = SlotStore.slot(first, second, left);
      if (MetaWord.isSuperseding(in.slots.matches(slot, hi, lo))) {
        return slot;
      }
    }
    return ABSENT;
  }

  /**
   * Erases a key in this table or the one before. The value of a pinned entry stays what it is: if
   * it is the expected one, the entry is erased unless a newer one takes its place in time, which
   * is then looked at in turn.
   *
   * @param expected the only value to erase, or null for any
   * @return {@link #ERASED} if this call did, {@link #ABSENT}, or {@link #NOT_ERASED}
   */
  int erase(long hi, long lo, long hash, @Nullable Object expected) {
    EntryLifecycle before = table.before();
    for (; ; ) {
      completeReplacement(hi, lo, hash, before);
      int place = pinCurrent(hi, lo, hash, before);
      if (place < 0) {
        return ABSENT;
      }
      EntryLifecycle in = tableOf(place, before);
      int slot = slot(place);
      if (expected != null && !in.holds(slot, expected)) {
        in.release(slot, false);
        return NOT_ERASED;
      }
      boolean mine = in.slots.markErasing(slot);
      if (completeErase(hi, lo, hash, in, slot, ABSENT)) {
        return mine ? ERASED : NOT_ERASED;
      }
    }
  }

  /**
   * Pins the visible entry of a key, if there is one; its place. Each table has its own check of
   * the count: who overwrites in the table before has published here before it hides anything
   * there, and this table is looked at later.
   */
  int pinCurrent(long hi, long lo, long hash, @Nullable EntryLifecycle before) {
    int slot = before == null ? ABSENT : before.find(hi, lo, hash);
    return slot >= 0 ? slot | BEFORE : table.find(hi, lo, hash);
  }

  /**
   * Hides a pinned, erasing entry, unless it was superseded in time. Ends the pin, but not before
   * it is decided: the thread that marked the entry has to learn whether that erased the key, even
   * if others did the rest.
   *
   * @param own the caller's announced slot, or {@link #ABSENT}
   * @return whether the key was erased
   */
  private boolean completeErase(
      long hi, long lo, long hash, EntryLifecycle in, int erasing, int own) {
    try {
      for (; ; ) {
        // [start] behind the mark: every thread that knows a table not seen here has seen the mark.
        EntryLifecycle newest = table.newest();
        EntryLifecycle before = newest.before();
        if (!MetaWord.isVisible(in.store.metaAcquire(erasing))
            || !findAnotherOrInvalidate(newest, hi, lo, hash, in, erasing, own)
                && (before == null
                    || !findAnotherOrInvalidate(before, hi, lo, hash, in, erasing, own))) {
          break;
        }
        // One of the two supersedes the other.
        new PendingWrites(newest).completeReplacement(hi, lo, hash, before);
      }
    } catch (Throwable e) {
      // Without memory it stays as it is, erasing; the next writer of the key erases it.
      in.release(erasing, false);
      throw e;
    }
    int outcome = in.freeIfOwned(in.slots.hideAndRelease(erasing), erasing);
    return (outcome & SlotProtocol.SUPERSEDED) == 0;
  }

  /** Invalidates announcements; returns whether another entry of the key is visible. */
  private boolean findAnotherOrInvalidate(
      EntryLifecycle among, long hi, long lo, long hash, EntryLifecycle in, int erasing, int own) {
    int first = among.buckets.first(hash);
    int second = among.buckets.second(hash);
    TentativeInserts inserts = among.tentativeInserts;
    long left = inserts.candidates(first, second, Tags.pattern(hash));
    for (; left != 0; left &= left - 1) {
      int slot = SlotStore.slot(first, second, left);
      if ((slot != erasing || among != in)
          && (slot != own || among != table)
          && inserts.findOrInvalidate(slot, hi, lo, false) != 0) {
        return true;
      }
    }
    return false;
  }
}
