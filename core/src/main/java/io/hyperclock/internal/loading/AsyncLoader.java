/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.AsyncBlockLoader;
import io.hyperclock.BlockLoader;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Loads for futures. */
final class AsyncLoader<V> {
  private final InFlightLoads<V> flights;
  private final LoadCounters counters;
  private final Loader<V> loads;

  AsyncLoader(InFlightLoads<V> flights, LoadCounters counters, Loader<V> loads) {
    this.flights = flights;
    this.counters = counters;
    this.loads = loads;
  }

  /** Gets a started flight going. */
  private interface Launch<V, R> {
    void launch(InFlightLoad<V> flight, LoadRequest<V, R> request, FutureWaiter<V, R> own);
  }

  <R> CompletableFuture<@Nullable R> load(
      LoadRequest<V, R> request, Executor executor, BlockLoader<V> loader) {
    return load(request, true, (flight, wanted, own) -> run(flight, wanted, own, executor, loader));
  }

  <R> CompletableFuture<@Nullable R> load(LoadRequest<V, R> request, AsyncBlockLoader<V> loader) {
    return load(request, false, (flight, wanted, own) -> call(flight, wanted, own, loader));
  }

  private <R> CompletableFuture<@Nullable R> load(
      LoadRequest<V, R> request, boolean queued, Launch<V, R> launch) {
    CompletableFuture<@Nullable R> future = new CompletableFuture<>();
    attempt(request, queued, launch, future);
    return future;
  }

  private <R> void attempt(
      LoadRequest<V, R> request,
      boolean queued,
      Launch<V, R> launch,
      CompletableFuture<@Nullable R> future) {
    if (future.isDone()) {
      return;
    }
    ResultKind<V, R> form = request.form();
    R present = form.lookAgain(request.key().hi(), request.key().lo());
    if (present != null) {
      FutureWaiter.give(future, present, form);
      return;
    }
    Runnable again = () -> attempt(request, queued, launch, future);
    for (; ; ) {
      InFlightLoad<V> mine = new InFlightLoad<>(request.key(), new LoadTask(queued, null), queued);
      FutureWaiter<V, R> own = new FutureWaiter<>(flights, form, future, again);
      mine.join(own);
      InFlightLoad<V> other = flights.start(mine);
      if (other == null) {
        launch.launch(mine, request, own);
        return;
      }
      if (other.task.isInside()) {
        future.completeExceptionally(LoadFailures.ownKey(request.key()));
        return;
      }
      if (other.join(new FutureWaiter<>(flights, form, future, again))) {
        return;
      }
    }
  }

  private <R> void run(
      InFlightLoad<V> flight,
      LoadRequest<V, R> request,
      FutureWaiter<V, R> own,
      Executor executor,
      BlockLoader<V> loader) {
    try {
      executor.execute(
          () -> {
            if (flight.claim()) {
              lead(flight, request, own, loader);
            }
          });
    } catch (Throwable e) {
      if (flight.claim()) {
        own.isGuest = false;
        loads.finish(flight, LoadFailures.shared(e, true));
      }
    }
  }

  private <R> void lead(
      InFlightLoad<V> flight,
      LoadRequest<V, R> request,
      FutureWaiter<V, R> own,
      BlockLoader<V> loader) {
    R result = null;
    Throwable failure = null;
    own.lead();
    try {
      result = loads.lead(flight, request, loader);
    } catch (Throwable e) {
      failure = e;
    }
    own.end(flight, result, failure);
  }

  private <R> void call(
      InFlightLoad<V> flight,
      LoadRequest<V, R> request,
      FutureWaiter<V, R> own,
      AsyncBlockLoader<V> loader) {
    long start = System.nanoTime();
    boolean called = false;
    SharedResult<V> shared = SharedResult.again();
    R present = null;
    Throwable thrown = null;
    try {
      own.lead();
      flight.task.enter();
      present = request.form().lookAgain(flight.hi(), flight.lo());
      if (present == null) {
        called = true;
        CompletionStage<? extends @Nullable V> stage =
            Objects.requireNonNull(loader.load(flight.hi(), flight.lo()), "stage must not be null");
        stage.whenComplete((value, failure) -> land(flight, request, own, start, value, failure));
        return;
      }
    } catch (Throwable e) {
      thrown = e;
      if (called) {
        counters.loaded(1, true, start);
        shared = LoadFailures.shared(e, true);
      }
    } finally {
      flight.task.exit();
    }
    try {
      loads.finish(flight, shared, present, request.form());
    } catch (Throwable e) {
      present = null;
      thrown = thrown == null ? e : thrown;
    }
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    own.end(flight, present, thrown);
  }

  private <R> void land(
      InFlightLoad<V> flight,
      LoadRequest<V, R> request,
      FutureWaiter<V, R> own,
      long start,
      @Nullable V value,
      @Nullable Throwable failure) {
    SharedResult<V> shared = SharedResult.again();
    R result = null;
    Throwable thrown = failure;
    LoadTask landing = null;
    try {
      thrown = failure == null ? null : unwrapped(failure);
      landing = new LoadTask(true, null);
      landing.enter();
      counters.loaded(1, thrown != null, start);
      if (thrown != null) {
        shared = LoadFailures.shared(thrown, true);
      } else {
        LoadOutcome<V, R> landed = Loader.land(flight, request, value);
        result = landed.own();
        shared = landed.shared();
      }
    } catch (Throwable e) {
      thrown = e;
      shared = LoadFailures.shared(e, false);
    } finally {
      if (landing != null) {
        landing.exit();
      }
      try {
        loads.finish(flight, shared);
      } finally {
        own.end(flight, result, thrown);
      }
    }
  }

  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
