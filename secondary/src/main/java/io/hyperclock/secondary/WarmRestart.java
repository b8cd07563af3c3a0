/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import io.hyperclock.BlockLoader;
import io.hyperclock.entry.EntryType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a cache becomes warm again after a restart: the hottest entries that its primary had when it
 * was closed are read in the background, the hottest first.
 *
 * <pre>{@code
 * TieredBlockCache.builder(primary)
 *     .tier(DiskSecondaryCache.builder().directory(directory).capacityBytes(100L << 30).build())
 *     .warmRestart(WarmRestart.of(BLOCK).loader(storage)) // storage is optional
 *     .build();
 * }</pre>
 *
 * <p><b>Closing</b> writes a list of keys beside the nearest tier that {@linkplain
 * SecondaryCache#keepsRestartList() keeps one}, as that on disk does, and offers that tier what it
 * does not have yet, for five seconds at most. A crash leaves no list.
 *
 * <p><b>Building</b> reads the list, and one thread looks up one key after the other, within the
 * rate, until all have been read, the primary is full, or the cache is closed. What it finds moves
 * up as by any lookup, so it is never older than what the tiers answer, and what is written
 * meanwhile wins. It waits for no lookup, and none waits for it, unless both want the same key at
 * that moment: then they share one read. Its lookups count in the statistics. A list that is
 * damaged or of another store costs nothing but the warmth. One that was forged may name any keys:
 * a loader must be able to tell which exist. A tier with a {@link RecordKey} signs its list.
 *
 * <p>Immutable.
 *
 * @param <V> type of the values
 */
public final class WarmRestart<V> {
  private static final int MAX_TYPES = 1 << 16;
  private static final int MOST_KEYS = 1 << 24;

  private final List<EntryType<? extends V>> types;
  private final @Nullable BlockLoader<? extends V> loader;
  private final int maxKeys;
  private final long bytesPerSecond;

  private WarmRestart(
      List<EntryType<? extends V>> types,
      @Nullable BlockLoader<? extends V> loader,
      int maxKeys,
      long bytesPerSecond) {
    this.types = types;
    this.loader = loader;
    this.maxKeys = maxKeys;
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * Starts with one type; 2^20 keys at most, 256 MiB a second, no loader.
   *
   * @param type a type with a codec that needs no context of a reader
   * @param <V> type of the values
   * @return new settings
   */
  public static <V> WarmRestart<V> of(EntryType<? extends V> type) {
    return new WarmRestart<V>(List.of(), null, 1 << 20, 256L << 20).and(type);
  }

  /**
   * Adds a type. Entries of other types are left out. The list knows types by their names.
   *
   * @param type a type with a codec, of another name than those before
   * @return new settings
   */
  public WarmRestart<V> and(EntryType<? extends V> type) {
    Objects.requireNonNull(type, "type must not be null");
    if (type.codec() == null) {
      throw new IllegalArgumentException("type must have a codec: type=" + type.name());
    }
    if (types.stream().anyMatch(known -> known.name().equals(type.name()))) {
      throw new IllegalArgumentException("type must have another name: type=" + type.name());
    }
    if (types.size() == MAX_TYPES) {
      throw new IllegalArgumentException("types must be <= " + MAX_TYPES + ": types=" + MAX_TYPES);
    }
    List<EntryType<? extends V>> more = new ArrayList<>(types);
    more.add(type);
    return new WarmRestart<>(List.copyOf(more), loader, maxKeys, bytesPerSecond);
  }

  /**
   * Sets what reads the blocks that no tier has; default none.
   *
   * @param loader called by the thread in the background; what it throws costs that key
   * @return new settings
   */
  public WarmRestart<V> loader(BlockLoader<? extends V> loader) {
    Objects.requireNonNull(loader, "loader must not be null");
    return new WarmRestart<>(types, loader, maxKeys, bytesPerSecond);
  }

  /**
   * Sets how many keys the list may have, of 20 bytes each.
   *
   * @param maxKeys a number in [1, 2^24]
   * @return new settings
   */
  public WarmRestart<V> maxKeys(int maxKeys) {
    if (maxKeys < 1 || maxKeys > MOST_KEYS) {
      throw new IllegalArgumentException(
          "maxKeys must be in [1, " + MOST_KEYS + "]: maxKeys=" + maxKeys);
    }
    return new WarmRestart<>(types, loader, maxKeys, bytesPerSecond);
  }

  /**
   * Sets how fast to read. The rate is one of charges, and a key that is not found counts as 4 KiB.
   *
   * @param bytesPerSecond greater than 0
   * @return new settings
   */
  public WarmRestart<V> bytesPerSecond(long bytesPerSecond) {
    if (bytesPerSecond <= 0) {
      throw new IllegalArgumentException(
          "bytesPerSecond must be > 0: bytesPerSecond=" + bytesPerSecond);
    }
    return new WarmRestart<>(types, loader, maxKeys, bytesPerSecond);
  }

  /**
   * The types.
   *
   * @return at least one
   */
  public List<EntryType<? extends V>> types() {
    return types;
  }

  /**
   * Who reads what no tier has.
   *
   * @return the loader, or null
   */
  public @Nullable BlockLoader<? extends V> loader() {
    return loader;
  }

  /**
   * Most keys of a list.
   *
   * @return a number greater than 0
   */
  public int maxKeys() {
    return maxKeys;
  }

  /**
   * The rate.
   *
   * @return bytes of charge a second
   */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }
}
