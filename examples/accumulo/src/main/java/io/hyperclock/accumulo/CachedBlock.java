/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.accumulo;

import io.hyperclock.entry.Key128;
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

  private final BlockStore store;
  private final long keyHi;
  private final long keyLo;
  private final byte[] buffer;
  private @Nullable Weighable index;

  CachedBlock(BlockStore store, Key128 key, byte[] buffer) {
    this.store = store;
    this.keyHi = key.hi();
    this.keyLo = key.lo();
    this.buffer = buffer;
  }

  Key128 key() {
    return new Key128(keyHi, keyLo);
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
    store.recharge(this, chargeBytes(buffer.length) + index.weight());
  }
}
