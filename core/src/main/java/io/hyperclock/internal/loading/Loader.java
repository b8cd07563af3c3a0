/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.BlockLoader;
import io.hyperclock.entry.Key128;
import io.hyperclock.internal.errors.Figure;
import io.hyperclock.stats.LoadStats;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Loads on the calling thread: as the leader of a flight, as a guest of another, or alone. Counts
 * loads; hits do not come here.
 */
final class Loader<V> {
  final InFlightLoads<V> flights;
  private final Figure loads = new Figure();
  private final Figure failures = new Figure();
  private final Figure waiters = new Figure();
  private final Figure nanos = new Figure();

  Loader(InFlightLoads<V> flights) {
    this.flights = flights;
  }

  <R> @Nullable R load(LoadRequest<V, R> request, BlockLoader<? extends V> loader) {
    for (; ; ) {
      InFlightLoad<V> mine = new InFlightLoad<>(request.key(), new LoadTask(true, null), false);
      InFlightLoad<V> other = flights.start(mine);
      if (other == null || other.claim()) {
        return lead(other == null ? mine : other, request, loader);
      }
      if (other.task.isInside()) {
        throw LoadFailures.ownKey(other.key);
      }
      ThreadWaiter<V, R> waiter = new ThreadWaiter<>(other, request.form());
      Object answer = other.join(waiter) ? waiter.await() : SharedResult.again();
      if (answer != SharedResult.again()) {
        return taken(answer, request, loader);
      }
    }
  }

  /**
   * What the caller gets by an answer of {@link ThreadWaiter#await}, unless that is to start anew.
   */
  @SuppressWarnings("unchecked")
  <R> @Nullable R taken(
      @Nullable Object answer, LoadRequest<V, R> request, BlockLoader<? extends V> loader) {
    if (answer == null) {
      return alone(request, loader);
    }
    if (!(answer instanceof SharedResult<?> shared)) {
      return (R) answer;
    }
    if (shared.failure() != null) {
      throw LoadFailures.forWaiter(shared, request.key());
    }
    return null;
  }

  /** Runs a flight that the caller has started or claimed. */
  <R> @Nullable R lead(
      InFlightLoad<V> flight, LoadRequest<V, R> request, BlockLoader<? extends V> loader) {
    boolean loading = false;
    R own = null;
    Throwable failure = null;
    try {
      flight.task.enter();
      own = request.form().lookAgain(flight.key.hi(), flight.key.lo());
      if (own == null) {
        loading = true;
        V value = call(loader, request.key());
        loading = false;
        own = land(flight, request, value);
      }
    } catch (Throwable e) {
      failure = e;
      flight.outcome = LoadFailures.shared(e, loading);
    } finally {
      flight.task.exit();
      finish(flight, flight.outcome, own, request.form());
    }
    if (failure != null) {
      // Not before: it may set the interrupt of this thread, which is not for those it has served.
      throw LoadFailures.forLeader(failure, request.key());
    }
    return own;
  }

  /** If the flight cannot be finished, its leader will not have what it loaded. */
  <R> void finish(
      InFlightLoad<V> flight, SharedResult<V> shared, @Nullable R own, ResultKind<V, R> form) {
    try {
      finish(flight, shared);
    } catch (Throwable e) {
      if (own != null) {
        form.discard(own);
      }
      throw e;
    }
  }

  /** Caches what was loaded for the key of a flight. */
  static <V, R> @Nullable R land(
      InFlightLoad<V> flight, LoadRequest<V, R> request, @Nullable V value) {
    if (value == null) {
      flight.outcome = SharedResult.noBlock();
      return null;
    }
    return request.form().land(flight, request.entry(flight.key, value));
  }

  void finish(InFlightLoad<V> flight, SharedResult<V> shared) {
    waiters.add(flights.finish(flight, shared));
  }

  void loaded(int blocks, boolean failed, long startNanos) {
    (failed ? failures : loads).add(blocks);
    nanos.add(System.nanoTime() - startNanos);
  }

  LoadStats stats() {
    return new LoadStats(
        loads.sum(), failures.sum(), waiters.sum(), nanos.sum(), flights.underWay());
  }

  private @Nullable V call(BlockLoader<? extends V> loader, Key128 key) throws Exception {
    long start = System.nanoTime();
    boolean failed = true;
    try {
      V value = loader.load(key.hi(), key.lo());
      failed = false;
      return value;
    } finally {
      loaded(1, failed, start);
    }
  }

  /** Loads without a flight and without caching the value. */
  <R> @Nullable R alone(LoadRequest<V, R> request, BlockLoader<? extends V> loader) {
    // Told by its flights from the same key of another cache.
    Object subject = List.of(flights, request.key());
    if (LoadTask.isInside(subject)) {
      throw LoadFailures.ownKey(request.key());
    }
    LoadTask task = new LoadTask(true, subject);
    task.enter();
    try {
      V value = call(loader, request.key());
      return value == null ? null : request.form().uncached(request.entry(request.key(), value));
    } catch (Throwable e) {
      throw LoadFailures.forLeader(e, request.key());
    } finally {
      task.exit();
    }
  }
}
