/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.slot.Meta;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Slots;
import io.hyperclock.internal.slot.Tail;
import org.jspecify.annotations.Nullable;

/**
 * Reads that do not pin: of values that the collector owns, by anybody, and of all values on behalf
 * of an open read scope, which keeps them from being freed.
 *
 * <p>Progress: lock-free; a search starts again only if the key is being overwritten.
 */
public abstract class UnpinnedReads {
  final SlotStore store;
  final Probing probing;
  final Slots slots;
  private final int slotCount;
  private final Survey survey;
  private final OverwriteCounts overwrites;
  private final EntryCallbacks callbacks;

  /** Reads of one table. */
  UnpinnedReads(
      Probing probing,
      Slots slots,
      Survey survey,
      OverwriteCounts overwrites,
      EntryCallbacks callbacks) {
    this.probing = probing;
    this.slots = slots;
    this.store = slots.store();
    this.slotCount = probing.slots();
    this.survey = survey;
    this.overwrites = overwrites;
    this.callbacks = callbacks;
  }

  /**
   * Reads a value that the collector owns.
   *
   * @param use whether it counts as a use
   * @return the value, or null
   * @throws IllegalStateException if the value is freed by hand
   */
  public final @Nullable Object get(long hi, long lo, long hash, boolean use) {
    return read(hi, lo, hash, Meta.READABLE, use);
  }

  /**
   * Reads any value on behalf of an open scope, counting as a use.
   *
   * @return what the slot holds as value, or null
   */
  public final @Nullable Object getInScope(long hi, long lo, long hash) {
    return read(hi, lo, hash, Meta.VISIBLE, true);
  }

  /**
   * Reads a value.
   *
   * @param wanted bit of meta that must be set
   */
  abstract @Nullable Object read(long hi, long lo, long hash, long wanted, boolean use);

  /**
   * Counts a use of an entry that {@link #search} has found.
   *
   * @param meta its word
   */
  abstract void used(int slot, long meta);

  /** Counts a use that found nothing. */
  abstract void missed();

  /** Reads a value by a look at the whole path of its key. */
  final @Nullable Object search(long hi, long lo, long hash, long wanted, boolean use) {
    long before;
    do {
      before = overwrites.of(hash);
      Object value = searchOnce(hi, lo, hash, wanted, use);
      if (value != null) {
        return value;
      }
    } while (overwrites.of(hash) != before);
    if (use) {
      missed();
    }
    return null;
  }

  private @Nullable Object searchOnce(long hi, long lo, long hash, long wanted, boolean use) {
    SlotStore words = store;
    int slot = probing.home(hash, hi, lo);
    int increment = probing.increment(hash);
    int lane = Tail.lane(hash);
    for (int step = 1; ; step++) {
      long tail = words.tailAcquire(slot);
      Object value = words.read(slot, hi, lo, wanted);
      if (value != null) {
        long meta = words.metaAcquire(slot);
        if (step > 1 && Meta.isSuperseding(meta) && survey.isPreceded(hi, lo, hash, slot)) {
          slot = probing.home(hash, hi, lo);
          step = 0;
          continue;
        }
        if (use) {
          used(slot, meta);
        }
        return value;
      }
      requireOtherKey(slot, hi, lo, wanted);
      if (Tail.displacements(tail, lane) == 0 || step == slotCount) {
        return null;
      }
      slot = probing.next(slot, increment, step - 1);
    }
  }

  private void requireOtherKey(int slot, long hi, long lo, long wanted) {
    long meta = store.metaOpaque(slot);
    if (Meta.isVisible(meta) && (meta & wanted) == 0) {
      long present = slots.matches(slot, hi, lo);
      if (present != 0 && (present & wanted) == 0) {
        throw callbacks.pinRequired(hi, lo);
      }
    }
  }
}
