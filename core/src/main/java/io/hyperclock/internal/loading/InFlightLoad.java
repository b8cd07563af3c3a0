/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.entry.Key128;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One load of one key, and those who wait for it. */
final class InFlightLoad<V> {
  private static final Object OVER = new Object();

  final Key128 key;
  final LoadTask task;
  final InsertPermit permit = new InsertPermit();
  private final @Nullable AtomicBoolean queued;

  /** The top of a stack of {@link Waiter}s; {@link #OVER} once the load is over. */
  private final AtomicReference<@Nullable Object> waiters = new AtomicReference<>();

  /** Those who had joined when the load ended; belongs to the thread that serves them. */
  private @Nullable Waiter<V> served;

  /**
   * A flight of its own.
   *
   * @param queued whether no thread runs it yet
   */
  InFlightLoad(Key128 key, LoadTask task, boolean queued) {
    this.key = key;
    this.task = task;
    this.queued = queued ? new AtomicBoolean(true) : null;
  }

  long hi() {
    return key.hi();
  }

  long lo() {
    return key.lo();
  }

  /** Takes a queued flight over; the one caller who gets true runs it. */
  boolean claim() {
    return queued != null && queued.compareAndSet(true, false);
  }

  /** Adds a waiter; false if the load is over. */
  boolean join(Waiter<V> waiter) {
    for (; ; ) {
      Object top = waiters.get();
      if (top == OVER) {
        return false;
      }
      waiter.next = cast(top);
      // Release: pairs with the exchange in end, so the server sees the waiter whole.
      if (waiters.compareAndSet(top, waiter)) {
        return true;
      }
    }
  }

  @SuppressWarnings("unchecked")
  private @Nullable Waiter<V> cast(@Nullable Object waiter) {
    return (Waiter<V>) waiter;
  }

  /** Ends the load: no caller joins any more; true for the one caller who then serves. */
  boolean end() {
    Object top = waiters.getAndSet(OVER);
    if (top == OVER) {
      return false;
    }
    served = cast(top);
    return true;
  }

  /**
   * Serves those who have joined, threads before futures.
   *
   * @param leave takes those for whom there is no memory
   * @return how many guests
   */
  int serveAll(SharedResult<V> shared, Consumer<Waiter<V>> leave) {
    Waiter<V> top = served;
    if (top == null) {
      return 0;
    }
    LoadTask nested = task.startServing();
    try {
      return serve(top, shared, true, leave) + serve(top, shared, false, leave);
    } finally {
      task.stopServing(nested);
    }
  }

  private int serve(
      Waiter<V> top, SharedResult<V> shared, boolean threads, Consumer<Waiter<V>> leave) {
    int guests = 0;
    Waiter<V> next;
    for (Waiter<V> waiter = top; waiter != null; waiter = next) {
      next = waiter.next;
      if (waiter.isThread == threads) {
        guests += waiter.isGuest && !shared.isAgain() ? 1 : 0;
        serve(waiter, shared, leave);
      }
    }
    return guests;
  }

  private void serve(Waiter<V> waiter, SharedResult<V> shared, Consumer<Waiter<V>> leave) {
    try {
      waiter.serve(key, shared);
    } catch (Throwable e) {
      try {
        waiter.startAnew();
      } catch (Throwable another) {
        leave.accept(waiter);
      }
    }
  }
}
