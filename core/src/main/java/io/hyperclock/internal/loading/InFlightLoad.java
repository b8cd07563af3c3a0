/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.entry.Key128;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One load of one key, and the waiters for it.
 *
 * <p><b>A waiter that gave up leaves the stack</b> (a cancelled future, an interrupted thread): a
 * load may hang while callers come and go. A waiter that joins unlinks all that are done, but not
 * each time: if it leaves n of them, the next one to do so comes when n and a few more have joined.
 * So joining takes constant time on average, and at most about twice as many are linked as wait.
 *
 * <p><b>Why no waiter is lost.</b> A waiter that is done stays done and needs no answer, so only
 * the others matter. What {@code next} of a waiter holds is always one that joined before it, and
 * all between the two are done. That is so when a waiter is pushed: it is above the top of that
 * moment, or above one below it that was reached past waiters that are done, and the
 * compare-and-set fails if the top is another by then. It stays so: the thread that unlinks D has
 * read D in {@code next} of A, or past others that are done, and gives A what it has read in {@code
 * next} of D. All between A and D are done, D is, and so are all between D and what follows. This
 * does not ask when the thread has read it: two that unlink neighbours at once, or one that was
 * held up, bring back some that are done, and a later one unlinks those. So each walk down from a
 * waiter comes to its end, and past all that wait below it.
 *
 * <p>The thread that ends the load takes the top, and none can be pushed after that. A thread that
 * unlinks still may do so while the others are served: it leaves those alone that have not been
 * served, and each that it takes out was served or gave up. {@code next} is for this stack only and
 * no waiter is in two, so it leads nowhere else.
 */
final class InFlightLoad<V> {
  private static final Object OVER = new Object();

  /** How many join between two who look for those who are done, if none waits. */
  private static final int SPARE = 8;

  final Key128 key;
  final LoadTask task;
  final InsertPermit permit = new InsertPermit();
  private final @Nullable AtomicBoolean queued;

  /** The top of a stack of {@link Waiter}s; {@link #OVER} once the load is over. */
  final AtomicReference<@Nullable Object> waiters = new AtomicReference<>();

  /** What it came to for those who wait; set and read by the thread that lands it. */
  SharedResult<V> outcome = SharedResult.again();

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
      Waiter<V> below = cast(top);
      waiter.next = below;
      waiter.room = below == null ? SPARE - 1 : below.room - 1;
      // Before it is pushed: who has joined need not know of an error in here.
      if (waiter.room < 0) {
        waiter.room = SPARE + unlinkDone(waiter);
      }
      // Release: pairs with the exchange in end, so the server sees the waiter whole.
      if (waiters.compareAndSet(top, waiter)) {
        return true;
      }
    }
  }

  /** Unlinks those below a waiter who are done; returns how many are left. */
  private static <V> int unlinkDone(Waiter<V> top) {
    int left = 0;
    Waiter<V> above = top;
    Waiter<V> below;
    for (Waiter<V> waiter = top.next; waiter != null; waiter = below) {
      below = waiter.next;
      if (waiter.isDone()) {
        above.next = below;
      } else {
        above = waiter;
        left++;
      }
    }
    return left;
  }

  @SuppressWarnings("unchecked")
  private @Nullable Waiter<V> cast(@Nullable Object waiter) {
    return (Waiter<V>) waiter;
  }

  boolean isOver() {
    return waiters.get() == OVER;
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
   * @param flights takes those for whom there is no memory
   * @return how many guests, without those who gave up
   */
  int serveAll(SharedResult<V> shared, InFlightLoads<V> flights) {
    if (served == null) {
      return 0;
    }
    LoadTask nested = task.startServing();
    try {
      return serve(shared, true, flights) + serve(shared, false, flights);
    } finally {
      task.stopServing(nested);
    }
  }

  private int serve(SharedResult<V> shared, boolean threads, InFlightLoads<V> flights) {
    int guests = 0;
    Waiter<V> next;
    for (Waiter<V> waiter = served; waiter != null; waiter = next) {
      next = waiter.next;
      if (waiter.isThread == threads && !waiter.isDone()) {
        guests += waiter.isGuest && !shared.isAgain() ? 1 : 0;
        serve(waiter, shared, flights);
      }
    }
    return guests;
  }

  private void serve(Waiter<V> waiter, SharedResult<V> shared, InFlightLoads<V> flights) {
    try {
      waiter.serve(key, shared);
    } catch (Throwable e) {
      try {
        waiter.startAnew();
      } catch (Throwable another) {
        flights.leave(waiter);
      }
    }
  }
}
