/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.cassandra;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.cassandra.cache.RowCacheKey;
import org.jspecify.annotations.Nullable;

/** Keys of the rows that are still there when it comes to them. Holds no pin in between. */
final class RowKeys implements Iterator<RowCacheKey> {
  private final HyperClockRowCache cache;
  private final long[] words;
  private int at;
  private @Nullable RowCacheKey next;
  private @Nullable RowCacheKey last;

  /** Of pairs of high and low words. */
  RowKeys(HyperClockRowCache cache, long[] words) {
    this.cache = cache;
    this.words = words;
  }

  @Override
  public boolean hasNext() {
    while (next == null && at < words.length) {
      next = cache.keyOf(words[at], words[at + 1]);
      at += 2;
    }
    return next != null;
  }

  @Override
  public RowCacheKey next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    last = next;
    next = null;
    return last;
  }

  @Override
  public void remove() {
    if (last == null) {
      throw new IllegalStateException("next must have been called");
    }
    cache.remove(last);
    last = null;
  }
}
