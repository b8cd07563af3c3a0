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
 * Reads that do not pin and are counted nowhere but in the slot.
 *
 * <p>A key in its home pair is the usual case, and most others are in the next pair; each pair is
 * looked at by {@link SlotStore#readNear}. Whatever that does not settle, a miss above all, is left
 * to a search of the whole path. Why hints do not lead astray: [S10].
 */
final class PlainReads extends UnpinnedReads {
  private final long hotFrom;

  private PlainReads(
      Probing probing,
      Slots slots,
      Survey survey,
      OverwriteCounts overwrites,
      EntryCallbacks callbacks) {
    super(probing, slots, survey, overwrites, callbacks);
    this.hotFrom = slots.hotFrom();
  }

  /** Reads of one table. */
  static UnpinnedReads create(
      Probing probing,
      Slots slots,
      Survey survey,
      OverwriteCounts overwrites,
      EntryCallbacks callbacks) {
    return new PlainReads(probing, slots, survey, overwrites, callbacks);
  }

  @Override
  @Nullable Object read(long hi, long lo, long hash, long wanted, boolean use) {
    int home = probing.home(hash, hi, lo);
    Object value = readNear(home, hi, lo, wanted, use);
    if (value == null) {
      return search(hi, lo, hash, wanted, use);
    }
    return value == SlotStore.NOT_HERE ? searchNextPair(home, hi, lo, hash, wanted, use) : value;
  }

  private @Nullable Object readNear(int first, long hi, long lo, long wanted, boolean use) {
    long looked = wanted | Meta.WRITER;
    return store.readNear(first, probing.pair(), hi, lo, looked, wanted, use ? hotFrom : 0);
  }

  /**
   * One entry in six is not in its home pair, and most of these are in the next one. To be called
   * only if neither slot of the home pair has the key: where a look at the home slot alone says so,
   * the other one may have a newer entry than that in the next pair.
   */
  private @Nullable Object searchNextPair(
      int home, long hi, long lo, long hash, long wanted, boolean use) {
    if (Tail.displacements(store.tailAcquire(home), Tail.lane(hash)) != 0) {
      Object value = readNear(probing.third(home, hash), hi, lo, wanted, use);
      if (value != null && value != SlotStore.NOT_HERE) {
        return value;
      }
    }
    return search(hi, lo, hash, wanted, use);
  }

  @Override
  void used(int slot, long meta) {
    slots.tick(slot, meta);
  }

  @Override
  void missed() {}
}
