/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.BlockLoadException;
import io.hyperclock.entry.Key128;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A future that is completed by a flight. */
final class FutureWaiter<V, R> extends Waiter<V> {
  private final InFlightLoads<V> flights;
  private final ResultKind<V, R> form;
  private final CompletableFuture<@Nullable R> future;
  private final Runnable attempt;

  /** Whether its own load has begun; set by the thread that is about to call its loader. */
  private boolean leading;

  /**
   * Waits for a flight.
   *
   * @param attempt starts anew
   */
  FutureWaiter(
      InFlightLoads<V> flights,
      ResultKind<V, R> form,
      CompletableFuture<@Nullable R> future,
      Runnable attempt) {
    super(false);
    this.flights = flights;
    this.form = form;
    this.future = future;
    this.attempt = attempt;
  }

  /**
   * Its own load begins, once: from now on it is not started anew. A result comes by {@link #end},
   * so that its dependents meet no second pin of the thread that has loaded.
   */
  void lead() {
    leading = true;
    isGuest = false;
  }

  /** Takes what its own load came to, or gives that back if other code was faster. */
  void end(InFlightLoad<V> flight, @Nullable R own, @Nullable Throwable failure) {
    LoadTask nested = flight.task.startServing();
    try {
      if (failure != null) {
        fail(flight.key, failure);
      } else {
        give(future, own, form);
      }
    } finally {
      flight.task.stopServing(nested);
    }
  }

  /** An interrupt is not shared, so the flight has not served it to this one either. */
  private void fail(Key128 key, Throwable failure) {
    try {
      boolean isInterrupt = failure instanceof InterruptedException;
      future.completeExceptionally(isInterrupt ? LoadFailures.loadFailed(failure, key) : failure);
    } catch (OutOfMemoryError e) {
      flights.leave(this);
    }
  }

  @Override
  boolean isDone() {
    return future.isDone();
  }

  @Override
  void serve(Key128 key, SharedResult<V> shared) {
    if (shared.isAgain()) {
      startAnew();
    } else if (shared.failure() != null) {
      future.completeExceptionally(LoadFailures.forWaiter(shared, key));
    } else if (!shared.hasResult()) {
      future.complete(null);
    } else if (!leading) {
      complete(key, shared);
    }
  }

  private void complete(Key128 key, SharedResult<V> shared) {
    R result;
    try {
      result = form.share(key, shared);
    } catch (Throwable e) {
      future.completeExceptionally(e);
      return;
    }
    give(future, result, form);
  }

  /** Completes a future, or gives the result back if other code was faster. */
  static <R> void give(
      CompletableFuture<@Nullable R> future, @Nullable R result, ResultKind<?, R> form) {
    if (!future.complete(result) && result != null) {
      form.discard(result);
    }
  }

  @Override
  void fail() {
    future.completeExceptionally(
        new BlockLoadException(
            "there must be memory to serve those who wait for a load",
            new OutOfMemoryError("no memory to complete a future")));
  }

  @Override
  void startAnew() {
    if (leading) {
      return;
    }
    try {
      attempt.run();
    } catch (Throwable e) {
      future.completeExceptionally(e);
    }
  }
}
