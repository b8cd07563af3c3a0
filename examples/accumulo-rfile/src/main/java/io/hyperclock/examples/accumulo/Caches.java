/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.util.Map;
import org.apache.accumulo.core.conf.ConfigurationCopy;
import org.apache.accumulo.core.conf.DefaultConfiguration;
import org.apache.accumulo.core.conf.Property;
import org.apache.accumulo.core.file.blockfile.cache.impl.BlockCacheConfiguration;
import org.apache.accumulo.core.file.blockfile.cache.impl.BlockCacheManagerFactory;
import org.apache.accumulo.core.file.blockfile.impl.BasicCacheProvider;
import org.apache.accumulo.core.file.blockfile.impl.CacheProvider;
import org.apache.accumulo.core.spi.cache.BlockCache;
import org.apache.accumulo.core.spi.cache.BlockCacheManager;
import org.apache.accumulo.core.spi.cache.CacheType;
import org.jspecify.annotations.Nullable;

/** The block caches of one run, started by class name as a server starts them. */
final class Caches implements AutoCloseable {
  /** Enough for every index block of the file. */
  static final long INDEX_BYTES = 8L << 20;

  private static final long SUMMARY_BYTES = 1L << 20;

  private final BlockCacheManager manager;
  private final BlockCache indexCache;
  private final @Nullable BlockCache dataCache;
  private final @Nullable BlockCache readCache;

  /**
   * Starts caches.
   *
   * @param choice which
   * @param dataBytes size of the data cache, greater than 0
   * @param blockBytes usual size of a data block
   */
  Caches(CacheChoice choice, long dataBytes, int blockBytes) {
    this(choice, dataBytes, blockBytes, 0);
  }

  /**
   * The same on slow storage.
   *
   * @param readDelayNanos what each miss of a data block takes more; 0 for none
   */
  Caches(CacheChoice choice, long dataBytes, int blockBytes, long readDelayNanos) {
    this(choice, dataBytes, blockBytes, readDelayNanos, Map.of());
  }

  /** The same with further settings of the server. */
  Caches(CacheChoice choice, long dataBytes, int blockBytes, Map<String, String> more) {
    this(choice, dataBytes, blockBytes, 0, more);
  }

  private Caches(
      CacheChoice choice,
      long dataBytes,
      int blockBytes,
      long readDelayNanos,
      Map<String, String> more) {
    ConfigurationCopy settings = new ConfigurationCopy(DefaultConfiguration.getInstance());
    settings.set(Property.GENERAL_CACHE_MANAGER_IMPL, choice.managerClass());
    settings.set(Property.TSERV_DATACACHE_SIZE, Long.toString(dataBytes));
    settings.set(Property.TSERV_INDEXCACHE_SIZE, Long.toString(INDEX_BYTES));
    settings.set(Property.TSERV_SUMMARYCACHE_SIZE, Long.toString(SUMMARY_BYTES));
    settings.set(Property.TSERV_DEFAULT_BLOCKSIZE, Integer.toString(blockBytes));
    choice.properties().forEach(settings::set);
    more.forEach(settings::set);
    try {
      manager = BlockCacheManagerFactory.getClientInstance(settings);
    } catch (Exception e) {
      throw new IllegalStateException("cache manager must load: class=" + choice.managerClass(), e);
    }
    manager.start(BlockCacheConfiguration.forTabletServer(settings));
    indexCache = manager.getBlockCache(CacheType.INDEX);
    dataCache = choice.cachesData() ? manager.getBlockCache(CacheType.DATA) : null;
    readCache = readDelayNanos == 0 ? dataCache : new SlowLoads(dataCache, readDelayNanos);
  }

  /** What readers take their blocks from. */
  CacheProvider provider() {
    return new BasicCacheProvider(indexCache, readCache);
  }

  /** The data cache, or null if data blocks are not cached. */
  @Nullable BlockCache data() {
    return dataCache;
  }

  @Override
  public void close() {
    manager.stop();
  }
}
