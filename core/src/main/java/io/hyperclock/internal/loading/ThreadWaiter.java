/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.BlockLoadException;
import io.hyperclock.entry.Key128;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that waits for a flight. */
final class ThreadWaiter<V, R> extends Waiter<V> {
  private static final Object GONE = new Object();

  final InFlightLoad<V> flight;
  private final ResultKind<V, R> form;
  private final Thread thread = Thread.currentThread();

  /** Null at first; then a result, a {@link SharedResult} without one, or {@link #GONE}. */
  private final AtomicReference<@Nullable Object> answer = new AtomicReference<>();

  ThreadWaiter(InFlightLoad<V> flight, ResultKind<V, R> form) {
    super(true);
    this.flight = flight;
    this.form = form;
  }

  @Override
  boolean isDone() {
    return answer.get() != null;
  }

  @Override
  void serve(Key128 key, SharedResult<V> shared) {
    if (!shared.hasResult()) {
      answer(shared);
      return;
    }
    R result;
    try {
      result = form.share(key, shared);
    } catch (Throwable e) {
      answer(SharedResult.threw(e, true));
      return;
    }
    if (!answer(result)) {
      form.discard(result);
    }
  }

  @Override
  void startAnew() {
    answer(SharedResult.again());
  }

  private boolean answer(Object given) {
    // One of this and an interrupt wins: a result has one owner. Release: the waiter sees it whole.
    boolean taken = answer.compareAndSet(null, given);
    LockSupport.unpark(thread);
    return taken;
  }

  /**
   * Waits until it is served by the flight, which it has joined.
   *
   * @return a result, a {@link SharedResult} without one, or null if this thread must not wait
   * @throws BlockLoadException if this thread is interrupted before that
   */
  @Nullable Object await() {
    Object given = null;
    try {
      if (flight.task.startWaiting()) {
        given = park();
      }
    } finally {
      if (given == null) {
        abandon();
      }
      LoadTask.stopWaiting();
    }
    return given;
  }

  private Object park() {
    for (; ; ) {
      Object given = answer.get();
      if (given != null) {
        return given;
      }
      // One of this and answer() wins.
      if (Thread.currentThread().isInterrupted() && answer.compareAndSet(null, GONE)) {
        throw new BlockLoadException(
            "a thread must not be interrupted while it waits for a load: keyHi="
                + flight.key.hi()
                + ", keyLo="
                + flight.key.lo(),
            new InterruptedException("interrupted while waiting for the load of another caller"));
      }
      LockSupport.park(this);
    }
  }

  /** No longer waits; gives back what it was served, the first time. */
  @SuppressWarnings("unchecked")
  void abandon() {
    Object given = answer.getAndSet(GONE);
    if (given != null && given != GONE && !(given instanceof SharedResult)) {
      form.discard((R) given);
    }
  }
}
