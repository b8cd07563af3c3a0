/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import io.hyperclock.internal.slot.PaddedCounters;
import io.hyperclock.internal.slot.Tail;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The entries on probation in the order of their arrival: a ring of places, each with a slot and
 * the generation it then had, so that a slot with a new tenant is not mistaken for the old one.
 *
 * <p>Lock-free for any number of threads, and lossless: a place is taken by one thread only. A
 * thread that takes a place before its owner has stored into it goes on to the next; what is stored
 * there later is given to the thread that comes to this place a round later, as is the oldest entry
 * of a full ring. It tells nothing about an entry: who takes one looks at its slot.
 */
final class ProbationRing {
  /** No entry. */
  static final long NONE = 0;

  private static final int HEAD = 0;
  private static final int TAIL = 1;
  private static final int SLOT_SHIFT = 32;
  private static final long GENERATION_MASK = (1L << SLOT_SHIFT) - 1;

  private final AtomicLongArray places;
  private final PaddedCounters counters = new PaddedCounters(2);

  ProbationRing(int places) {
    this.places = new AtomicLongArray(places);
  }

  static long entry(int slot, long tail) {
    return (slot + 1L) << SLOT_SHIFT | Tail.generation(tail) & GENERATION_MASK;
  }

  static int slot(long entry) {
    return (int) (entry >>> SLOT_SHIFT) - 1;
  }

  /** Whether a slot with this tail word still has the tenant of an entry. */
  static boolean isTenant(long entry, long tail) {
    return (entry & GENERATION_MASK) == (Tail.generation(tail) & GENERATION_MASK);
  }

  /**
   * The entry that {@link #pop} would take after some others, if nobody else does.
   *
   * @param others how many
   */
  long peek(int others) {
    // Opaque: a guess.
    return places.getOpaque(place(counters.get(HEAD) + others));
  }

  /** Places taken from the front so far. */
  long popped() {
    return counters.get(HEAD);
  }

  long length() {
    return counters.get(TAIL) - counters.get(HEAD);
  }

  boolean isFull() {
    return length() >= places.length();
  }

  private int place(long position) {
    return (int) (position % places.length());
  }

  /**
   * Adds an entry at the back.
   *
   * @return an entry that lost its place, or {@link #NONE}
   */
  long push(long entry) {
    int place = place(counters.getAndAdd(TAIL, 1));
    // [S8] what was there is this thread's alone; pairs with the exchange in pop.
    return places.getAndSet(place, entry);
  }

  /**
   * Takes the entry at the front.
   *
   * @return the entry, or {@link #NONE} if there is none
   */
  long pop() {
    for (; ; ) {
      long head = counters.get(HEAD);
      long tail = counters.get(TAIL);
      if (head >= tail) {
        return NONE;
      }
      long first = Math.max(head, tail - places.length());
      // [S8] this place is this thread's.
      if (counters.compareAndSet(HEAD, head, first + 1)) {
        // [S8] one thread gets it; pairs with the exchange in push.
        long entry = places.getAndSet(place(first), NONE);
        if (entry != NONE) {
          return entry;
        }
      }
    }
  }
}
