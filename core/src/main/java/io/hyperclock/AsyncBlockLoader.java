/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Starts to read a block that is not cached and returns at once.
 *
 * <pre>{@code
 * CompletableFuture<byte[]> block =
 *     cache.getAsync(file.hi(), file.lo(offset), (hi, lo) -> store.readAsync(lo));  // returns at once
 * }</pre>
 *
 * @param <V> type of the values
 */
@FunctionalInterface
public interface AsyncBlockLoader<V> extends EntryAttributes<V> {
  /**
   * Starts to read one block, on the thread of the caller.
   *
   * @return completes with the value, owned by the cache from there on, or with null if there is no
   *     such block. It must complete some time: until then its callers wait, also once the cache is
   *     closed. The thread that completes it puts the value into the cache and completes the
   *     futures of the callers
   * @throws Exception if the read cannot be started; nothing is cached
   */
  CompletionStage<? extends @Nullable V> load(long keyHi, long keyLo) throws Exception;
}
