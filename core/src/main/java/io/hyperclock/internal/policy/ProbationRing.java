/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import io.hyperclock.internal.slot.PaddedCounters;
import io.hyperclock.internal.slot.Tail;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The entries on probation, nearly in the order of their arrival: a ring of places, each with a
 * slot and as much of the generation it then had as there is room for, so that a slot with a new
 * tenant is not mistaken for the old one.
 *
 * <p>Each {@linkplain Stripes stripe} of threads takes a stretch of places from the back and fills
 * it, and a stretch from the front and empties it; only then does it come to the shared ends again.
 * One thread alone finds the exact order, and so do all in a small table, where a stretch is one
 * place. A stretch that comes to the front before it is full is given up by who fills it.
 *
 * <p>Any number of threads, and nobody waits. A place tells where to look and nothing more: the
 * slot says whether its entry is still on probation. So nothing is handed over here, and a lost
 * race costs an entry its place (the main hand meets it some day) or makes two threads look at one
 * slot.
 */
final class ProbationRing {
  /** No entry. */
  static final int NONE = 0;

  private static final int HEAD = 0;
  private static final int TAIL = 1;

  private static final int MIN_PLACES = 8;
  private static final int PLACES_SHARE = 5;
  private static final int MAX_STRETCH = 32;

  /** Slots for each place of a stretch, so that two for each stripe are few. */
  private static final int SLOTS_PER_STRETCH = 2048;

  private final Stripes stripes;
  private final int stretch;
  private final int slotBits;
  private final AtomicIntegerArray places;
  private final PaddedCounters ends = new PaddedCounters(2);

  /** An empty ring for a table with so many slots. */
  ProbationRing(int slots, Stripes stripes) {
    this(
        slots,
        Math.max(MIN_PLACES, slots / PLACES_SHARE),
        Math.min(MAX_STRETCH, Integer.highestOneBit(Math.max(1, slots / SLOTS_PER_STRETCH))),
        stripes);
  }

  /**
   * The same.
   *
   * @param atLeast places
   * @param stretch places taken at once, a power of two
   */
  ProbationRing(int slots, int atLeast, int stretch, Stripes stripes) {
    this.stripes = stripes;
    this.stretch = stretch;
    this.slotBits = Integer.SIZE - Integer.numberOfLeadingZeros(slots);
    this.places = new AtomicIntegerArray(Integer.highestOneBit(2 * atLeast - 1));
  }

  /** What stands for the entry in a slot with this tail word. */
  int token(int slot, long tail) {
    return (int) Tail.generation(tail) << slotBits | slot + 1;
  }

  int slot(int token) {
    return (token & (1 << slotBits) - 1) - 1;
  }

  /** Whether a slot with this tail word still has the tenant of a token. */
  boolean isTenant(int token, long tail) {
    return token == token(slot(token), tail);
  }

  private boolean isUsedUp(long position) {
    return (position & stretch - 1) == 0;
  }

  private int place(long position) {
    return (int) position & places.length() - 1;
  }

  private int at(long position) {
    // Opaque: a hint.
    return places.getOpaque(place(position));
  }

  private void set(long position, int token) {
    // Opaque: a hint; who takes it looks at its slot.
    places.setOpaque(place(position), token);
  }

  /** Adds an entry at the back. */
  void push(int token) {
    int mine = stripes.mine();
    for (; ; ) {
      long position = stripes.get(mine, Stripes.PUSH);
      if (isUsedUp(position) || position < ends.get(HEAD)) {
        long first = takeStretchAtBack();
        stripes.set(mine, Stripes.PUSH, first + 1);
        set(first, token);
        return;
      }
      if (stripes.compareAndSet(mine, Stripes.PUSH, position, position + 1)) {
        set(position, token);
        return;
      }
    }
  }

  private long takeStretchAtBack() {
    // [S8] stripes get different stretches.
    long first = ends.getAndAdd(TAIL, stretch);
    for (long position = first; position < first + stretch; position++) {
      set(position, NONE);
    }
    return first;
  }

  /**
   * Takes the entry at the front.
   *
   * @return the token, or {@link #NONE} if there is none
   */
  int pop() {
    int mine = stripes.mine();
    for (; ; ) {
      long position = stripes.get(mine, Stripes.POP);
      if (isUsedUp(position)) {
        position = ends.get(HEAD);
        if (position >= ends.get(TAIL)) {
          return NONE;
        }
        // [S8] stripes get different stretches.
        if (!ends.compareAndSet(HEAD, position, position + stretch)) {
          continue;
        }
      }
      stripes.set(mine, Stripes.POP, position + 1);
      int token = at(position);
      if (token != NONE) {
        return token;
      }
    }
  }

  /** Position of what the calling thread would take next. */
  long front() {
    long position = stripes.get(stripes.mine(), Stripes.POP);
    return isUsedUp(position) ? ends.get(HEAD) : position;
  }

  /** The token at a position, if any. */
  int peek(long position) {
    return at(position);
  }

  /** Places in use, those of started stretches included. */
  long length() {
    return ends.get(TAIL) - ends.get(HEAD);
  }

  boolean isFull() {
    return length() + stretch > places.length();
  }
}
