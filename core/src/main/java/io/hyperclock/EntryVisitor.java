/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import io.hyperclock.entry.EntryType;

/**
 * Visits entries one by one; see {@link CacheMonitor#forEachEntry}.
 *
 * <pre>{@code
 * cache.monitor().forEachEntry((hi, lo, block, type, charge) -> log(lo + ": " + charge));
 * }</pre>
 *
 * @param <V> type of the values
 */
@FunctionalInterface
public interface EntryVisitor<V> {
  /**
   * Called once per entry. The entry is pinned during the call only: the value must not be kept
   * beyond it unless the garbage collector owns it.
   *
   * @param value the value
   * @param type its type
   * @param chargeBytes its charge in bytes
   */
  void visit(long keyHi, long keyLo, V value, EntryType<?> type, long chargeBytes);
}
