/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

/** Caches that size themselves more often than is of use. */
public final class ForcedSizing {
  private ForcedSizing() {}

  /**
   * Makes each shard of the cache to be built change its size again and again: larger, the same,
   * the first again.
   *
   * @param builder one without an estimate of the charges
   * @param writes of a shard from one change to the next
   * @param loadCharge charge of what is loaded if neither loader nor codec knows one
   */
  public static <V> BlockCacheBuilder<V> every(
      BlockCacheBuilder<V> builder, int writes, long loadCharge) {
    return builder.resizeEvery(writes, loadCharge);
  }
}
