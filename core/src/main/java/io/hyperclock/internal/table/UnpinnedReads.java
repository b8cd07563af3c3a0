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
public final class UnpinnedReads {
  /*
   * A key in its home pair is the usual case. The low word of the key in the home slot, a hint,
   * chooses between the two slots of the pair, without a branch that the processor would guess
   * wrongly every third time. That choice waits for the line of the slot, so one value of the pair
   * is looked at before: both lie in one line, which is then on the way meanwhile. Then the next
   * pair is looked at in the same way. Whatever that does not settle, a miss above all, is left to
   * a search of the whole path. Why hints do not lead astray: [S10].
   */

  private final Probing probing;
  private final SlotStore store;
  private final Slots slots;
  private final int slotCount;
  private final Survey survey;
  private final OverwriteCounts overwrites;
  private final EntryCallbacks callbacks;
  private final @Nullable ReadRecorder recorder;

  /** Reads of one table. */
  UnpinnedReads(
      Probing probing,
      Slots slots,
      Survey survey,
      OverwriteCounts overwrites,
      EntryCallbacks callbacks,
      @Nullable ReadRecorder recorder) {
    this.probing = probing;
    this.slots = slots;
    this.store = slots.store();
    this.slotCount = probing.slots();
    this.survey = survey;
    this.overwrites = overwrites;
    this.callbacks = callbacks;
    this.recorder = recorder;
  }

  /**
   * Reads a value that the collector owns.
   *
   * @param use whether it counts as a use
   * @return the value, or null
   * @throws IllegalStateException if the value is freed by hand
   */
  public @Nullable Object get(long hi, long lo, long hash, boolean use) {
    return read(hi, lo, hash, Meta.READABLE, use);
  }

  /**
   * Reads any value on behalf of an open scope, counting as a use.
   *
   * @return what the slot holds as value, or null
   */
  public @Nullable Object getInScope(long hi, long lo, long hash) {
    return read(hi, lo, hash, Meta.VISIBLE, true);
  }

  private @Nullable Object read(long hi, long lo, long hash, long wanted, boolean use) {
    SlotStore words = store;
    int home = probing.home(hash, hi, lo);
    boolean empty = words.valueOpaque(home) == null;
    int slot = probing.likely(home, words.keyLoOpaque(home), lo);
    if (empty && slot == home) {
      return search(hi, lo, hash, wanted, use);
    }
    Object value = words.read(slot, hi, lo, wanted);
    if (value == null) {
      return slot == home
          ? search(hi, lo, hash, wanted, use)
          : searchNextPair(home, hi, lo, hash, wanted, use);
    }
    // Of the home slot too: to tell it from the other costs a branch that cannot be predicted.
    long meta = words.metaAcquire(slot);
    if (Meta.isSuperseding(meta)) {
      return search(hi, lo, hash, wanted, use);
    }
    if (use) {
      used(slot, meta);
    }
    return value;
  }

  private void used(int slot, long meta) {
    slots.tick(slot, meta);
    if (recorder != null) {
      recorder.hit(store.coldAcquire(slot));
    }
  }

  /**
   * One entry in six is not in its home pair, and most of these are in the next one. To be called
   * only if neither slot of the home pair has the key: where a look at the home slot alone says so,
   * the other one may have a newer entry than that in the next pair.
   */
  private @Nullable Object searchNextPair(
      int home, long hi, long lo, long hash, long wanted, boolean use) {
    SlotStore words = store;
    if (Tail.displacements(words.tailAcquire(home), Tail.lane(hash)) != 0) {
      int next = probing.third(home, hash);
      int slot = probing.likely(next, words.keyLoOpaque(next), lo);
      Object value = words.read(slot, hi, lo, wanted);
      if (value != null) {
        long meta = words.metaAcquire(slot);
        if (!Meta.isSuperseding(meta)) {
          if (use) {
            used(slot, meta);
          }
          return value;
        }
      }
    }
    return search(hi, lo, hash, wanted, use);
  }

  private @Nullable Object search(long hi, long lo, long hash, long wanted, boolean use) {
    long before;
    do {
      before = overwrites.of(hash);
      Object value = searchOnce(hi, lo, hash, wanted, use);
      if (value != null) {
        return value;
      }
    } while (overwrites.of(hash) != before);
    if (use && recorder != null) {
      recorder.miss();
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
