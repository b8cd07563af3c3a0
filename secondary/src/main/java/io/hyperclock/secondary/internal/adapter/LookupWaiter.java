/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.Handle;
import io.hyperclock.secondary.internal.tier.FutureWaits;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One lookup's claim to a handle: it takes one, or is given up and lets none be lost. */
final class LookupWaiter {
  private enum Fate {
    OPEN,
    TAKEN,
    GIVEN_UP
  }

  final CompletableFuture<@Nullable Handle<Object>> outcome = new CompletableFuture<>();
  private final AtomicReference<Fate> fate = new AtomicReference<>(Fate.OPEN);
  private volatile @Nullable TierRead flight;

  void follow(TierRead leading) {
    flight = leading;
  }

  /** It follows a read that another lookup has begun. */
  void joined() {
    TierRead leading = flight;
    if (leading != null) {
      leading.joined();
    }
  }

  boolean isDone() {
    return outcome.isDone();
  }

  /** Hands a handle over, or gives it back if no caller wants it any more. */
  void complete(@Nullable Handle<Object> handle) {
    if (!outcome.complete(handle) && handle != null) {
      handle.discard();
    }
  }

  /**
   * Waits until done or out of time, doing the work that is there to be done. Without a deadline
   * the wait ends by the limit of each tier; and if the thread that asks a tier does not come back
   * from it, without an outcome, when the limits of all tiers have passed.
   */
  void await(long deadlineNanos, boolean limited) {
    boolean interrupted = false;
    long begin = outcome.isDone() ? 0 : System.nanoTime();
    while (!outcome.isDone()) {
      long left = limited ? deadlineNanos - System.nanoTime() : patienceNanos(begin);
      if (left <= 0) {
        if (!limited) {
          expire();
        }
        break;
      }
      try {
        TierRead leading = flight;
        if (leading == null || !leading.help(outcome, left)) {
          FutureWaits.waitFor(outcome, left);
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Leaves to a session what follows the answer of a tier. */
  void mark(HelpSession session) {
    TierRead leading = flight;
    if (leading != null && !outcome.isDone()) {
      leading.mark(session);
    }
  }

  /** Does the work of a tier that no thread does yet, if there is any. */
  void help(HelpSession session) {
    TierRead leading = flight;
    if (leading != null && !outcome.isDone()) {
      leading.help(session);
    }
  }

  private long patienceNanos(long begin) {
    TierRead leading = flight;
    long all = leading == null ? Long.MAX_VALUE : leading.patienceNanos();
    return all == Long.MAX_VALUE ? all : all - (System.nanoTime() - begin);
  }

  /** Waits for one of two futures, however it ends. */
  static void waitForEither(CompletableFuture<?> one, CompletableFuture<?> other, long nanos)
      throws InterruptedException {
    if (!one.isDone() && !other.isDone()) {
      FutureWaits.waitFor(CompletableFuture.anyOf(one, other), nanos);
    }
  }

  /** The handle, which is the caller's from now on; null if there is none or it was given up. */
  @Nullable Handle<Object> take() {
    return claim(Fate.TAKEN) ? handle() : null;
  }

  /** The outcome, which is the caller's from now on. */
  CompletableFuture<@Nullable Handle<Object>> takeFuture() {
    return claim(Fate.TAKEN) ? outcome : CompletableFuture.completedFuture(null);
  }

  private boolean claim(Fate wanted) {
    return fate.compareAndSet(Fate.OPEN, wanted) || fate.get() == wanted;
  }

  private @Nullable Handle<Object> handle() {
    try {
      return outcome.getNow(null);
    } catch (CompletionException | CancellationException endedByUser) {
      return null;
    }
  }

  /** Whether the user has the future, whose dependents may be foreign code. */
  boolean isTaken() {
    return fate.get() == Fate.TAKEN;
  }

  /** Ends the wait without a handle, unless there is one. */
  void expire() {
    outcome.complete(null);
  }

  /** Gives back a handle that no caller has taken, now or when it arrives. */
  void abandon() {
    expire();
    forget();
  }

  /** As {@link #abandon}, unless the user has the future. */
  void forget() {
    if (fate.compareAndSet(Fate.OPEN, Fate.GIVEN_UP)) {
      expire();
      Handle<Object> handle = handle();
      if (handle != null) {
        handle.discard();
      }
    }
  }
}
