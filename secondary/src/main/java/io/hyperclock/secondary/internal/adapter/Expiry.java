/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends what flights wait for once it has taken too long. A thread that waits for a flight sees to
 * that by itself; for the flights that no thread waits for there is one timer task at a time for
 * the whole cache, and none while nothing is under way.
 *
 * <p>No limit is shorter than that of one answer, so a task that is set for no later than that is
 * early enough for all that begin meanwhile. A flight pays one volatile read for it.
 *
 * <p><b>No flight is missed.</b> A flight publishes its step, or who joins it the end of its time
 * (both volatile), and then reads {@link #scheduled}; the task clears {@link #scheduled} and then
 * reads the steps of all flights. Both are volatile, so in the one order of all such accesses at
 * least one of them sees the other's write.
 */
final class Expiry {
  /** From here on a limit is none. */
  private static final Duration NEVER = Duration.ofNanos(Long.MAX_VALUE >> 2);

  private static final long NONE = Long.MAX_VALUE;

  /** For threads that do the work late on a busy machine. */
  private static final long GRACE_NANOS = Duration.ofSeconds(3).toNanos();

  private final InFlightTable registry;
  private final Executor executor;
  private final long limitNanos;
  private final LongSupplier clock;
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private volatile @Nullable CompletableFuture<Void> timer;
  private volatile boolean closed;

  Expiry(InFlightTable registry, Executor executor, Duration limit) {
    this(registry, executor, limit, System::nanoTime);
  }

  /** With a clock for what is over; the timer goes by the system's. */
  Expiry(InFlightTable registry, Executor executor, Duration limit, LongSupplier clock) {
    this.registry = registry;
    this.executor = executor;
    this.limitNanos = nanos(limit);
    this.clock = clock;
  }

  /** A limit in nanoseconds, {@code Long.MAX_VALUE} for none. */
  static long nanos(Duration limit) {
    return limit.compareTo(NEVER) < 0 ? limit.toNanos() : NONE;
  }

  boolean hasLimit() {
    return limitNanos != NONE;
  }

  /** When a step that begins now is over. */
  long deadline() {
    return clock.getAsLong() + limitNanos;
  }

  /** How long a step still has. */
  long leftNanos(long deadline) {
    return hasLimit() ? deadline - clock.getAsLong() : NONE;
  }

  /** For how long a thread waits for so many steps in turn, each of them made a little late. */
  long patienceNanos(int steps) {
    long most = (NONE - GRACE_NANOS) / steps;
    return hasLimit() && limitNanos < most ? limitNanos * steps + GRACE_NANOS : NONE;
  }

  /** When all steps of a read of so many tiers are over, if the first is over then. */
  long lastDeadline(long first, int tiers) {
    return first + Math.min(patienceNanos(tiers + 1), NONE >> 1);
  }

  /**
   * After a flight has published a step, or a lookup has joined it. Throws nothing: where the timer
   * cannot be set, for lack of memory or of a thread, the next step sets it.
   */
  void watch() {
    if (hasLimit() && !scheduled.get() && scheduled.compareAndSet(false, true)) {
      schedule(limitNanos);
    }
  }

  private void schedule(long nanos) {
    try {
      CompletableFuture<Void> next = new CompletableFuture<>();
      timer = next;
      next.thenRun(() -> runSomewhere(this::expire));
      next.completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS);
      if (closed) {
        next.cancel(false);
      }
    } catch (Throwable noTimer) {
      scheduled.set(false);
    }
  }

  /** Lets the JDK's timer go of this cache, whose flights wait for nothing any more. */
  void close() {
    closed = true;
    CompletableFuture<Void> last = timer;
    if (last != null) {
      last.cancel(false);
    }
  }

  /** On this thread only if the executor refuses the task. */
  void runSomewhere(Runnable task) {
    try {
      executor.execute(task);
    } catch (Throwable refused) {
      task.run();
    }
  }

  /** What the timer does. */
  void expire() {
    long left = NONE;
    try {
      left = expireOver();
    } finally {
      if (left != NONE) {
        schedule(Math.min(left, limitNanos));
      } else {
        scheduled.set(false);
        if (registry.flights().stream().anyMatch(TierRead::isPending)) {
          watch();
        }
      }
    }
  }

  /** Ends what is over; says how long the first of the others has left. */
  private long expireOver() {
    long least = NONE;
    for (TierRead flight : registry.flights()) {
      if (flight.isPending()) {
        long left = flight.leftNanos();
        if (left <= 0) {
          runSomewhere(flight::expire);
        } else {
          least = Math.min(least, left);
        }
      }
    }
    return least;
  }
}
