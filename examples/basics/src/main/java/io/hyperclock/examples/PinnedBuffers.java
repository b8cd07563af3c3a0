/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * Caches blocks in native memory. Each buffer goes back to its pool exactly once, after the last
 * reader has closed its handle, whether it was evicted, erased or given up; so the pool never grows
 * beyond what the cache and the readers hold at one time.
 */
public final class PinnedBuffers {
  private static final int BLOCK = 8192;
  private static final int BLOCKS_CACHED = 256;

  private PinnedBuffers() {}

  /**
   * Reads a thousand different blocks in random order and prints the outcome of the buffers.
   *
   * @param args ignored
   */
  public static void main(String[] args) {
    DirectBufferPool pool = new DirectBufferPool(BLOCK);
    long sum = readSkewed(pool, 100_000, 1_000);
    System.out.printf(
        "checksum %d, %d buffers allocated for 100000 reads, %d still in use%n",
        sum, pool.allocated(), pool.inUse());
  }

  static long readSkewed(DirectBufferPool pool, int reads, int blocks) {
    EntryType<ByteBuffer> type =
        EntryType.<ByteBuffer>named("native block")
            .role(EntryRole.DATA_BLOCK)
            .disposer((hi, lo, buffer) -> pool.give(buffer))
            .build();
    long sum = 0;
    try (BlockCache<ByteBuffer> cache =
        BlockCache.<ByteBuffer>builder()
            .capacityBytes((long) BLOCKS_CACHED * BLOCK)
            .estimatedEntryCharge(BLOCK)
            .build()) {
      SplittableRandom random = new SplittableRandom(42);
      for (int i = 0; i < reads; i++) {
        long block = Math.min(random.nextLong(blocks), random.nextLong(blocks));
        try (Handle<ByteBuffer> handle = pin(cache, type, pool, block)) {
          sum += handle.value().getLong(0);
        }
      }
    }
    return sum;
  }

  private static Handle<ByteBuffer> pin(
      BlockCache<ByteBuffer> cache, EntryType<ByteBuffer> type, DirectBufferPool pool, long block) {
    Handle<ByteBuffer> handle = cache.lookup(0, block);
    if (handle != null) {
      return handle;
    }
    ByteBuffer buffer = pool.take().putLong(0, block);
    return cache.insertPinned(0, block, buffer, type, BLOCK, Priority.LOW);
  }
}
