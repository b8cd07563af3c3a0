/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;

/** Before: a map of blocks that count their references. */
final class ReferenceCountedReads implements PooledReads {
  private final DirectBufferPool pool;
  private final int mostBlocks;
  private final ConcurrentMap<BlockKey, Counted> map = new ConcurrentHashMap<>();

  // [type]
  record Counted(ByteBuffer buffer, AtomicInteger references, DirectBufferPool pool) {
    boolean retain() {
      return references.getAndUpdate(n -> n == 0 ? 0 : n + 1) != 0;
    }

    void release() {
      if (references.decrementAndGet() == 0) {
        pool.give(buffer);
      }
    }
  }

  // [/type]

  ReferenceCountedReads(DirectBufferPool pool, int mostBlocks) {
    this.pool = pool;
    this.mostBlocks = mostBlocks;
  }

  @Override
  public long read(long file, long offset, ToLongFunction<ByteBuffer> use) {
    // [read]
    BlockKey key = new BlockKey(file, offset);
    Counted block = map.get(key);
    while (block == null || !block.retain()) {
      block = map.computeIfAbsent(key, this::load);
    }
    try {
      return use.applyAsLong(block.buffer());
    } finally {
      block.release();
    }
    // [/read]
  }

  private Counted load(BlockKey key) {
    ByteBuffer buffer = pool.take().putLong(0, key.offset());
    return new Counted(buffer, new AtomicInteger(1), pool);
  }

  /** Where a real one has its replacement. */
  void trim() {
    map.keySet().stream().skip(mostBlocks).forEach(key -> forget(key.file(), key.offset()));
  }

  @Override
  public void forget(long file, long offset) {
    // [forget]
    Counted block = map.remove(new BlockKey(file, offset));
    if (block != null) {
      block.release();
    }
    // [/forget]
  }

  @Override
  public void close() {
    map.keySet().forEach(key -> forget(key.file(), key.offset()));
  }
}
