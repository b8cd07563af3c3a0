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
   * Fails if something is not so.
   *
   * @return number of visible entries of the key
   */
  int check(CountingSlotStore store) {
    SlotStore words = store.words();
    int superseding = 0;
    int others = 0;
    for (int slot = 0; slot < words.slots(); slot++) {
      long meta = words.metaAcquire(slot);
      int tag = SlotWords.tag(words, slot);
      if (MetaWord.isEmpty(meta) && tag != 0) {
        throw new AssertionError("an empty slot has a tag: slot=" + slot + ", tag=" + tag);
      }
      if (MetaWord.isVisible(meta)) {
        checkVisible(words, slot, tag);
        if (words.keyLoOpaque(slot) == lo && words.keyHiOpaque(slot) == hi) {
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

  private void checkVisible(SlotStore words, int slot, int tag) {
    long hash = buckets.hash(words.keyHiOpaque(slot), words.keyLoOpaque(slot));
    if (!SlotWords.isTagOf(tag, hash)) {
      throw new AssertionError("a visible entry has another tag: slot=" + slot + ", tag=" + tag);
    }
    int bucket = slot / SlotStore.BUCKET_SLOTS;
    if (bucket != buckets.first(hash) && bucket != buckets.second(hash)) {
      throw new AssertionError("a visible entry lies elsewhere: slot=" + slot);
    }
  }
}
