/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

/**
 * What a full cache weighs, keys included, values not.
 *
 * @param cache name of the cache and its settings
 * @param room entries there is room for
 * @param entries entries that it holds
 * @param heapBytes all objects reachable from the cache, but the shared value
 * @param directBytes memory of its direct buffers
 * @param atMostPerEntry bytes per entry that are aimed at, 0 for none
 */
public record Footprint(
    String cache, long room, long entries, long heapBytes, long directBytes, int atMostPerEntry) {
  /**
   * Bytes of an entry.
   *
   * @return the mean
   */
  public double bytesPerEntry() {
    return (double) (heapBytes + directBytes) / entries;
  }
}
