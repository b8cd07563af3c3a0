/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.BlockLoader;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.Key128;
import org.jspecify.annotations.Nullable;

/** Loads on the calling thread: as the leader of a flight, as a guest of another, or alone. */
final class Loader<V> {
  private final Flights<V> flights;
  private final LoadCounters counters;

  Loader(Flights<V> flights, LoadCounters counters) {
    this.flights = flights;
    this.counters = counters;
  }

  /** One key of one cache that a thread loads without a flight. */
  private record Subject(Object cache, Key128 key) {}

  <R> @Nullable R load(Request<V, R> request, BlockLoader<V> loader) {
    for (; ; ) {
      Flight<V> mine = new Flight<>(request.key(), new LoadTask(true, null), false);
      Flight<V> other = flights.start(mine);
      if (other == null) {
        return lead(mine, request, loader);
      }
      if (other.claim()) {
        return lead(other, request, loader);
      }
      Object answer = awaitOther(other, request.form());
      if (answer == null) {
        return alone(request, loader);
      }
      if (!(answer instanceof Shared<?> shared)) {
        return result(answer);
      }
      if (!shared.isAgain()) {
        return nothing(shared, request.key());
      }
    }
  }

  @SuppressWarnings("unchecked")
  static <R> R result(Object answer) {
    return (R) answer;
  }

  /** Null for "no such block", or the exception of this caller. */
  static <R> @Nullable R nothing(Shared<?> shared, Key128 key) {
    if (shared.isFailure()) {
      throw Failures.forWaiter(shared, key);
    }
    return null;
  }

  /**
   * Waits for another caller's flight.
   *
   * @return a result, a {@link Shared} without one, or null if the caller must not wait
   */
  private <R> @Nullable Object awaitOther(Flight<V> other, Form<V, R> form) {
    if (other.task.isInside()) {
      throw Failures.ownKey(other.key);
    }
    ThreadWaiter<V, R> waiter = new ThreadWaiter<>(form);
    return other.join(waiter) ? await(waiter, other) : Shared.again();
  }

  /** Waits for a flight that was joined before; null if the caller must not wait. */
  static <V> @Nullable Object await(ThreadWaiter<V, ?> waiter, Flight<V> flight) {
    Object answer = null;
    try {
      if (flight.task.startWaiting()) {
        answer = waiter.await(flight);
        LoadTask.stopWaiting();
      }
    } finally {
      if (answer == null) {
        waiter.abandon();
        LoadTask.stopWaiting();
      }
    }
    return answer;
  }

  /** Runs a flight that the caller has started or claimed. */
  <R> @Nullable R lead(Flight<V> flight, Request<V, R> request, BlockLoader<V> loader) {
    Shared<V> shared = Shared.again();
    boolean loading = false;
    boolean entered = false;
    R own = null;
    try {
      flight.task.enter();
      entered = true;
      own = request.form().lookAgain(flight.hi(), flight.lo());
      if (own == null) {
        loading = true;
        V value = call(loader, request.key());
        loading = false;
        Landing<V, R> landing = land(flight, request, value);
        own = landing.own();
        shared = landing.shared();
      }
    } catch (Throwable e) {
      shared = sharedFailure(e, loading);
      throw Failures.forLeader(e, request.key());
    } finally {
      if (entered) {
        flight.task.exit();
      }
      finish(flight, shared, own, request.form());
    }
    return own;
  }

  /** If the flight cannot be finished, its leader will not have what it loaded. */
  private <R> void finish(Flight<V> flight, Shared<V> shared, @Nullable R own, Form<V, R> form) {
    try {
      finish(flight, shared);
    } catch (Throwable e) {
      if (own != null) {
        form.discard(own);
      }
      throw e;
    }
  }

  /**
   * What the others get.
   *
   * @param loading whether the loader threw it, not the cache or the rules
   */
  static <V> Shared<V> sharedFailure(Throwable failure, boolean loading) {
    boolean needsPin = !loading && failure instanceof PinRequiredException;
    if (needsPin || failure instanceof InterruptedException) {
      return Shared.again();
    }
    try {
      return loading ? Shared.loaderThrew(failure) : Shared.cacheThrew(failure);
    } catch (OutOfMemoryError e) {
      // They find out for themselves.
      return Shared.again();
    }
  }

  static <V, R> Landing<V, R> land(Flight<V> flight, Request<V, R> request, @Nullable V value) {
    return value == null
        ? new Landing<>(null, Shared.noBlock())
        : request.form().land(flight, request.entry(value));
  }

  void finish(Flight<V> flight, Shared<V> shared) {
    counters.served(flights.finish(flight, shared));
  }

  private @Nullable V call(BlockLoader<V> loader, Key128 key) throws Exception {
    long start = System.nanoTime();
    boolean failed = true;
    try {
      V value = loader.load(key.hi(), key.lo());
      failed = false;
      return value;
    } finally {
      counters.loaded(1, failed, start);
    }
  }

  /** Loads without a flight and without caching the value. */
  <R> @Nullable R alone(Request<V, R> request, BlockLoader<V> loader) {
    Subject subject = new Subject(flights, request.key());
    if (LoadTask.isInside(subject)) {
      throw Failures.ownKey(request.key());
    }
    LoadTask task = new LoadTask(true, subject);
    task.enter();
    try {
      V value = call(loader, request.key());
      return value == null ? null : request.form().uncached(request.entry(value));
    } catch (Throwable e) {
      throw Failures.forLeader(e, request.key());
    } finally {
      task.exit();
    }
  }
}
