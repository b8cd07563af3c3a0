/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.accumulo.core.spi.cache.BlockCache;
import org.apache.accumulo.core.spi.cache.CacheEntry;
import org.jspecify.annotations.Nullable;

/**
 * A block cache whose misses take time, as if the file were on remote storage: the thread that
 * loads a block waits first. Without a cache below, every block is a miss.
 */
final class SlowLoads implements BlockCache {
  private final @Nullable BlockCache below;
  private final long delayNanos;

  SlowLoads(@Nullable BlockCache below, long delayNanos) {
    this.below = below;
    this.delayNanos = delayNanos;
  }

  private void read() {
    long end = System.nanoTime() + delayNanos;
    for (long left = delayNanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.currentThread().isInterrupted()) {
        return; // It would not wait any more.
      }
    }
  }

  @Override
  public @Nullable CacheEntry getBlock(String name, Loader loader) {
    if (below == null) {
      read();
      return null; // The engine loads it by itself.
    }
    return below.getBlock(name, new SlowLoader(loader));
  }

  @Override
  public @Nullable CacheEntry getBlock(String name) {
    return below == null ? null : below.getBlock(name);
  }

  @Override
  public @Nullable CacheEntry cacheBlock(String name, byte[] bytes) {
    return below == null ? null : below.cacheBlock(name, bytes);
  }

  @Override
  public long getMaxHeapSize() {
    return below == null ? 0 : below.getMaxHeapSize();
  }

  @Override
  public long getMaxSize() {
    return below == null ? 0 : below.getMaxSize();
  }

  @Override
  public Stats getStats() {
    if (below != null) {
      return below.getStats();
    }
    return new Stats() {
      @Override
      public long hitCount() {
        return 0;
      }

      @Override
      public long requestCount() {
        return 0;
      }
    };
  }

  private final class SlowLoader implements Loader {
    private final Loader loader;

    SlowLoader(Loader loader) {
      this.loader = loader;
    }

    @Override
    public Map<String, Loader> getDependencies() {
      return loader.getDependencies();
    }

    @Override
    public byte @Nullable [] load(int maxBytes, Map<String, byte[]> dependencies) {
      read();
      return loader.load(maxBytes, dependencies);
    }
  }
}
