/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.slot.Exchanges;
import io.hyperclock.internal.slot.Meta;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Slots;
import io.hyperclock.internal.slot.Tail;
import org.jspecify.annotations.Nullable;

/**
 * Reads that pin what they find.
 *
 * <p>Progress: lock-free; a search starts again only if the key is being overwritten.
 */
public final class PinnedReads {
  /** Result of {@link #lookup}: no such entry. */
  public static final int ABSENT = -1;

  /** Added to a slot whose value is just being exchanged; the sum is below {@link #ABSENT}. */
  public static final int BEING_EXCHANGED = Integer.MIN_VALUE;

  private static final int OVERTAKEN = -2;

  private final Probing probing;
  private final SlotStore store;
  private final Slots slots;
  private final int slotCount;
  private final Survey survey;
  private final OverwriteCounts overwrites;
  private final Exchanges exchanges;
  private final ClockTable table;
  private final @Nullable ReadRecorder recorder;

  /** Reads of one table. */
  PinnedReads(
      Probing probing,
      Slots slots,
      Survey survey,
      OverwriteCounts overwrites,
      Exchanges exchanges,
      ClockTable table,
      @Nullable ReadRecorder recorder) {
    this.probing = probing;
    this.slots = slots;
    this.store = slots.store();
    this.slotCount = probing.slots();
    this.survey = survey;
    this.overwrites = overwrites;
    this.exchanges = exchanges;
    this.table = table;
    this.recorder = recorder;
  }

  /**
   * Reads an entry.
   *
   * @return the slot, now holding one more reference, its sum with {@link #BEING_EXCHANGED} if its
   *     value may not stay as it is, or {@link #ABSENT}
   * @throws IllegalStateException if the entry has too many pins
   */
  public int lookup(long hi, long lo, long hash) {
    int slot = search(hi, lo, hash, Meta.MAX_PINS, false);
    if (slot < ABSENT && exchanges.awaitBriefly(slot - BEING_EXCHANGED)) {
      slot -= BEING_EXCHANGED;
    }
    if (recorder != null) {
      if (slot == ABSENT) {
        recorder.miss();
      } else {
        recorder.hit(store.coldAcquire(slot & Integer.MAX_VALUE));
      }
    }
    return slot;
  }

  /**
   * Pins the first visible entry of a key on its path, whatever becomes of its value.
   *
   * @param once whether not to look again if an overwrite may have hidden the entry from this look
   * @return the slot, now holding one more reference, or {@link #ABSENT}
   */
  int find(long hi, long lo, long hash, int maxPins, boolean once) {
    int slot = search(hi, lo, hash, maxPins, once);
    return slot < ABSENT ? slot - BEING_EXCHANGED : slot;
  }

  /**
   * Pins the first visible entry of a key on its path. The home pair is looked at as reads without
   * pins do ({@link PlainReads}).
   *
   * <p>One method on purpose: it has more bytecodes than HotSpot inlines (325), so that callers
   * inline what is around it, and a handle that does not leave them is never allocated.
   *
   * @return the slot, its sum with {@link #BEING_EXCHANGED} if its value may be, or {@link #ABSENT}
   */
  private int search(long hi, long lo, long hash, int maxPins, boolean once) {
    SlotStore words = store;
    int home = probing.home(hash, hi, lo);
    boolean empty = words.valueOpaque(home) == null;
    int slot = home ^ SlotStore.unlessSame(words.keyLoOpaque(home), lo, probing.pair());
    if (!empty || slot != home) {
      int found = pin(words, slot, hi, lo, maxPins);
      if (found != ABSENT) {
        if (found != OVERTAKEN) {
          return found;
        }
        slot = home;
      }
    }
    int lane = Tail.lane(hash);
    // As in PlainReads: only if neither slot of the home pair has the key.
    if (slot != home && Tail.displacements(words.tailAcquire(home), lane) != 0) {
      int next = probing.third(home, hash);
      slot = next ^ SlotStore.unlessSame(words.keyLoOpaque(next), lo, probing.pair());
      int found = pin(words, slot, hi, lo, maxPins);
      if (found != ABSENT && found != OVERTAKEN) {
        return found;
      }
    }
    int increment = probing.increment(hash);
    long before;
    do {
      before = overwrites.of(hash);
      slot = home;
      for (int step = 1; ; step++) {
        long tail = words.tailAcquire(slot);
        long meta = words.metaAcquire(slot);
        if (Meta.isVisible(meta)
            && words.keyLoOpaque(slot) == lo
            && words.keyHiOpaque(slot) == hi
            && table.pinned(slots.pin(slot, meta, hi, lo, maxPins), slot)) {
          if (step == 1
              || !Meta.isSuperseding(words.metaAcquire(slot))
              || !survey.isPreceded(hi, lo, hash, slot)) {
            return slot + BEING_EXCHANGED;
          }
          table.release(slot, false, false);
          slot = home;
          step = 0;
          continue;
        }
        if (Tail.displacements(tail, lane) == 0 || step == slotCount) {
          break;
        }
        slot = probing.next(slot, increment, step - 1);
      }
    } while (!once && overwrites.of(hash) != before);
    return ABSENT;
  }

  /**
   * Pins the entry of a slot if it has the key and supersedes no other. Of the home slot too: to
   * tell it from the others costs a branch that cannot be predicted.
   *
   * @return as {@link #search}, or {@link #OVERTAKEN} if it supersedes another
   */
  private int pin(SlotStore words, int slot, long hi, long lo, int maxPins) {
    long meta = words.metaAcquire(slot);
    if (!Meta.isVisible(meta) || words.keyLoOpaque(slot) != lo || words.keyHiOpaque(slot) != hi) {
      return ABSENT;
    }
    int outcome = slots.pin(slot, meta, hi, lo, maxPins);
    if (outcome == Slots.PINNED) {
      return slot;
    }
    if (!table.pinned(outcome, slot)) {
      return ABSENT;
    }
    if (!Meta.isSuperseding(words.metaAcquire(slot))) {
      return slot + BEING_EXCHANGED;
    }
    table.release(slot, false, false);
    return OVERTAKEN;
  }
}
