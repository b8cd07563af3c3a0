/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.accumulo;

import io.hyperclock.entry.EntryRole;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoublePredicate;
import org.apache.accumulo.core.spi.cache.BlockCache;
import org.apache.accumulo.core.spi.cache.BlockCacheManager;
import org.apache.accumulo.core.spi.cache.CacheType;
import org.jspecify.annotations.Nullable;

/**
 * Gives Accumulo one {@link HyperClockBlockCache} for each of its cache types, with the sizes it is
 * configured with. Types of size 0 it is not asked for.
 *
 * <p>One property of its own, under {@code tserver.cache.config.hyperclock.<type>.} where the type
 * is {@code data}, {@code index}, {@code summary} or {@code default}: {@value
 * #ENTRY_BYTES_PROPERTY}, the usual size of a cached block in bytes. It fixes how many blocks the
 * cache can hold: too small a value wastes about 60 bytes for each block too many, too large a one
 * leaves capacity unused. Without it the cache sizes itself.
 *
 * <p>{@value #DISK_DIRECTORY_PROPERTY} lets a cache start with the blocks that the last one had
 * when it was stopped.
 *
 * <p>{@link #stop} empties the caches; a reader that still holds one may go on using it.
 */
public final class HyperClockBlockCacheManager extends BlockCacheManager {
  /** Key of the properties of this manager. */
  public static final String PROPERTY_PREFIX = "hyperclock";

  /** Property with the usual size of a cached block, in bytes. */
  public static final String ENTRY_BYTES_PROPERTY = "entry.bytes";

  /**
   * Property with the share of the memory that holds blocks compressed, in [0, 1), or {@value
   * #AUTO} for one that finds itself; default 0.
   */
  public static final String COMPRESSED_SHARE_PROPERTY = "compressed.share";

  /** Value for a share that finds itself. */
  public static final String AUTO = "auto";

  /**
   * Property with a directory for blocks that outlive the process; needs a compressed share. Each
   * type has a folder of its own in it.
   */
  public static final String DISK_DIRECTORY_PROPERTY = "disk.directory";

  /** Property with the bytes that blocks may take in that directory; default 1 GiB. */
  public static final String DISK_BYTES_PROPERTY = "disk.bytes";

  private static final long DEFAULT_DISK_BYTES = 1L << 30;

  private static final Set<String> NAMES =
      new TreeSet<>(
          Set.of(
              ENTRY_BYTES_PROPERTY,
              COMPRESSED_SHARE_PROPERTY,
              DISK_DIRECTORY_PROPERTY,
              DISK_BYTES_PROPERTY));

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
    Map<String, String> properties = properties(conf, type);
    return new HyperClockBlockCache(
        conf.getMaxSize(type),
        entryBytes(properties, type),
        role(type),
        compressedShare(properties, type),
        disk(properties, type));
  }

  private static @Nullable DiskSpace disk(Map<String, String> properties, CacheType type) {
    String directory = properties.get(DISK_DIRECTORY_PROPERTY);
    if (directory == null) {
      return null;
    }
    String text = properties.getOrDefault(DISK_BYTES_PROPERTY, "" + DEFAULT_DISK_BYTES);
    double bytes =
        number(
            type,
            DISK_BYTES_PROPERTY,
            text,
            n -> n >= DiskSpace.MIN_BYTES && n == Math.rint(n),
            "a whole number >= " + DiskSpace.MIN_BYTES);
    // One property may be for all types.
    Path own = Path.of(directory).resolve(type.name().toLowerCase(Locale.ROOT));
    return new DiskSpace(own, (long) bytes);
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

  private static long entryBytes(Map<String, String> properties, CacheType type) {
    String text = properties.get(ENTRY_BYTES_PROPERTY);
    if (text == null) {
      return HyperClockBlockCache.UNKNOWN_ENTRY_BYTES;
    }
    return (long)
        number(
            type,
            ENTRY_BYTES_PROPERTY,
            text,
            n -> n > 0 && n == Math.rint(n),
            "a whole number > 0");
  }

  private static double compressedShare(Map<String, String> properties, CacheType type) {
    String text = properties.getOrDefault(COMPRESSED_SHARE_PROPERTY, "0");
    return text.trim().equals(AUTO)
        ? HyperClockBlockCache.SHARE_FINDS_ITSELF
        : number(type, COMPRESSED_SHARE_PROPERTY, text, n -> n >= 0 && n < 1, "in [0, 1)");
  }

  private static double number(
      CacheType type, String name, String text, DoublePredicate valid, String rule) {
    try {
      double number = Double.parseDouble(text.trim());
      if (valid.test(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Falls through to the rule.
    }
    throw new IllegalArgumentException(
        name + " must be " + rule + ": type=" + type + ", value=" + text);
  }

  private static Map<String, String> properties(Configuration conf, CacheType type) {
    Map<String, String> properties = conf.getProperties(PROPERTY_PREFIX, type);
    for (String name : properties.keySet()) {
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException(
            "property must be one of " + NAMES + ": type=" + type + ", property=" + name);
      }
    }
    return properties;
  }
}
