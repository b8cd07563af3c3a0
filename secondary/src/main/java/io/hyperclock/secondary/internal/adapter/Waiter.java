/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.Handle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One lookup's claim to a handle: it takes one, or is given up and lets none be lost. */
final class Waiter {
  final CompletableFuture<@Nullable Handle<Object>> outcome = new CompletableFuture<>();
  private final AtomicBoolean taken = new AtomicBoolean();
  private volatile @Nullable Flight flight;

  void follow(Flight leading) {
    flight = leading;
  }

  boolean isDone() {
    return outcome.isDone();
  }

  /** Hands a handle over, or gives it back if nobody wants it any more. */
  boolean complete(@Nullable Handle<Object> handle) {
    boolean wanted = outcome.complete(handle);
    if (!wanted && handle != null) {
      handle.release(false, false);
    }
    return wanted;
  }

  /** Waits until done or out of time, doing the work that is there to be done. */
  void await(long deadlineNanos, boolean limited) {
    boolean interrupted = false;
    while (!outcome.isDone()) {
      long left = limited ? deadlineNanos - System.nanoTime() : Long.MAX_VALUE;
      if (left <= 0) {
        break;
      }
      try {
        Flight leading = flight;
        if (leading == null || !leading.help(left)) {
          waitFor(outcome, left);
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for a future, however it ends. */
  static void waitFor(CompletableFuture<?> future, long nanos) throws InterruptedException {
    try {
      future.get(nanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException | java.util.concurrent.CancellationException e) {
      return;
    }
  }

  /** The handle, which is the caller's from now on. */
  @Nullable Handle<Object> take() {
    taken.set(true);
    try {
      return outcome.getNow(null);
    } catch (CompletionException | java.util.concurrent.CancellationException endedByUser) {
      return null;
    }
  }

  /** Ends the wait without a handle, unless there is one. */
  void expire() {
    outcome.complete(null);
  }

  /** Gives back what nobody has taken. */
  void abandon() {
    expire();
    if (taken.compareAndSet(false, true)) {
      Handle<Object> handle = take();
      if (handle != null) {
        handle.release(false, false);
      }
    }
  }
}
