/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.secondary.internal.record.Words;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntToLongFunction;
import java.util.function.LongPredicate;

/**
 * From keys to places: one array of slots, see {@link SlotLayout}.
 *
 * <p>A key may stand in any slot of its <em>window</em>, {@value #WINDOW} slots from where its hash
 * points. Slots never move, and a key is looked for in its whole window, so what is taken out
 * leaves no mark. A slot tells keys apart by fingerprint only. Two keys of one window with one
 * fingerprint cannot both stay: an insert or an erase of a key takes every slot of its fingerprint
 * out of its window, and each reader of a record compares the key in full. So a key has at most one
 * slot, two only while it is put, and what another key's slot points to is a miss.
 *
 * <p>Readers need no lock. All that changes which record a slot is of happens under the lock of the
 * log; only the mark of a hit is set without, by compare-and-set, so that it fails where the slot
 * has changed. Changers therefore see any slot only gain that mark.
 */
final class SlotIndex {
  static final int WINDOW = 32;

  private static final int MIN_SLOTS = 1 << 8;

  /** Part of the slots that are taken when the disk is full. */
  private static final double FULL = 0.7;

  private final SlotLayout layout;
  private final AtomicLongArray slots;
  private final long seed;
  private long entries;
  private long displaced;

  SlotIndex(SlotLayout layout, int slotCount, long seed) {
    this.layout = layout;
    this.slots = new AtomicLongArray(slotCount);
    this.seed = seed;
  }

  /**
   * Slots for records of a size that fill so much space, to 0.7 at most.
   *
   * @throws IllegalArgumentException if that is more than a snapshot has room for, or than a heap
   *     of that size could hold
   */
  static int slotsFor(long capacityBytes, int recordBytes, long heapBytes) {
    double wanted = capacityBytes / FULL / recordBytes;
    if (wanted > Snapshot.MAX_SLOTS) {
      throw new IllegalArgumentException(
          "estimatedRecordBytes must be >= %d for this capacity: estimatedRecordBytes=%d, capacityBytes=%d"
              .formatted(
                  (long) Math.ceil(capacityBytes / FULL / Snapshot.MAX_SLOTS),
                  recordBytes,
                  capacityBytes));
    }
    int slots = (int) Math.max(MIN_SLOTS, wanted);
    if ((long) Long.BYTES * slots >= heapBytes) {
      throw tooLarge(slots, capacityBytes, recordBytes, heapBytes);
    }
    return slots;
  }

  static IllegalArgumentException tooLarge(
      int slots, long capacityBytes, int recordBytes, long heapBytes) {
    return new IllegalArgumentException(
        "index must fit into the heap: indexBytes=%d, heapBytes=%d, capacityBytes=%d, estimatedRecordBytes=%d"
            .formatted((long) Long.BYTES * slots, heapBytes, capacityBytes, recordBytes));
  }

  int length() {
    return slots.length();
  }

  long hash(long hi, long lo) {
    return Words.hash(seed, hi, lo);
  }

  private int home(long hash) {
    return (int) ((hash >>> 32) * (slots.length() - WINDOW + 1) >>> 32);
  }

  long get(int position) {
    return slots.get(position);
  }

  /** Position of the first slot that may be the key's, or -1. */
  int first(long hash) {
    return next(hash, home(hash) - 1);
  }

  /** Position of the next slot that may be the key's, or -1. */
  int next(long hash, int after) {
    int end = home(hash) + WINDOW;
    for (int i = after + 1; i < end; i++) {
      if (layout.hasPrint(slots.get(i), hash)) {
        return i;
      }
    }
    return -1;
  }

  /** Marks a record as hit, unless the slot is of another one by now. */
  void markHit(int position, long seen) {
    if (!SlotLayout.isHit(seen)) {
      slots.compareAndSet(position, seen, SlotLayout.withHit(seen));
    }
  }

  long entries() {
    return entries;
  }

  long displaced() {
    return displaced;
  }

  /**
   * Makes a slot the only one of its fingerprint. Where the window is full, it takes the place of
   * the record whose region {@code age} gives the smallest number. It is set before the others are
   * taken out: so a reader always finds a key that had one before.
   */
  void put(long hash, long slot, IntToLongFunction age) {
    int at = -1;
    int empty = -1;
    int home = home(hash);
    for (int i = home; i < home + WINDOW; i++) {
      long present = slots.get(i);
      if (layout.hasPrint(present, hash)) {
        if (at < 0) {
          at = i;
          slots.set(at, slot);
        } else {
          clear(i);
        }
      } else if (present == 0 && empty < 0) {
        empty = i;
      }
    }
    if (at >= 0) {
      return;
    }
    if (empty >= 0) {
      slots.set(empty, slot);
      entries++;
    } else {
      slots.set(oldest(home, age), slot);
      displaced++;
    }
  }

  private int oldest(int home, IntToLongFunction age) {
    int oldest = home;
    for (int i = home + 1; i < home + WINDOW; i++) {
      if (age.applyAsLong(layout.region(slots.get(i)))
          < age.applyAsLong(layout.region(slots.get(oldest)))) {
        oldest = i;
      }
    }
    return oldest;
  }

  private void clear(int position) {
    slots.set(position, 0);
    entries--;
  }

  /** Takes out every slot that may be the key's; whether there was one. */
  boolean remove(long hash) {
    long before = entries;
    for (int i = first(hash); i >= 0; i = next(hash, i)) {
      clear(i);
    }
    return entries < before;
  }

  /** Takes a record out, if it is still there. */
  boolean removeAt(int position, long seen) {
    boolean same = SlotLayout.same(slots.get(position), seen);
    if (same) {
      clear(position);
    }
    return same;
  }

  /** Lets a slot point to a new copy of its record. The caller has seen that it is still there. */
  void moveAt(int position, long slot) {
    slots.set(position, slot);
  }

  /** Takes some slots out, from some positions; returns how many. */
  int sweep(int from, int to, LongPredicate which) {
    int removed = 0;
    for (int i = from; i < to; i++) {
      long slot = slots.get(i);
      if (slot != 0 && which.test(slot)) {
        clear(i);
        removed++;
      }
    }
    return removed;
  }

  /** Fills a slot of a new index. */
  void load(int position, long slot) {
    slots.set(position, slot);
    entries += slot == 0 ? 0 : 1;
  }
}
