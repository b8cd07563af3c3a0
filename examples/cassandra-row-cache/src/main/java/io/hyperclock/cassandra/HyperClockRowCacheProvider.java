/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.cassandra;

import org.apache.cassandra.cache.CacheProvider;
import org.apache.cassandra.cache.ICache;
import org.apache.cassandra.cache.IRowCacheEntry;
import org.apache.cassandra.cache.RowCacheKey;
import org.apache.cassandra.config.DatabaseDescriptor;

/**
 * Makes Cassandra's row cache, of the size that {@code row_cache_size} says:
 *
 * <pre>
 * row_cache_class_name: io.hyperclock.cassandra.HyperClockRowCacheProvider
 * row_cache_size: 1GiB
 * </pre>
 */
public final class HyperClockRowCacheProvider
    implements CacheProvider<RowCacheKey, IRowCacheEntry> {
  /** For Cassandra, which makes one by reflection. */
  public HyperClockRowCacheProvider() {}

  @Override
  public ICache<RowCacheKey, IRowCacheEntry> create() {
    return new HyperClockRowCache(DatabaseDescriptor.getRowCacheSizeInMiB() << 20);
  }
}
