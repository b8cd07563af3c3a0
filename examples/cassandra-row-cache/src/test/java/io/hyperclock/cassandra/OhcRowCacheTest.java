/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.cassandra;

import static io.hyperclock.cassandra.TestTable.key;
import static io.hyperclock.cassandra.TestTable.partition;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.cassandra.cache.ICache;
import org.apache.cassandra.cache.IRowCacheEntry;
import org.apache.cassandra.cache.OHCProvider;
import org.apache.cassandra.cache.RowCacheKey;
import org.apache.cassandra.cache.RowCacheSentinel;
import org.junit.jupiter.api.Test;

/** Cassandra's default provider keeps the contract too, so it is Cassandra's and not ours. */
class OhcRowCacheTest extends RowCacheContract {
  @Override
  ICache<RowCacheKey, IRowCacheEntry> create() {
    return new OHCProvider().create();
  }

  /** Where they differ: a row that was read before a write goes in after it, if OHC is asked. */
  @Test
  void replaceAddsWhereTheSentinelWasRemoved() {
    RowCacheSentinel sentinel = new RowCacheSentinel();
    cache.putIfAbsent(key("ann"), sentinel);
    cache.remove(key("ann"));

    assertThat(cache.replace(key("ann"), sentinel, partition("ann", "of before"))).isTrue();
    assertThat(cache.get(key("ann"))).isNotNull();
  }
}
