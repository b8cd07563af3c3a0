/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.entry.Key128;
import io.hyperclock.internal.observe.UserCode;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One load of one key, and those who wait for it.
 *
 * <pre>
 *              beginInsert              endInsert
 *   LOADING ───────────────> INSERTING ───────────> INSERTED
 *      │ invalidate              │ invalidate, inside a task
 *      │                         v
 *      │                       DOUBTED: the inserting thread erases the key again
 *      ├──> STALE
 *      └──> OVERTAKEN, by an insert: the value that was inserted is preferred if it is there
 * </pre>
 */
final class InFlightLoad<V> {
  private static final int LOADING = 0;
  private static final int INSERTING = 1;
  private static final int INSERTED = 2;
  private static final int STALE = 3;
  private static final int DOUBTED = 4;
  private static final int OVERTAKEN = 5;

  private static final Object OVER = new Object();
  private static final int SPINS = 100;
  private static final long PAUSE_NANOS = 50_000;

  final Key128 key;
  final LoadTask task;
  private final AtomicInteger state = new AtomicInteger(LOADING);
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

  /** Serves those who have joined, threads before futures; returns how many guests. */
  int serveAll(SharedResult<V> shared, InFlightLoads<V> flights) {
    Waiter<V> top = served;
    if (top == null) {
      return 0;
    }
    boolean serving = false;
    LoadTask nested = null;
    try {
      nested = task.startServing();
      serving = true;
    } catch (OutOfMemoryError e) {
      // Served all the same; a circle of waiting loads would not be seen.
    }
    try {
      return serve(top, shared, true, flights) + serve(top, shared, false, flights);
    } finally {
      if (serving) {
        task.stopServing(nested);
      }
    }
  }

  private int serve(
      Waiter<V> top, SharedResult<V> shared, boolean threads, InFlightLoads<V> flights) {
    int guests = 0;
    Waiter<V> next;
    for (Waiter<V> waiter = top; waiter != null; waiter = next) {
      next = waiter.next;
      if (waiter.isThread() == threads) {
        guests += waiter.isGuest() && !shared.isAgain() ? 1 : 0;
        serve(waiter, shared, flights);
      }
    }
    return guests;
  }

  private void serve(Waiter<V> waiter, SharedResult<V> shared, InFlightLoads<V> flights) {
    try {
      waiter.serve(this, shared);
    } catch (Throwable e) {
      try {
        waiter.startAnew();
      } catch (Throwable another) {
        flights.leave(waiter);
      }
    }
  }

  /** Whether the value may be inserted; if so, {@link #endInsert} must follow. */
  boolean beginInsert() {
    return state.compareAndSet(LOADING, INSERTING);
  }

  /** Whether the value may not be inserted because another was, which may still be there. */
  boolean isOvertaken() {
    return state.get() == OVERTAKEN;
  }

  /** Whether the key must be erased again, and the value must not be shared. */
  boolean endInsert() {
    return state.getAndSet(INSERTED) == DOUBTED;
  }

  /**
   * Keeps a value loaded before now out of the cache. Returns when no insert of it is under way; a
   * thread inside a task or callback leaves that to the inserting thread: it must not wait.
   *
   * @return whether no caller may join any more
   */
  boolean invalidate() {
    if (state.compareAndSet(LOADING, STALE)) {
      return true;
    }
    if (LoadTask.isInsideAny() || UserCode.isInside()) {
      return !state.compareAndSet(INSERTING, DOUBTED) && !isInserting();
    }
    awaitInsert();
    return true;
  }

  /** An interrupt does not end the wait, and does not make it a spin; it is there afterwards. */
  private void awaitInsert() {
    boolean interrupted = false;
    for (int round = 0; isInserting(); round++) {
      if (round < SPINS) {
        Thread.onSpinWait();
      } else {
        interrupted |= Thread.interrupted();
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Keeps a value loaded before now out of the cache because another one is about to be inserted.
   * Does not wait: if this one is just being inserted, one of the two is kept.
   *
   * @return whether no caller may join any more
   */
  boolean overtake() {
    return state.compareAndSet(LOADING, OVERTAKEN);
  }

  private boolean isInserting() {
    int now = state.get();
    return now == INSERTING || now == DOUBTED;
  }
}
