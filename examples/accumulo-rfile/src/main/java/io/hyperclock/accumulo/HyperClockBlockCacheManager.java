/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.accumulo;

import io.hyperclock.entry.EntryRole;
import java.util.Map;
import org.apache.accumulo.core.spi.cache.BlockCache;
import org.apache.accumulo.core.spi.cache.BlockCacheManager;
import org.apache.accumulo.core.spi.cache.CacheType;

/**
 * Gives Accumulo one {@link HyperClockBlockCache} for each of its cache types, with the sizes it is
 * configured with. Types of size 0 it is not asked for.
 *
 * <p>One property of its own, under {@code tserver.cache.config.hyperclock.<type>.} where the type
 * is {@code data}, {@code index}, {@code summary} or {@code default}: {@value
 * #ENTRY_BYTES_PROPERTY}, the usual size of a cached block in bytes. It decides how many blocks the
 * cache can hold. Without it the smaller of {@code tserver.default.blocksize} and {@value
 * #DEFAULT_ENTRY_BYTES} is used: too small a value wastes about 60 bytes for each block too many,
 * too large a one leaves capacity unused.
 *
 * <p>{@link #stop} empties the caches; a reader that still holds one may go on using it.
 */
public final class HyperClockBlockCacheManager extends BlockCacheManager {
  /** Key of the properties of this manager. */
  public static final String PROPERTY_PREFIX = "hyperclock";

  /** Property with the usual size of a cached block, in bytes. */
  public static final String ENTRY_BYTES_PROPERTY = "entry.bytes";

  /** Largest usual size of a block that is assumed where the property is not set. */
  public static final int DEFAULT_ENTRY_BYTES = 16 << 10;

  /** Makes a manager without caches; {@link #start} makes them. */
  public HyperClockBlockCacheManager() {}

  /**
   * Makes a cache.
   *
   * @param conf sizes and properties
   * @param type which cache
   * @return a new cache
   * @throws IllegalArgumentException if the size has no room for a block or a property is not
   *     understood
   */
  @Override
  protected BlockCache createCache(Configuration conf, CacheType type) {
    return new HyperClockBlockCache(conf.getMaxSize(type), entryBytes(conf, type), role(type));
  }

  /** Empties all caches and forgets them. */
  @Override
  public void stop() {
    for (CacheType type : CacheType.values()) {
      if (getBlockCache(type) instanceof HyperClockBlockCache cache) {
        cache.clear();
      }
    }
    super.stop();
  }

  private static EntryRole role(CacheType type) {
    return switch (type) {
      case DATA -> EntryRole.DATA_BLOCK;
      case INDEX -> EntryRole.INDEX_BLOCK;
      case SUMMARY -> EntryRole.OTHER_BLOCK;
    };
  }

  private static long entryBytes(Configuration conf, CacheType type) {
    Map<String, String> properties = conf.getProperties(PROPERTY_PREFIX, type);
    for (String name : properties.keySet()) {
      if (!name.equals(ENTRY_BYTES_PROPERTY)) {
        throw new IllegalArgumentException(
            "property must be " + ENTRY_BYTES_PROPERTY + ": type=" + type + ", property=" + name);
      }
    }
    String text = properties.get(ENTRY_BYTES_PROPERTY);
    if (text == null) {
      return Math.max(1, Math.min(conf.getBlockSize(), DEFAULT_ENTRY_BYTES));
    }
    long entryBytes;
    try {
      entryBytes = Long.parseLong(text.trim());
    } catch (NumberFormatException e) {
      throw notPositive(type, text);
    }
    if (entryBytes <= 0) {
      throw notPositive(type, text);
    }
    return entryBytes;
  }

  private static IllegalArgumentException notPositive(CacheType type, String text) {
    return new IllegalArgumentException(
        ENTRY_BYTES_PROPERTY + " must be a whole number > 0: type=" + type + ", value=" + text);
  }
}
