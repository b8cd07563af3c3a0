/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import io.hyperclock.Handle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A lookup under way. Its outcome is a handle, or null for a miss; it never fails. Trouble in a
 * tier, a key that is written meanwhile and a cache that is closed meanwhile are misses.
 *
 * <p><b>Ownership.</b> The handle belongs to the caller that takes it, by {@link #await()} or out
 * of {@link #toFuture()}, and is owed a close. Until then it belongs to the lookup: {@link
 * #close()} gives it back. A lookup that is neither taken nor closed gives its handle back when it
 * becomes unreachable; a future that was taken does not need it.
 *
 * <p><b>Threads.</b> All methods may be called by any thread. A thread that waits does the work of
 * moving the value up itself if it can; where no thread waits, the executor of the cache does. What
 * depends on {@link #toFuture()} runs on one of these threads, never on a thread of a tier.
 *
 * @param <V> type of the values
 */
public interface AsyncLookup<V> extends AutoCloseable {
  /**
   * Whether the outcome is there, so that {@link #await()} does not wait.
   *
   * @return true once a handle was found, or there is none
   */
  boolean isDone();

  /**
   * Waits for the outcome and takes it. An interrupt does not end the wait; the thread's interrupt
   * status is kept. A tier that does not answer is waited for no longer than {@link
   * TieredBlockCacheBuilder#tierTimeout}, one that keeps the thread that reads until the limits of
   * all tiers have passed.
   *
   * @return the handle, the same at every call, to be closed once; or null if there is none, or if
   *     the lookup was closed before a caller took the handle
   */
  @Nullable Handle<V> await();

  /**
   * Waits for the outcome, for a limited time, and takes it. If it does not come in time the lookup
   * has ended without a handle for good; a value that comes later may move up but is not returned.
   *
   * @param timeout longest wait; zero or less does not wait
   * @return the handle, the same at every call, to be closed once; or null
   */
  @Nullable Handle<V> await(Duration timeout);

  /**
   * Takes the outcome as a future, the same at every call. It completes normally unless the caller
   * cancels or completes it; then there is no handle in it and none is kept for it. A tier that
   * does not answer is waited for no longer than {@link TieredBlockCacheBuilder#tierTimeout}; where
   * one keeps the thread that reads, the future ends without a handle when the limits of all tiers
   * have passed.
   *
   * @return the future of a handle to be closed once, or of null
   */
  CompletableFuture<@Nullable Handle<V>> toFuture();

  /** Gives the lookup up: a handle that no caller has taken is closed, now or when it comes. */
  @Override
  void close();
}
