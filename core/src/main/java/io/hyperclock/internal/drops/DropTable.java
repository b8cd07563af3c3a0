/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.drops;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A hash table from high words of keys to numbers of drops, at most half full: linear probing, one
 * writer at a time, any number of readers without locks. A word, once in the table, stays; number 0
 * says that it is not dropped. Each place is two longs, the word and its number.
 */
final class DropTable {
  private static final int LEAST_PLACES = 64;
  private static final long NO_WORD = 0;
  private static final long NOT_DROPPED = 0;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final AtomicLongArray places;
  private final int shift;

  /** Words in the table, dropped or not. */
  int words;

  /** An empty table for at least so many words. */
  DropTable(int words) {
    int size = LEAST_PLACES;
    while (size < 4L * words) {
      size <<= 1;
    }
    places = new AtomicLongArray(2 * size);
    shift = Long.SIZE - Integer.numberOfTrailingZeros(size);
  }

  int size() {
    return places.length() >>> 1;
  }

  boolean isFull() {
    return 2 * words >= size();
  }

  /** Where a word is, or the complement of the free place where it would be. */
  private int place(long word) {
    int mask = places.length() - 2;
    int place = (int) (word * SPREAD >>> shift) << 1;
    for (; ; ) {
      // Acquire: pairs with the release of the word in put, so its number is seen.
      long found = places.getAcquire(place);
      if (found == NO_WORD) {
        return ~place;
      }
      if (found == word) {
        return place;
      }
      place = place + 2 & mask;
    }
  }

  /** Whether a word is in the table and dropped; for any thread. */
  boolean holds(long word) {
    int place = place(word);
    // Acquire: pairs with put and remove; what came before the drop is seen.
    return place >= 0 && places.getAcquire(place + 1) != NOT_DROPPED;
  }

  /** Adds a word; there must be a free place. */
  void put(long word, long number) {
    int found = place(word);
    int place = found < 0 ? ~found : found;
    // The number comes before the word: who finds the word finds the number.
    places.setRelease(place + 1, number);
    if (found < 0) {
      words++;
      // Release: publishes the number above.
      places.setRelease(place, word);
    }
  }

  void remove(long word) {
    int place = place(word);
    if (place >= 0) {
      // Release: who sees that the word is no longer dropped sees what came before.
      places.setRelease(place + 1, NOT_DROPPED);
    }
  }

  /** A copy, with room for as many again, without what was removed and the oldest drops. */
  DropTable without(long lastForgotten) {
    int kept = 0;
    for (int place = 0; place < places.length(); place += 2) {
      kept += places.getPlain(place + 1) > lastForgotten ? 1 : 0;
    }
    DropTable copy = new DropTable(kept);
    for (int place = 0; place < places.length(); place += 2) {
      if (places.getPlain(place + 1) > lastForgotten) {
        copy.put(places.getPlain(place), places.getPlain(place + 1));
      }
    }
    return copy;
  }
}
