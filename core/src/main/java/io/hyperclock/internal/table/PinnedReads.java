/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.observe.StatsRecorder;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Tags;
import io.hyperclock.internal.slot.ValueSwap;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Reads that pin what they find.
 *
 * <p>Progress: lock-free; a search starts again only if the key is being overwritten.
 */
public final class PinnedReads {
  /** Result of {@link #lookup}: no such entry. */
  public static final int ABSENT = -1;

  /** Result of {@link #lookup}: it was not found here, and may be in another table. */
  public static final int ELSEWHERE = -2;

  /** Added to a slot whose value is just being exchanged; the sum is below {@link #ELSEWHERE}. */
  public static final int BEING_EXCHANGED = Integer.MIN_VALUE;

  private final Buckets buckets;
  private final SlotStore store;
  private final SlotProtocol slots;
  private final OverwriteSequence overwrites;
  private final ValueSwap exchanges;
  private final EntryLifecycle table;
  final @Nullable StatsRecorder recorder;
  private final TableView kind;
  private final @Nullable Object owner;

  /**
   * Reads of one table.
   *
   * @param owner of the handles made for what is pinned, or null
   */
  PinnedReads(
      EntryLifecycle table,
      @Nullable StatsRecorder recorder,
      TableView kind,
      @Nullable Object owner) {
    this.buckets = table.buckets;
    this.slots = table.slots;
    this.store = table.store;
    this.overwrites = table.overwrites;
    this.exchanges = table.exchanges;
    this.table = table;
    this.recorder = recorder;
    this.kind = kind;
    this.owner = owner;
  }

  /** The maker of handles. */
  public @Nullable Object owner() {
    return owner;
  }

  /**
   * Reads an entry.
   *
   * @return the slot, now holding one more reference, its sum with {@link #BEING_EXCHANGED} if its
   *     value may not stay as it is, {@link #ABSENT}, or {@link #ELSEWHERE}
   * @throws IllegalStateException if the entry has too many pins
   */
  public int lookup(long hi, long lo, long hash) {
    int slot = lookupHere(hi, lo, hash, true);
    if (slot == ABSENT) {
      // [view] as of reads that do not pin.
      if (kind != TableView.FIXED && (kind == TableView.MOVING || table.next() != null)) {
        return ELSEWHERE;
      }
      missed();
    }
    return slot;
  }

  /**
   * Looks a key up in this table only; else {@link #ABSENT}.
   *
   * @param counted whether it is a hit if there is one
   */
  public int lookupHere(long hi, long lo, long hash, boolean counted) {
    int slot = search(hi, lo, hash, MetaWord.MAX_PINS, 0);
    if (slot < ELSEWHERE && exchanges.awaitBriefly(slot - BEING_EXCHANGED)) {
      slot -= BEING_EXCHANGED;
    }
    if (recorder != null && counted && slot != ABSENT) {
      try {
        recorder.hit(store.coldAcquire(slot & Integer.MAX_VALUE));
      } catch (StackOverflowError e) {
        // It is not counted: the pin must not be lost with it.
      }
    }
    return slot;
  }

  /** Notes that a key was found in no table. */
  public void missed() {
    if (recorder != null) {
      recorder.misses.increment();
    }
  }

  /**
   * Pins the visible entry of a key for a writer, even if its value is being exchanged; not a hit.
   *
   * @return the slot, now holding one more reference, or {@link #ABSENT}
   */
  int find(long hi, long lo, long hash) {
    int slot = search(hi, lo, hash, MetaWord.MAX_PINS_AND_ERASERS, MetaWord.HIT);
    return slot < ELSEWHERE ? slot - BEING_EXCHANGED : slot;
  }

  /**
   * Pins the visible entry of a key; of two, the one that is being overwritten.
   *
   * <p>One method on purpose: it is left as a call, or inlined as a whole, so that callers inline
   * what is around it, and a handle that does not leave them need not be allocated.
   *
   * @param maxPins references the entry may have before
   * @param unseen the bit of a hit, for a pin that does not set it, or 0
   * @return the slot, its sum with {@link #BEING_EXCHANGED} if its value may be, or {@link #ABSENT}
   */
  private int search(long hi, long lo, long hash, int maxPins, long unseen) {
    SlotStore words = store;
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    long tags = Tags.pattern(hash);
    long before;
    do {
      before = overwrites.of(hash);
      boolean overtaken = false;
      long left = words.candidates(first, second, tags);
      while (left != 0) {
        int slot = SlotStore.slot(first, second, left);
        left &= left - 1;
        long meta = words.metaAcquire(slot);
        if (MetaWord.isVisible(meta)
            && words.keyLoOpaque(slot) == lo
            && words.keyHiOpaque(slot) == hi) {
          int outcome = slots.pin(slot, meta | unseen, hi, lo, maxPins);
          if (outcome == SlotProtocol.PINNED) {
            return slot;
          }
          if (table.pinned(outcome, slot)) {
            // [one-entry] not overwritten before the older entry is hidden: that is the one to
            // return.
            long now = words.metaAcquire(slot);
            long older =
                MetaWord.isSuperseding(now) ? slots.another(first, second, tags, slot, hi, lo) : 0;
            if (older == 0) {
              if (MetaWord.isSuperseding(now) && isOlderElsewhere(hi, lo, hash)) {
                table.release(slot, false);
                return ABSENT;
              }
              return slot + BEING_EXCHANGED;
            }
            table.release(slot, false);
            overtaken = true;
            left = older;
            continue;
          }
        }
        // It is set only together with the last slot to look at.
        if (overtaken) {
          overtaken = false;
          left = words.candidates(first, second, tags);
        }
      }
      // [one-entry] slots that matched in vain were looked at before the count.
      VarHandle.acquireFence();
    } while (overwrites.of(hash) != before);
    return ABSENT;
  }

  /** Whether what an entry supersedes is visible in the table that is being left. */
  private boolean isOlderElsewhere(long hi, long lo, long hash) {
    EntryLifecycle before = kind == TableView.MOVING ? table.before() : null;
    return before != null && before.shows(hi, lo, hash);
  }
}
