/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import org.jspecify.annotations.Nullable;

/**
 * Reads several blocks that are not cached, on the calling thread.
 *
 * <pre>{@code
 * byte[][] blocks = new byte[keys.length / 2][];
 * cache.getAll(
 *     keys,
 *     blocks,
 *     (missing, loaded) -> {
 *       for (int i = 0; i < loaded.length; i++) {
 *         loaded[i] = readFromDisk(missing[2 * i + 1]);
 *       }
 *     });
 * }</pre>
 *
 * @param <V> type of the values
 */
@FunctionalInterface
public interface BulkLoader<V> extends EntryAttributes<V> {
  /**
   * Reads blocks.
   *
   * @param keys pairs of high and low words, each pair once, in the order in which they were asked
   *     for: {@code hi0, lo0, hi1, lo1, …}
   * @param values one place for each pair, all null, an array of the same class as the one given to
   *     {@code getAll}, or one that the {@code arrays} of {@code lookupAll} has made; takes the
   *     values, and keeps null where there is no such block
   * @throws Exception if the blocks cannot be read; nothing is cached, and values that are in the
   *     array and are freed explicitly are freed
   */
  void load(long[] keys, @Nullable V[] values) throws Exception;
}
