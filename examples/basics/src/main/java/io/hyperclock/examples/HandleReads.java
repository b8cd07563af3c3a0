/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.ReadScope;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.nio.ByteBuffer;
import java.util.function.ToLongFunction;

/** After: blocks that the cache gives back to their pool. */
final class HandleReads implements PooledReads {
  private static final int BLOCK = 4096;

  private final DirectBufferPool pool;
  private final BlockCache<ByteBuffer> cache;
  private final EntryType<ByteBuffer> type;

  HandleReads(DirectBufferPool pool, int mostBlocks) {
    this.pool = pool;
    // [type]
    type =
        EntryType.<ByteBuffer>named("native block")
            .disposer((file, offset, buffer) -> pool.give(buffer))
            .build();
    cache = BlockCache.<ByteBuffer>builder().capacityBytes((long) mostBlocks * BLOCK).build();
    // [/type]
  }

  @Override
  public long read(long file, long offset, ToLongFunction<ByteBuffer> use) {
    // [read]
    Handle<ByteBuffer> handle = cache.lookup(file, offset);
    if (handle == null) {
      handle = cache.insertPinned(file, offset, load(offset), type, BLOCK, Priority.LOW);
    }
    try (Handle<ByteBuffer> pin = handle) {
      return use.applyAsLong(pin.value());
    }
    // [/read]
  }

  /** Adds up what is cached of some blocks. */
  long sumOfCached(long file, long offsets) {
    // [scope]
    long sum = 0;
    try (ReadScope<ByteBuffer> scope = cache.openScope()) {
      for (long offset = 0; offset < offsets; offset++) {
        ByteBuffer block = scope.get(file, offset);
        sum += block == null ? 0 : block.getLong(0);
      }
    }
    return sum;
    // [/scope]
  }

  private ByteBuffer load(long offset) {
    return pool.take().putLong(0, offset);
  }

  @Override
  public void forget(long file, long offset) {
    // [forget]
    cache.erase(file, offset);
    // [/forget]
  }

  @Override
  public void close() {
    cache.close();
  }
}
