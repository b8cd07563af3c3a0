/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.util.ArrayList;
import java.util.List;
import org.apache.accumulo.core.file.blockfile.impl.CacheProvider;
import org.apache.accumulo.core.spi.cache.BlockCache;
import org.apache.accumulo.core.spi.cache.CacheEntry;
import org.jspecify.annotations.Nullable;

/** A data cache that keeps nothing but the names it was asked for. For one thread. */
final class BlockNames implements BlockCache, CacheProvider {
  private final List<String> names = new ArrayList<>();

  /** Names asked for, in order. */
  List<String> names() {
    return names;
  }

  @Override
  public @Nullable BlockCache getIndexCache() {
    return null;
  }

  @Override
  public BlockCache getDataCache() {
    return this;
  }

  @Override
  public @Nullable CacheEntry getBlock(String name, Loader loader) {
    names.add(name);
    return null;
  }

  @Override
  public @Nullable CacheEntry getBlock(String name) {
    return null;
  }

  @Override
  public @Nullable CacheEntry cacheBlock(String name, byte[] bytes) {
    return null;
  }

  @Override
  public long getMaxHeapSize() {
    return 0;
  }

  @Override
  public long getMaxSize() {
    return 0;
  }

  @Override
  public Stats getStats() {
    return new Stats() {
      @Override
      public long hitCount() {
        return 0;
      }

      @Override
      public long requestCount() {
        return names.size();
      }
    };
  }
}
