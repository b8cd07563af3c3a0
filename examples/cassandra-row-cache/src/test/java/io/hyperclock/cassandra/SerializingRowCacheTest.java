/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.cassandra;

import org.apache.cassandra.cache.ICache;
import org.apache.cassandra.cache.IRowCacheEntry;
import org.apache.cassandra.cache.RowCacheKey;
import org.apache.cassandra.cache.SerializingCacheProvider;

/** Cassandra's other provider, Caffeine with counted memory. */
class SerializingRowCacheTest extends RowCacheContract {
  @Override
  ICache<RowCacheKey, IRowCacheEntry> create() {
    return new SerializingCacheProvider().create();
  }
}
