/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import io.hyperclock.internal.slot.GenerationWord;

/**
 * Entries on probation in the order of their arrival, for one thread at a time: a queue of places,
 * each with a slot, as much of the generation it then had as there is room for, so that a slot with
 * a new tenant is not mistaken for the old one, and when the entry came.
 *
 * <pre>
 *  63        48 47        32 31       0
 * +------------+------------+----------+
 * | generation |  position  | slot + 1 |      0: none
 * +------------+------------+----------+
 * </pre>
 *
 * <p>A place tells where to look and nothing more: the slot says whether its entry is still on
 * probation.
 */
final class ProbationRing {
  /** No entry. */
  static final long NONE = 0;

  private static final int FIRST_PLACES = 64;
  private static final int TURN_SHIFT = 32;
  private static final int GENERATION_SHIFT = 48;

  private final int most;
  private long[] places;
  private int head;

  /** Entries in it; only the ring changes this. */
  int length;

  /** An empty ring for at most so many entries. */
  ProbationRing(int most) {
    this.most = most;
    this.places = new long[Math.min(FIRST_PLACES, most)];
  }

  /** What stands for the entry in a slot with this tail word, at this position. */
  static long token(int slot, long tail, long turn) {
    return GenerationWord.generation(tail) << GENERATION_SHIFT
        | (turn & 0xffff) << TURN_SHIFT
        | slot + 1;
  }

  static int slot(long token) {
    return (int) token - 1;
  }

  /** Whether a slot with this tail word still has the tenant of a token. */
  static boolean isTenant(long token, long tail) {
    return (short) GenerationWord.generation(tail) == (short) (token >>> GENERATION_SHIFT);
  }

  /** Whether an entry came before another; wrong of one that came very long ago. */
  static boolean isOlder(long token, long other) {
    return (short) ((token >>> TURN_SHIFT) - (other >>> TURN_SHIFT)) < 0;
  }

  private int place(int position) {
    return position < places.length ? position : position - places.length;
  }

  /** Adds an entry at the back of a ring that is not full; without memory for it, it is lost. */
  void push(long token) {
    if (length == places.length && !grow()) {
      return;
    }
    places[place(head + length)] = token;
    length++;
  }

  private boolean grow() {
    long[] more;
    try {
      more = new long[Math.min(most, 2 * places.length)];
    } catch (OutOfMemoryError e) {
      return false;
    }
    int first = places.length - head;
    System.arraycopy(places, head, more, 0, first);
    System.arraycopy(places, 0, more, first, head);
    places = more;
    head = 0;
    return true;
  }

  /** The entry at the front, or {@link #NONE}. */
  long front() {
    return length == 0 ? NONE : places[head];
  }

  /** Takes the entry at the front; {@link #NONE} if there is none. */
  long pop() {
    if (length == 0) {
      return NONE;
    }
    long token = places[head];
    head = place(head + 1);
    length--;
    return token;
  }

  boolean isFull() {
    return length == most;
  }
}
