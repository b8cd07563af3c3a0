/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.observe.EntryCallbacks;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Tags;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Reads that do not pin: of values that the collector owns, by anybody, and of all values on behalf
 * of an open read scope, which keeps them from being freed.
 *
 * <p>Progress: lock-free; a search starts again only if the key is being overwritten.
 */
public abstract class OptimisticReads {
  /** Instead of a value: an older entry of the key is visible in the table before. */
  private static final Object OLDER_IS_BEFORE = new Object();

  final SlotStore store;
  final Buckets buckets;
  final SlotProtocol slots;
  private final EntryLifecycle table;
  private final OverwriteSequence overwrites;
  private final EntryCallbacks callbacks;
  private final boolean isFixed;
  private final boolean isMoving;

  /** Reads of one table. */
  OptimisticReads(EntryLifecycle table, TableView kind) {
    this.table = table;
    this.buckets = table.buckets;
    this.slots = table.slots;
    this.store = table.store;
    this.overwrites = table.overwrites;
    this.callbacks = table.callbacks;
    this.isFixed = kind == TableView.FIXED;
    this.isMoving = kind == TableView.MOVING;
  }

  /**
   * Reads a value.
   *
   * @param wanted bit of meta that must be set: {@link MetaWord#READABLE} for a value that the
   *     collector owns; {@link MetaWord#VISIBLE} for any, on behalf of an open scope or of somebody
   *     who wants to know only whether it is there
   * @param use whether it counts as a use
   * @return what the slot holds as value, or null
   * @throws IllegalStateException if the value is freed explicitly and must not be
   */
  public abstract @Nullable Object read(long hi, long lo, long hash, long wanted, boolean use);

  /**
   * Counts a use of an entry that {@link #search} has found.
   *
   * @param meta its word
   */
  abstract void used(int slot, long meta);

  /** Counts a use that found nothing. */
  abstract void missed();

  /**
   * Whether a look that found nothing may have missed an entry because it was overwritten, or is in
   * another table.
   */
  final boolean mayHaveMissed() {
    return overwrites.areAny() || mayBeElsewhere();
  }

  /**
   * [view] Whether an entry that a look has not found may be in another table. What the look saw of
   * an entry that had moved tells that the table was left.
   */
  private boolean mayBeElsewhere() {
    return !isFixed && (isMoving || table.next() != null);
  }

  /** Reads a value, again if its key was overwritten or moved meanwhile. */
  final @Nullable Object search(long hi, long lo, long hash, long wanted, boolean use) {
    Object value = isMoving ? null : searchHere(hi, lo, hash, wanted, use, null);
    if (value == null && mayBeElsewhere()) {
      value = searchAll(hi, lo, hash, wanted, use);
    }
    if (value == null && use) {
      missed();
    }
    return value;
  }

  final @Nullable Object searchHere(
      long hi, long lo, long hash, long wanted, boolean use, @Nullable EntryLifecycle before) {
    long count;
    do {
      count = overwrites.of(hash);
      Object value = searchOnce(hi, lo, hash, wanted, use, before);
      if (value != null) {
        return value;
      }
      // [one-entry] slots that matched in vain were looked at before the count.
      VarHandle.acquireFence();
    } while (overwrites.of(hash) != count);
    return null;
  }

  /**
   * Looks at the table that is being left, then at the newest one: entries go that way only, and
   * are visible there before they are hidden here.
   */
  private @Nullable Object searchAll(long hi, long lo, long hash, long wanted, boolean use) {
    for (; ; ) {
      EntryLifecycle newest = table.newest();
      EntryLifecycle before = newest.before();
      long overwritten = overwrites.of(hash);
      if (before != null) {
        Object value = before.searchOnce(hi, lo, hash, wanted, use);
        if (value != null) {
          return value;
        }
        // [view] what was not found there is found in the newest table, if it has moved.
        VarHandle.acquireFence();
      }
      Object value = newest.searchHere(hi, lo, hash, wanted, use, before);
      // [one-entry] both tables were looked at before the count.
      VarHandle.acquireFence();
      if (value == null
          ? newest.next() == null && overwrites.of(hash) == overwritten
          : value != OLDER_IS_BEFORE) {
        return value;
      }
    }
  }

  /**
   * Looks once at both buckets.
   *
   * @param before the table before, which is looked at again if the key is found here, or null
   * @return the value, null, or {@link #OLDER_IS_BEFORE}, which does not count as a use
   */
  final @Nullable Object searchOnce(
      long hi, long lo, long hash, long wanted, boolean use, @Nullable EntryLifecycle before) {
    SlotStore words = store;
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    long tags = Tags.pattern(hash);
    boolean overtaken = false;
    long left = words.candidates(first, second, tags);
    while (left != 0) {
      int slot = SlotStore.slot(first, second, left);
      left &= left - 1;
      Object value = words.read(slot, hi, lo, wanted);
      if (value == null) {
        requireOtherKey(slot, hi, lo, wanted);
      } else {
        long meta = words.metaAcquire(slot);
        // [one-entry] not overwritten before the older entry is hidden: that is the one to return.
        long older =
            MetaWord.isSuperseding(meta) ? slots.another(first, second, tags, slot, hi, lo) : 0;
        if (older == 0) {
          if (before != null && isShownBy(before, hi, lo, hash)) {
            return OLDER_IS_BEFORE;
          }
          if (use) {
            used(slot, meta);
          }
          return value;
        }
        overtaken = true;
        left = older;
        continue;
      }
      // It is set only together with the last slot to look at.
      if (overtaken) {
        overtaken = false;
        left = words.candidates(first, second, tags);
      }
    }
    return null;
  }

  private static boolean isShownBy(EntryLifecycle before, long hi, long lo, long hash) {
    // [view] the newest table was looked at before: an insert that began in the other may have come
    // late.
    VarHandle.acquireFence();
    return before.shows(hi, lo, hash);
  }

  private void requireOtherKey(int slot, long hi, long lo, long wanted) {
    long present = slots.matches(slot, hi, lo);
    if (present != 0 && (present & wanted) == 0) {
      throw callbacks.pinRequired(hi, lo);
    }
  }
}
