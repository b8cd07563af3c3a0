/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.Prefetch;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Tags;
import io.hyperclock.internal.slot.ValueSwap;
import org.jspecify.annotations.Nullable;

/**
 * Overwrites that need no new entry: the present one has no pin, its value belongs to the
 * collector, and it has the same type and charge. The value is exchanged, and the entry stays what
 * it is to every other thread. All other cases are left to {@link Insertion}.
 *
 * <p>An exchange counts from the moment the value is stored; if the entry was hidden meanwhile,
 * from just before that. Progress: lock-free; never waits for longer than a moment.
 */
public final class InPlaceUpdate {
  private final Buckets buckets;
  private final SlotStore store;
  private final ValueSwap exchanges;
  private final EntryLifecycle table;

  /** Exchanges in one table. */
  InPlaceUpdate(EntryLifecycle table) {
    this.buckets = table.buckets;
    this.store = table.store;
    this.exchanges = table.exchanges;
    this.table = table;
  }

  /**
   * Exchanges the value of the visible entry of a key, if the entry is as said above.
   *
   * @param expected the only value to overwrite, or null for any
   * @return {@link EntryTable#REPLACED}, {@link EntryTable#NOT_EXPECTED}, or {@link
   *     EntryTable#NOT_IN_PLACE} if {@link Insertion#put} must be asked
   */
  public int put(long hi, long lo, long hash, Object value, long cold, @Nullable Object expected) {
    int outcome = putHere(hi, lo, hash, value, cold, expected);
    EntryLifecycle before = outcome == EntryTable.NOT_IN_PLACE ? table.before() : null;
    return before == null
        ? outcome
        : new InPlaceUpdate(before).putHere(hi, lo, hash, value, cold, expected);
  }

  private int putHere(
      long hi, long lo, long hash, Object value, long cold, @Nullable Object expected) {
    SlotStore words = store;
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    long left = words.candidates(first, second, Tags.pattern(hash));
    if (left != 0) {
      // The lines of the value would be waited for behind the first atomic step.
      Prefetch.use(words.touch(SlotStore.slot(first, second, left)));
    }
    for (; left != 0; left &= left - 1) {
      int slot = SlotStore.slot(first, second, left);
      if (MetaWord.isReadable(words.metaAcquire(slot)) && isOf(slot, hi, lo)) {
        return ChargeWord.isSameKind(words.coldAcquire(slot), cold)
            ? exchange(slot, hi, lo, value, cold, expected)
            : EntryTable.NOT_IN_PLACE;
      }
    }
    return EntryTable.NOT_IN_PLACE;
  }

  private boolean isOf(int slot, long hi, long lo) {
    return store.keyLoOpaque(slot) == lo && store.keyHiOpaque(slot) == hi;
  }

  private int exchange(
      int slot, long hi, long lo, Object value, long cold, @Nullable Object expected) {
    // The step that leaves takes more calls than the one that enters.
    StackReserve.requireLittle();
    long entered = exchanges.enter(slot);
    if (entered == 0) {
      return EntryTable.NOT_IN_PLACE;
    }
    int outcome = EntryTable.NOT_IN_PLACE;
    // The slot may have had another tenant by then, and a holder may have changed the charge.
    if (isOf(slot, hi, lo) && ChargeWord.isSameKind(store.coldAcquire(slot), cold)) {
      if (expected == null || store.valueOpaque(slot) == expected) {
        exchanges.setValue(slot, value);
        outcome = EntryTable.REPLACED;
      } else {
        outcome = EntryTable.NOT_EXPECTED;
      }
    }
    if (exchanges.leave(slot, entered, outcome == EntryTable.REPLACED)) {
      table.free(slot);
    }
    return outcome;
  }
}
