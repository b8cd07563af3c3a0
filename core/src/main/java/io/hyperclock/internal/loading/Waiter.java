/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.entry.Key128;
import org.jspecify.annotations.Nullable;

/** What waits for a flight: a thread or a future. */
abstract class Waiter<V> {
  /**
   * A waiter below on the stack of the flight, with none between but those that are done; written
   * before this is pushed, and by threads that unlink others.
   */
  volatile @Nullable Waiter<V> next;

  /** How many may join above before those that are done are unlinked; not written once pushed. */
  int room;

  /** The one below on the stack of waiters that there was no memory for. */
  @Nullable Waiter<V> nextLeft;

  /** Whether it is a thread, to be served before futures, whose dependents may run for long. */
  final boolean isThread;

  /**
   * Whether it is served by the load of another caller; not once its own begins or is refused by
   * the executor. Written before the loader is called or the flight ends, read by who serves.
   */
  boolean isGuest = true;

  Waiter(boolean isThread) {
    this.isThread = isThread;
  }

  /** Whether it needs no answer, since it has one or gave up; never again no. */
  abstract boolean isDone();

  /** Hands over what the load came to, or what is made of it; not once it is done. */
  abstract void serve(Key128 key, SharedResult<V> shared);

  /** Lets it start anew if serving failed. */
  abstract void startAnew();

  /** Tells it that there was no memory to serve it. */
  void fail() {
    startAnew();
  }
}
