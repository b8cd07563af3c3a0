/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.CapacityExceededException;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Faults that are injected on purpose, if they are turned on. Thread-safe. */
final class Mishaps {
  private static final long ONE_MILLI = 1_000_000;

  private final boolean on;
  private final Counts counts;
  private final long seed;
  private final AtomicLong streams = new AtomicLong();

  Mishaps(boolean on, long seed, Counts counts) {
    this.on = on;
    this.seed = seed;
    this.counts = counts;
  }

  /** An exception thrown on purpose. */
  static final class Mishap extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Mishap(String where) {
      super("injected: " + where, null, false, false);
    }
  }

  /** An error thrown on purpose. */
  static final class MishapError extends OutOfMemoryError {
    private static final long serialVersionUID = 1L;

    MishapError(String where) {
      super("injected: " + where);
    }
  }

  /** A checked exception thrown on purpose. */
  static final class MishapException extends IOException {
    private static final long serialVersionUID = 1L;

    MishapException(String where) {
      super("injected: " + where);
    }
  }

  boolean on() {
    return on;
  }

  /** Random numbers for code that may run on any thread. */
  SplittableRandom random() {
    return new SplittableRandom(seed + 0x9E3779B97F4A7C15L * streams.incrementAndGet());
  }

  /** Whether a fault is to happen, with odds of one in so many. Counts it. */
  boolean strikes(SplittableRandom random, int oneIn) {
    boolean strikes = on && random.nextInt(oneIn) == 0;
    if (strikes) {
      counts.faults.increment();
    }
    return strikes;
  }

  /** Throws with odds of one in so many. */
  void throwOneIn(int oneIn, SplittableRandom random, String where) {
    if (strikes(random, oneIn)) {
      throw new Mishap(where);
    }
  }

  /** Takes a moment with odds of one in so many, rarely a long one. */
  void delayOneIn(int oneIn, SplittableRandom random) {
    if (strikes(random, oneIn)) {
      long nanos = random.nextLong(random.nextInt(50) == 0 ? 50 * ONE_MILLI : ONE_MILLI);
      LockSupport.parkNanos(nanos);
    }
  }

  /**
   * Whether an operation may end so.
   *
   * @param thrown what it threw
   * @param closing whether its cache is being closed, or closed
   * @return false if something is wrong
   */
  static boolean isExpected(Throwable thrown, boolean closing) {
    for (@Nullable Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof Mishap
          || cause instanceof MishapError
          || cause instanceof MishapException
          || cause instanceof CapacityExceededException
          || cause instanceof InterruptedException
          || cause instanceof CancellationException
          || (closing && cause instanceof IllegalStateException)) {
        return true;
      }
    }
    return false;
  }
}
