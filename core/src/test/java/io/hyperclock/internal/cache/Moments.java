/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.internal.slot.CountingSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.SlotWords;
import io.hyperclock.internal.table.Buckets;
import java.util.Arrays;

/**
 * What must be so of the words of a table at every moment, whoever is in the middle of what:
 *
 * <ul>
 *   <li>a visible entry has its tag, in one of its two buckets;
 *   <li>an empty slot has none;
 *   <li>of the visible entries of a key, one at most supersedes others, and one at most does not.
 * </ul>
 */
final class Moments {
  private static final int WORDS = 4;

  private final Buckets buckets;
  private final long hi;
  private final long lo;

  /** Of tables with these buckets, in which one key is looked at. */
  Moments(Buckets buckets, long hi, long lo) {
    this.buckets = buckets;
    this.hi = hi;
    this.lo = lo;
  }

  /**
   * Fails if something is not so. Where a schedule takes the thread for one that waits, others go
   * on while it reads; so it fails, or finds nothing, only if it reads the same words twice.
   *
   * @return number of visible entries of the key
   */
  int check(CountingSlotStore store) {
    long[] seen = read(store.words());
    while (true) {
      int visible = 0;
      AssertionError broken = null;
      try {
        visible = visible(seen);
      } catch (AssertionError e) {
        broken = e;
      }
      if (broken == null && visible > 0) {
        return visible;
      }
      long[] again = read(store.words());
      if (Arrays.equals(seen, again)) {
        if (broken != null) {
          throw broken;
        }
        return 0;
      }
      seen = again;
    }
  }

  /** State, tag and key of each slot. */
  private static long[] read(SlotStore words) {
    long[] copy = new long[WORDS * words.slots()];
    for (int slot = 0, at = 0; slot < words.slots(); slot++) {
      copy[at++] = words.metaAcquire(slot);
      copy[at++] = SlotWords.tag(words, slot);
      copy[at++] = words.keyHiOpaque(slot);
      copy[at++] = words.keyLoOpaque(slot);
    }
    return copy;
  }

  private int visible(long[] copy) {
    int superseding = 0;
    int others = 0;
    for (int at = 0; at < copy.length; at += WORDS) {
      int slot = at / WORDS;
      long meta = copy[at];
      int tag = (int) copy[at + 1];
      if (MetaWord.isEmpty(meta) && tag != 0) {
        throw new AssertionError("an empty slot has a tag: slot=" + slot + ", tag=" + tag);
      }
      if (MetaWord.isVisible(meta)) {
        checkVisible(slot, tag, copy[at + 2], copy[at + 3]);
        if (copy[at + 2] == hi && copy[at + 3] == lo) {
          superseding += MetaWord.isSuperseding(meta) ? 1 : 0;
          others += MetaWord.isSuperseding(meta) ? 0 : 1;
        }
      }
    }
    if (superseding > 1 || others > 1) {
      throw new AssertionError(
          "two entries of one key: superseding=" + superseding + ", others=" + others);
    }
    return superseding + others;
  }

  private void checkVisible(int slot, int tag, long keyHi, long keyLo) {
    long hash = buckets.hash(keyHi, keyLo);
    if (!SlotWords.isTagOf(tag, hash)) {
      throw new AssertionError("a visible entry has another tag: slot=" + slot + ", tag=" + tag);
    }
    int bucket = slot / SlotStore.BUCKET_SLOTS;
    if (bucket != buckets.first(hash) && bucket != buckets.second(hash)) {
      throw new AssertionError("a visible entry lies elsewhere: slot=" + slot);
    }
  }
}
