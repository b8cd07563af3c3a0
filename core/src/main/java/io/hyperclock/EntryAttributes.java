/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import org.jspecify.annotations.Nullable;

/**
 * How a loaded value is entered into the cache. Every method has a default, so that a loader is
 * usually a lambda.
 *
 * <pre>{@code
 * BlockLoader<byte[]> loader =
 *     new BlockLoader<>() {
 *       @Override
 *       public byte[] load(long keyHi, long keyLo) throws IOException {
 *         return readFromDisk(keyLo);
 *       }
 *
 *       @Override
 *       public long chargeBytes(byte[] block) {
 *         return block.length + 16;
 *       }
 *     };
 * }</pre>
 *
 * <p>Implementations must be thread-safe. What they throw counts as a failure of the load.
 *
 * @param <V> type of the values
 */
public interface EntryAttributes<V> {
  /** Answer of {@link #chargeBytes}: the cache is to choose. */
  long UNKNOWN_CHARGE = -1;

  /**
   * Type of the entry; asked before the load.
   *
   * @return the type, or null for the cache's {@linkplain BlockCacheBuilder#defaultType default
   *     type}
   */
  default @Nullable EntryType<? super V> type() {
    return null;
  }

  /**
   * Memory that a loaded value stands for.
   *
   * @param value what was loaded
   * @return bytes in [0, {@link BlockCache#MAX_CHARGE_BYTES}]; or {@link #UNKNOWN_CHARGE} for what
   *     the codec of the type says, and where it has none the cache's {@linkplain
   *     BlockCacheBuilder#estimatedEntryCharge estimated entry charge}. A cache without an estimate
   *     charges the length of a {@code byte[]} and the capacity of a {@code ByteBuffer}; a load of
   *     another value then fails with an IllegalStateException
   */
  default long chargeBytes(V value) {
    return UNKNOWN_CHARGE;
  }

  /**
   * How long to keep the entry unused.
   *
   * @return the priority
   */
  default Priority priority() {
    return Priority.LOW;
  }
}
