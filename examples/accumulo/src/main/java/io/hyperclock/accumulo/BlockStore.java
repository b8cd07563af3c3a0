/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.accumulo;

import io.hyperclock.InsertResult;
import io.hyperclock.entry.Key128;
import org.jspecify.annotations.Nullable;

/** Where the blocks of one cache are kept. Safe for any number of threads. */
interface BlockStore {
  /** Reads a block, counting as a use. */
  @Nullable CachedBlock find(Key128 key);

  /** Reads a block that may have been inserted a moment ago; not a use. */
  @Nullable CachedBlock peek(Key128 key);

  /**
   * Keeps a block unless there is one of that key.
   *
   * @return the block that was there, or the new one, kept or not
   */
  default CachedBlock insert(Key128 key, byte[] buffer) {
    CachedBlock block = new CachedBlock(this, key, buffer);
    if (offer(key, block, CachedBlock.chargeBytes(buffer.length)) == InsertResult.KEPT_EXISTING) {
      CachedBlock existing = peek(key);
      return existing == null ? block : existing;
    }
    return block;
  }

  /** Inserts a block. */
  InsertResult offer(Key128 key, CachedBlock block, long chargeBytes);

  /** Charges a block that is still kept with other bytes; lets it go if there is no room. */
  void recharge(CachedBlock block, long chargeBytes);

  /** Memory for blocks, their objects and the slots. */
  long capacityBytes();

  /** Memory in use, at most {@link #capacityBytes}. */
  long usageBytes();

  /** Largest buffer that can be kept. */
  int maxBlockBytes();

  /** Drops all blocks. */
  void clear();
}
