/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A future that is completed by a flight. */
final class FutureWaiter<V, R> extends Waiter<V> {
  private final Form<V, R> form;
  private final CompletableFuture<@Nullable R> future;
  private final boolean guest;
  private final Runnable attempt;

  /**
   * Waits for a flight.
   *
   * @param guest false if the flight was begun for it
   * @param attempt starts anew
   */
  FutureWaiter(
      Form<V, R> form, CompletableFuture<@Nullable R> future, boolean guest, Runnable attempt) {
    this.form = form;
    this.future = future;
    this.guest = guest;
    this.attempt = attempt;
  }

  @Override
  boolean isThread() {
    return false;
  }

  @Override
  boolean isGuest() {
    return guest;
  }

  @Override
  void serve(Flight<V> flight, Shared<V> shared) {
    if (future.isDone()) {
      return;
    }
    if (shared.isAgain()) {
      startAnew();
    } else if (shared.isFailure()) {
      future.completeExceptionally(Failures.forWaiter(shared, flight.key));
    } else if (!shared.hasResult()) {
      future.complete(null);
    } else {
      complete(flight, shared);
    }
  }

  private void complete(Flight<V> flight, Shared<V> shared) {
    R result;
    try {
      result = form.share(flight, shared);
    } catch (Throwable e) {
      future.completeExceptionally(e);
      return;
    }
    give(future, result, form);
  }

  /** Completes a future, or gives the result back if somebody else was faster. */
  static <R> void give(CompletableFuture<@Nullable R> future, R result, Form<?, R> form) {
    if (!future.complete(result)) {
      form.discard(result);
    }
  }

  @Override
  void startAnew() {
    try {
      attempt.run();
    } catch (Throwable e) {
      future.completeExceptionally(e);
    }
  }
}
