/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.typed;

/**
 * Gives each key of a typed view its two words. Equal keys must get equal words and different keys
 * different ones. Implementations must be thread-safe and should not allocate.
 *
 * @param <K> type of the keys
 */
public interface KeyCodec<K> {
  /**
   * High word of a key.
   *
   * @param key any key
   * @return the word
   */
  long hi(K key);

  /**
   * Low word of a key.
   *
   * @param key any key
   * @return the word
   */
  long lo(K key);
}
