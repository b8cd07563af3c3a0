/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.typed;

import org.jspecify.annotations.Nullable;

/**
 * Reads a value that is not cached; see {@link io.hyperclock.BlockLoader}.
 *
 * @param <K> type of the keys
 * @param <T> type of the values
 */
@FunctionalInterface
public interface KeyLoader<K, T> {
  /**
   * Reads one value.
   *
   * @param key the key
   * @return the value, owned by the cache from here on, or null if there is none; null is not
   *     cached
   * @throws Exception if it cannot be read; nothing is cached
   */
  @Nullable T load(K key) throws Exception;
}
