/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.AsyncBlockLoader;
import io.hyperclock.BlockLoader;
import io.hyperclock.entry.Key128;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Loads for futures. */
final class AsyncLoader<V> {
  private final Loader<V> loads;

  AsyncLoader(Loader<V> loads) {
    this.loads = loads;
  }

  <R> CompletableFuture<@Nullable R> load(
      LoadRequest<V, R> request, Executor executor, BlockLoader<? extends V> loader) {
    CompletableFuture<@Nullable R> future = new CompletableFuture<>();
    load(request, executor, loader, future);
    return future;
  }

  /** Completes a future of the caller's. */
  <R> void load(
      LoadRequest<V, R> request,
      Executor executor,
      BlockLoader<? extends V> loader,
      CompletableFuture<@Nullable R> future) {
    attempt(request, true, mine -> mine.run(executor, loader), future);
  }

  <R> CompletableFuture<@Nullable R> load(
      LoadRequest<V, R> request, AsyncBlockLoader<? extends V> loader) {
    CompletableFuture<@Nullable R> future = new CompletableFuture<>();
    attempt(request, false, mine -> mine.call(loader), future);
    return future;
  }

  private <R> void attempt(
      LoadRequest<V, R> request,
      boolean queued,
      Consumer<OwnLoad<R>> launch,
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
      // All that it needs is made before others can see it.
      OwnLoad<R> mine = new OwnLoad<>(request, queued, future, again);
      InFlightLoad<V> other = loads.flights.start(mine.flight);
      if (other == null) {
        launch.accept(mine);
        return;
      }
      if (other.task.isInside()) {
        future.completeExceptionally(LoadFailures.ownKey(request.key()));
        return;
      }
      if (other.join(new FutureWaiter<>(loads.flights, form, future, again))) {
        return;
      }
    }
  }

  /** A flight for a future, which waits for it like others. */
  private final class OwnLoad<R> {
    private final LoadRequest<V, R> request;
    private final InFlightLoad<V> flight;
    private final FutureWaiter<V, R> own;

    OwnLoad(
        LoadRequest<V, R> request,
        boolean queued,
        CompletableFuture<@Nullable R> future,
        Runnable again) {
      this.request = request;
      this.flight = new InFlightLoad<>(request.key(), new LoadTask(queued, null), queued);
      this.own = new FutureWaiter<>(loads.flights, request.form(), future, again);
      flight.join(own);
    }

    void run(Executor executor, BlockLoader<? extends V> loader) {
      try {
        executor.execute(
            () -> {
              if (flight.claim()) {
                lead(loader);
              }
            });
      } catch (Throwable e) {
        if (flight.claim()) {
          own.isGuest = false;
          loads.finish(flight, LoadFailures.shared(e, true));
        }
      }
    }

    private void lead(BlockLoader<? extends V> loader) {
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

    void call(AsyncBlockLoader<? extends V> loader) {
      long start = System.nanoTime();
      boolean called = false;
      SharedResult<V> shared = SharedResult.again();
      R present = null;
      Throwable thrown = null;
      try {
        own.lead();
        flight.task.enter();
        Key128 key = request.key();
        present = request.form().lookAgain(key.hi(), key.lo());
        if (present == null) {
          LoadTask landing = new LoadTask(true, null);
          called = true;
          CompletionStage<? extends @Nullable V> stage =
              Objects.requireNonNull(loader.load(key.hi(), key.lo()), "stage must not be null");
          stage.whenComplete((value, failure) -> land(landing, start, value, failure));
          return;
        }
      } catch (Throwable e) {
        thrown = e;
        if (called) {
          loads.loaded(1, true, start);
          // Not by the flight: a stage that failed here may call back all the same.
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

    private void land(
        LoadTask landing, long start, @Nullable V value, @Nullable Throwable failure) {
      V unlanded = value;
      R result = null;
      Throwable thrown = failure;
      try {
        thrown = failure == null ? null : unwrapped(failure);
        landing.enter();
        loads.loaded(1, thrown != null, start);
        if (thrown != null) {
          flight.outcome = LoadFailures.shared(thrown, true);
        } else {
          unlanded = null;
          result = Loader.land(flight, request, value);
        }
      } catch (Throwable e) {
        thrown = e;
        flight.outcome = LoadFailures.shared(e, false);
        request.dispose(flight.key.hi(), flight.key.lo(), unlanded);
      } finally {
        landing.exit();
        try {
          loads.finish(flight, flight.outcome);
        } finally {
          own.end(flight, result, thrown);
        }
      }
    }
  }

  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
