/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import io.hyperclock.entry.EntryType;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads a block that is not cached, on the calling thread or on that of an executor.
 *
 * <pre>{@code
 * BlockLoader<byte[]> loader = (hi, lo) -> readFromDisk(offset);
 * byte[] block = cache.get(file.hi(), file.lo(offset), loader);
 * }</pre>
 *
 * <p>A loader may use the cache, other keys with loaders included. No lock is held while it runs.
 *
 * @param <V> type of the values
 */
@FunctionalInterface
public interface BlockLoader<V> extends EntryAttributes<V> {
  /**
   * Reads one block.
   *
   * @return the value, owned by the cache from here on, or null if there is no such block; null is
   *     not cached
   * @throws Exception if the block cannot be read; nothing is cached
   */
  @Nullable V load(long keyHi, long keyLo) throws Exception;

  /**
   * A loader for values of a type that is not the cache's default.
   *
   * @param type type of the entries
   * @param chargeBytes memory of a value in bytes
   * @param loader reads a block; its own rules are not asked
   * @param <V> type of the values
   * @return a new loader with {@link io.hyperclock.entry.Priority#LOW}; for another priority
   *     implement this interface
   */
  static <V> BlockLoader<V> of(
      EntryType<? super V> type,
      ToLongFunction<? super V> chargeBytes,
      BlockLoader<? extends V> loader) {
    Objects.requireNonNull(type, "type must not be null");
    Objects.requireNonNull(chargeBytes, "chargeBytes must not be null");
    Objects.requireNonNull(loader, "loader must not be null");
    return new BlockLoader<>() {
      @Override
      public @Nullable V load(long keyHi, long keyLo) throws Exception {
        return loader.load(keyHi, keyLo);
      }

      @Override
      public EntryType<? super V> type() {
        return type;
      }

      @Override
      public long chargeBytes(V value) {
        return chargeBytes.applyAsLong(value);
      }
    };
  }
}
