/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** After: blocks in HyperClock. */
final class HyperClockReads implements BlockReads<HyperClockReads.OpenFile> {
  private static final EntryType<byte[]> TYPE = EntryType.of("block");

  private final String database;
  private final BlockDisk disk;
  private final BlockCache<byte[]> cache;
  private final AtomicLong evictedBytes = new AtomicLong();

  // [file]
  record OpenFile(long number, FileKey key, BlockLoader<byte[]> loader) {}

  // [/file]

  /**
   * Reads through a new cache.
   *
   * @param database its name, of no other database
   */
  HyperClockReads(long capacityBytes, String database, BlockDisk disk) {
    this.database = database;
    this.disk = disk;
    // [build]
    cache =
        BlockCache.<byte[]>builder()
            .capacityBytes(capacityBytes)
            .evictionListener(this::evicted)
            .recordHits(true)
            .build();
    // [/build]
  }

  // [removed]
  private boolean evicted(
      long keyHi, long keyLo, byte[] block, EntryType<?> type, long charge, boolean wasHit) {
    evictedBytes.addAndGet(charge);
    return false;
  }

  // [/removed]

  @Override
  public OpenFile open(long number) {
    // [open]
    FileKey key = cache.fileKeys().open(database, number);
    return new OpenFile(number, key, loader(number, key));
    // [/open]
  }

  private BlockLoader<byte[]> loader(long number, FileKey key) {
    // [loader]
    return BlockLoader.of(
        TYPE, block -> block.length, (hi, lo) -> disk.read(number, key.offset(lo)));
    // [/loader]
  }

  @Override
  public byte[] read(OpenFile file, long offset) {
    FileKey key = file.key();
    // [read]
    byte[] block = cache.get(key.hi(), key.lo(offset));
    if (block == null) {
      block = disk.read(file.number(), offset);
      cache.insert(key.hi(), key.lo(offset), block, block.length);
    }
    return block;
    // [/read]
  }

  @Override
  public byte[] load(OpenFile file, long offset) {
    FileKey key = file.key();
    // [load]
    return Objects.requireNonNull(cache.get(key.hi(), key.lo(offset), file.loader()));
    // [/load]
  }

  @Override
  public void write(OpenFile file, long offset, byte[] block) {
    FileKey key = file.key();
    // [put]
    cache.put(key.hi(), key.lo(offset), block, block.length);
    // [/put]
  }

  @Override
  public void forget(OpenFile file, long offset) {
    FileKey key = file.key();
    // [invalidate]
    cache.erase(key.hi(), key.lo(offset));
    // [/invalidate]
  }

  @Override
  public void delete(OpenFile file) {
    // [drop]
    cache.fileKeys().drop(file.key());
    // [/drop]
  }

  @Override
  public double hitRatio() {
    // [stats]
    return cache.monitor().stats().hitRatio();
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
