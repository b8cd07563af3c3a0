/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import org.jspecify.annotations.Nullable;

/**
 * A span of reads on one thread, during which no value that it returned is freed. Made for short
 * reads of values freed explicitly: a read in a scope writes nothing to a hot entry, so that cores
 * do not compete for it as they do for pins.
 *
 * <pre>{@code
 * try (ReadScope<byte[]> scope = cache.openScope()) {
 *   byte[] root = scope.get(file.hi(), file.lo(0));
 *   byte[] leaf = scope.get(file.hi(), file.lo(offset));
 *   use(root, leaf);
 * }  // what was evicted meanwhile may be freed from here on
 * }</pre>
 *
 * <p>A value may leave the cache while the scope is open: it then <em>retires</em>, stays charged
 * against the capacity, and is freed when every scope open at that moment has closed, on the thread
 * that closes the last of them. So keep scopes short (a few reads, no waiting); hold a {@link
 * Handle} for anything that takes longer. While any scope is open, strict inserts of any thread
 * that need the space of retired values are refused.
 *
 * <p>Scopes may be nested, each is closed on its own. Belongs to the thread that opened it: {@link
 * #get} and {@link #close} throw {@link IllegalStateException} on any other. Opening costs two
 * atomic steps and closing one, on memory that few threads share. Usually allocates nothing.
 *
 * @param <V> type of the values
 */
public interface ReadScope<V> extends AutoCloseable {
  /**
   * Reads a value, of any type of entry, counting as a use. The value belonged to the key at some
   * moment during the call.
   *
   * @return the value, valid until this scope is closed, or null if there is none
   * @throws IllegalStateException if this scope or the cache is closed, or if another thread opened
   *     this scope
   */
  @Nullable V get(long keyHi, long keyLo);

  /**
   * Like {@link #get(long, long)}, but not a use: replacement and statistics do not notice.
   *
   * @return the value, valid until this scope is closed, or null if there is none
   * @throws IllegalStateException if this scope or the cache is closed, or if another thread opened
   *     this scope
   */
  @Nullable V peek(long keyHi, long keyLo);

  /**
   * Reads a value, of any type of entry, and loads it if it is missing, as {@link
   * LoadingReads#lookup(long, long, BlockLoader)} does. While it loads, the scope holds back what
   * others free: keep such scopes for loads that are short or rare.
   *
   * @param loader called at most once, on this thread
   * @return the value, valid until this scope is closed, or null if there is no such block
   * @throws CapacityExceededException if strict capacity left no room; the value has been disposed
   * @throws BlockLoadException if there is no value; see there
   * @throws IllegalStateException if this scope or the cache is closed, or if another thread opened
   *     this scope
   */
  @Nullable V get(long keyHi, long keyLo, BlockLoader<? extends V> loader);

  /**
   * Ends the scope and frees what only it held back. Idempotent; works after the cache was closed.
   *
   * @throws IllegalStateException if another thread opened this scope; it then stays open
   */
  @Override
  void close();
}
