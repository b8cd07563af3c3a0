/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Words that a few threads share instead of all, each stripe with cache lines of its own. A thread
 * has the same stripe each time; with as many threads as stripes, started one after the other, each
 * has its own.
 *
 * <p>What the words say is a hint: who loses a race does some work twice or leaves some undone.
 */
final class Stripes {
  static final int PUSH = 0;
  static final int POP = 1;
  static final int HAND = 2;

  /** Victims that the hand finds for later, at most. */
  static final int MAX_VICTIMS = 4;

  private static final int VICTIM = 3;

  private static final int MOST = 64;

  /** Fewest slots for each stripe. */
  private static final int SLOTS_PER_STRIPE = 1024;

  /** Two lines: processors fetch them in pairs. */
  private static final int SPACING = 16;

  private final int count;
  private final AtomicLongArray words;

  /** Stripes of a table with so many slots, all words 0. */
  Stripes(int slots) {
    this.count = Math.min(MOST, Integer.highestOneBit(Math.max(1, slots / SLOTS_PER_STRIPE)));
    this.words = new AtomicLongArray((count + 2) * SPACING);
  }

  int count() {
    return count;
  }

  /** The stripe of the calling thread. */
  int mine() {
    return (int) Thread.currentThread().getId() & count - 1;
  }

  private static int index(int stripe, int word) {
    return (stripe + 1) * SPACING + word;
  }

  long get(int stripe, int word) {
    // Opaque: a hint.
    return words.getOpaque(index(stripe, word));
  }

  void set(int stripe, int word, long value) {
    // Opaque: a hint; of two changes at once one is lost.
    words.setOpaque(index(stripe, word), value);
  }

  boolean compareAndSet(int stripe, int word, long expected, long value) {
    // [S8] one thread gets a place.
    return words.compareAndSet(index(stripe, word), expected, value);
  }

  /** Notes a slot whose entry may leave. */
  void setVictim(int stripe, int number, int slot) {
    set(stripe, VICTIM + number, slot + 1L);
  }

  /**
   * Takes a slot that was noted.
   *
   * @return the slot, or -1
   */
  int takeVictim(int stripe) {
    for (int word = VICTIM; word < VICTIM + MAX_VICTIMS; word++) {
      long noted = get(stripe, word);
      if (noted != 0) {
        set(stripe, word, 0);
        return (int) noted - 1;
      }
    }
    return -1;
  }
}
