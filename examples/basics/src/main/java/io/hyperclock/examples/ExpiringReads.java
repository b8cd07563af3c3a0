/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import io.hyperclock.BlockCache;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Blocks that are not to be used for longer than some time, in a cache without expiry. */
final class ExpiringReads implements AutoCloseable {
  private final BlockDisk disk;
  private final long lifeNanos;
  private final LongSupplier nanoClock;
  private final BlockCache<Timed> cache;

  // [type]
  record Timed(byte[] bytes, long bornNanos) {}

  // [/type]

  ExpiringReads(long capacityBytes, BlockDisk disk, Duration life, LongSupplier nanoClock) {
    this.disk = disk;
    this.lifeNanos = life.toNanos();
    this.nanoClock = nanoClock;
    this.cache = BlockCache.<Timed>builder().capacityBytes(capacityBytes).build();
  }

  byte[] read(long file, long offset) {
    // [read]
    Timed block = cache.get(file, offset);
    long now = nanoClock.getAsLong();
    if (block != null && now - block.bornNanos() >= lifeNanos) {
      cache.erase(file, offset);
      block = null;
    }
    if (block == null) {
      block = new Timed(disk.read(file, offset), now);
      cache.insert(file, offset, block, block.bytes().length);
    }
    return block.bytes();
    // [/read]
  }

  @Override
  public void close() {
    cache.close();
  }
}
