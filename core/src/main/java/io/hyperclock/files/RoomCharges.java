/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import io.hyperclock.BlockCache;
import io.hyperclock.CacheMonitor;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import io.hyperclock.memory.PooledBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Charges that come and go, so that a cache evicts blocks though its capacity is not used up: where
 * the pool has less memory than the capacity needs. Thread-safe.
 */
final class RoomCharges {
  /** Share of what is cached that is evicted at a time. */
  private static final int SHARE = 128;

  /** About how many charges fill up the capacity at most. */
  private static final int MAX_PIECES = 1024;

  /** Charges that may find only pinned blocks, or a shard without any, before it gives up. */
  private static final int MOST_IN_VAIN = 8;

  /** Share of what is cached that read scopes may hold back before no more is evicted. */
  private static final int HELD_SHARE = 16;

  private static final PooledBuffer NOTHING = PooledBuffer.unpooled(0);

  private final BlockCache<PooledBuffer> cache;
  private final int blockBytes;
  private final FileKey file = FileKey.unique();
  private final AtomicLong charges = new AtomicLong();
  private final EntryType<PooledBuffer> type = EntryType.of("room");

  RoomCharges(BlockCache<PooledBuffer> cache, int blockBytes) {
    this.cache = cache;
    this.blockBytes = blockBytes;
  }

  /**
   * Makes the cache evict something, if anything can be. The charges fill the capacity up in pieces
   * so small that the one which does not fit evicts little. Evicts nothing where read scopes hold
   * back much of what was evicted before: its memory comes when they end.
   */
  void evictSome() {
    CacheMonitor<PooledBuffer> monitor = cache.monitor();
    long entries = monitor.occupancy();
    long usage = monitor.usageBytes();
    if (monitor.scopeStats().retiredBytes() > usage / HELD_SHARE) {
      return;
    }
    long unused = Math.max(0, monitor.capacityBytes() - usage);
    long piece = Math.min(unused, Math.max(usage / SHARE, unused / MAX_PIECES));
    List<Handle<PooledBuffer>> open = new ArrayList<>(MAX_PIECES + MOST_IN_VAIN);
    int inVain = 0;
    try {
      do {
        Handle<PooledBuffer> charge = charge(Math.max(2L * blockBytes, piece));
        if (charge != null) {
          open.add(charge);
        }
        inVain += charge == null || monitor.usageBytes() >= monitor.capacityBytes() ? 1 : 0;
      } while (monitor.occupancy() >= entries && inVain < MOST_IN_VAIN);
    } finally {
      open.forEach(Handle::close);
    }
  }

  private @Nullable Handle<PooledBuffer> charge(long bytes) {
    long lo = file.lo(charges.getAndIncrement() & Long.MAX_VALUE);
    return cache.createStandalone(file.hi(), lo, NOTHING, type, bytes, false);
  }
}
