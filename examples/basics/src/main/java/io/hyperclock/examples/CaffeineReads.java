/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.util.concurrent.atomic.AtomicLong;

/** Before: blocks in Caffeine. */
final class CaffeineReads implements BlockReads<Long> {
  private final BlockDisk disk;
  private final Cache<BlockKey, byte[]> cache;
  private final AtomicLong evictedBytes = new AtomicLong();

  @SuppressWarnings("NullAway") // the listener gets null for weak keys and values only
  CaffeineReads(long capacityBytes, BlockDisk disk) {
    this.disk = disk;
    // [build]
    cache =
        Caffeine.newBuilder()
            .maximumWeight(capacityBytes)
            .weigher((BlockKey key, byte[] block) -> block.length)
            .removalListener(this::removed)
            .recordStats()
            .executor(Runnable::run)
            .build();
    // [/build]
  }

  // [removed]
  private void removed(BlockKey key, byte[] block, RemovalCause cause) {
    if (cause.wasEvicted()) {
      evictedBytes.addAndGet(block.length);
    }
  }

  // [/removed]

  @Override
  public Long open(long number) {
    return number;
  }

  @Override
  public byte[] read(Long file, long offset) {
    // [read]
    BlockKey key = new BlockKey(file, offset);
    byte[] block = cache.getIfPresent(key);
    if (block == null) {
      block = disk.read(file, offset);
      cache.put(key, block);
    }
    return block;
    // [/read]
  }

  @Override
  public byte[] load(Long file, long offset) {
    // [load]
    return cache.get(new BlockKey(file, offset), key -> disk.read(key.file(), key.offset()));
    // [/load]
  }

  @Override
  public void write(Long file, long offset, byte[] block) {
    // [put]
    cache.put(new BlockKey(file, offset), block);
    // [/put]
  }

  @Override
  public void forget(Long file, long offset) {
    // [invalidate]
    cache.invalidate(new BlockKey(file, offset));
    // [/invalidate]
  }

  @Override
  public void delete(Long file) {
    // [drop]
    cache.asMap().keySet().removeIf(key -> key.file() == file);
    // [/drop]
  }

  @Override
  public double hitRatio() {
    // [stats]
    return cache.stats().hitRate();
    // [/stats]
  }

  @Override
  public long evictedBytes() {
    return evictedBytes.get();
  }

  @Override
  public void close() {
    cache.invalidateAll();
  }
}
