/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.entry.EntryType;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** After: blocks in HyperClock. */
final class HyperClockReads implements BlockReads {
  private static final int BLOCK = 4096;

  private final BlockDisk disk;
  private final BlockCache<byte[]> cache;
  private final BlockLoader<byte[]> loader;
  private final AtomicLong evictedBytes = new AtomicLong();

  HyperClockReads(long capacityBytes, BlockDisk disk) {
    this.disk = disk;
    // [build]
    cache =
        BlockCache.<byte[]>builder()
            .capacityBytes(capacityBytes)
            .estimatedEntryCharge(BLOCK)
            .evictionListener(this::evicted)
            .recordHits(true)
            .build();
    // [/build]
    // [loader]
    loader = BlockLoader.of(EntryType.of("block"), block -> block.length, disk::read);
    // [/loader]
  }

  // [removed]
  private boolean evicted(
      long file, long offset, byte[] block, EntryType<?> type, long charge, boolean wasHit) {
    evictedBytes.addAndGet(charge);
    return false;
  }

  // [/removed]

  @Override
  public long open(String name) {
    return cache.fileKeys().open(name);
  }

  @Override
  public byte[] read(long file, long offset) {
    // [read]
    byte[] block = cache.get(file, offset);
    if (block == null) {
      block = disk.read(file, offset);
      cache.insert(file, offset, block, block.length);
    }
    return block;
    // [/read]
  }

  @Override
  public byte[] load(long file, long offset) {
    // [load]
    return Objects.requireNonNull(cache.get(file, offset, loader));
    // [/load]
  }

  @Override
  public void write(long file, long offset, byte[] block) {
    // [put]
    cache.put(file, offset, block, block.length);
    // [/put]
  }

  @Override
  public void forget(long file, long offset) {
    // [invalidate]
    cache.erase(file, offset);
    // [/invalidate]
  }

  @Override
  public void forgetFile(long file) {
    // [drop]
    cache.fileKeys().drop(file);
    // [/drop]
  }

  @Override
  public double hitRatio() {
    // [stats]
    return cache.stats().hitRatio();
    // [/stats]
  }

  @Override
  public long evictedBytes() {
    return evictedBytes.get();
  }

  @Override
  public void close() {
    cache.close();
  }
}
