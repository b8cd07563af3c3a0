/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.accumulo;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import java.util.function.Supplier;
import org.apache.accumulo.core.spi.cache.CacheEntry;
import org.jspecify.annotations.Nullable;

/**
 * A block as readers get it and as the cache holds it: one object, so that a hit allocates nothing.
 * It stays usable after it was evicted, as long as a reader has it. Thread-safe.
 */
final class CachedBlock implements CacheEntry {
  /** This object (40) and the header of its buffer (16), with compressed references. */
  private static final int OVERHEAD_BYTES = 56;

  private final BlockCache<CachedBlock> cache;
  private final long keyHi;
  private final long keyLo;
  private final byte[] buffer;
  private @Nullable Weighable index;

  CachedBlock(BlockCache<CachedBlock> cache, long keyHi, long keyLo, byte[] buffer) {
    this.cache = cache;
    this.keyHi = keyHi;
    this.keyLo = keyLo;
    this.buffer = buffer;
  }

  /** Memory that a block takes before it has an index, without its slot. */
  static long chargeBytes(int length) {
    return OVERHEAD_BYTES + ((length + 7L) & -8L);
  }

  @Override
  public byte[] getBuffer() {
    return buffer;
  }

  @Override
  @SuppressWarnings("unchecked")
  public synchronized <T extends Weighable> T getIndex(Supplier<T> supplier) {
    if (index == null) {
      index = supplier.get();
    }
    return (T) index;
  }

  /**
   * Charges the entry with what its index weighs now, evicting others where needed. Does nothing if
   * the block is no longer cached. If the index leaves no room for the block, the block goes.
   */
  @Override
  public synchronized void indexWeightChanged() {
    if (index == null) {
      return;
    }
    Handle<CachedBlock> handle = cache.lookup(keyHi, keyLo);
    if (handle != null) {
      boolean charged =
          handle.value() != this
              || handle.adjustCharge(chargeBytes(buffer.length) + index.weight());
      handle.release(false, !charged);
    }
  }
}
