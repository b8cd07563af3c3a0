/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The calls to a device that are under way, and since when: one that takes longer than a limit is
 * stalled. No thread watches; those who want to know look at the clock. Thread-safe, without locks.
 *
 * <p>A call is noted in one of {@value #PLACES} places. If all are taken it is not noted: then as
 * many calls are under way already, and if the device hangs it is they who tell.
 */
final class CallWatch {
  private static final int PLACES = 64;
  private static final int NO_PLACE = -1;
  private static final long FREE = 0;

  /** Threads that follow each other are so far apart that they share no cache line. */
  private static final int APART = 9;

  /** Calls that the average is of, about. */
  private static final int SAMPLES = 8;

  /** Changes below the average divided by this are left. */
  private static final int DEAD_BAND = 16;

  /**
   * A sample counts as no more than so many times the average, so that one pause decides nothing.
   */
  private static final int MOST_TIMES = 4;

  private static final long LEAST_BELIEVED_NANOS = 20_000;

  private final String calls;
  private final Duration limit;
  private final long limitNanos;
  private final LongSupplier clock;
  private final long nanosAtStart;
  private final Instant timeAtStart = Instant.now();
  private final AtomicLongArray begins = new AtomicLongArray(PLACES);
  private final LongAdder stalls = new LongAdder();
  private final AtomicBoolean isNotified = new AtomicBoolean();
  private final Consumer<String> onStall;

  /** Until then no call is stalled. */
  private volatile long noneBefore;

  /**
   * Moving average of the time of a call. Written by any thread, and only where it changes by much:
   * lost updates cost nothing but precision.
   */
  private volatile long typicalNanos;

  /**
   * @param calls what they are, in the plural
   * @param clock nanoseconds
   * @param onStall called by the first thread that sees a stall: since when, and with "" when it is
   *     over
   */
  CallWatch(String calls, Duration limit, LongSupplier clock, Consumer<String> onStall) {
    this.onStall = onStall;
    this.clock = clock;
    this.nanosAtStart = clock.getAsLong();
    this.calls = calls;
    this.limit = limit;
    this.limitNanos = Nanos.of(limit);
    this.noneBefore = nanosAtStart;
  }

  /** Notes that a call begins; the result is for {@link #end}. */
  int begin() {
    long now = now();
    int home = (int) Thread.currentThread().getId() * APART;
    for (int i = 0; i < PLACES; i++) {
      int place = home + i & PLACES - 1;
      if (begins.get(place) == FREE && begins.compareAndSet(place, FREE, now)) {
        return place;
      }
    }
    return NO_PLACE;
  }

  /** Notes that it has ended. */
  void end(int place) {
    if (place != NO_PLACE) {
      long took = now() - begins.get(place);
      try {
        if (took > limitNanos) {
          stalls.increment(); // While it has its place: who sees it gone finds it counted.
        }
      } finally {
        begins.set(place, FREE);
      }
      sample(took);
    }
  }

  private void sample(long took) {
    if (took < 0) {
      return; // The clock was set back.
    }
    long typical = typicalNanos;
    long believed = Math.min(took, MOST_TIMES * typical + LEAST_BELIEVED_NANOS);
    long change = (believed - typical) / SAMPLES;
    if (Math.abs(change) * DEAD_BAND > typical) {
      typicalNanos = typical + change;
    }
  }

  /** What a call took lately, on average; 0 if there was none. */
  long typicalNanos() {
    return typicalNanos;
  }

  private long now() {
    long nanos = clock.getAsLong();
    return nanos == FREE ? 1 : nanos;
  }

  /**
   * Whether a call is stalled now. Looks at the calls only when one can be: those that were under
   * way at the last look become so when the oldest of them has lasted for the limit, and those that
   * have begun since not before that.
   */
  boolean isStalled() {
    long now = now();
    if (noneBefore - now > 0) {
      return false;
    }
    long oldest = oldestNanos(now);
    if (oldest > limitNanos) {
      notifyIfChanged(true);
      return true;
    }
    noneBefore = now + limitNanos - oldest;
    notifyIfChanged(false);
    return false;
  }

  private void notifyIfChanged(boolean stalled) {
    if (isNotified.get() != stalled && isNotified.compareAndSet(!stalled, stalled)) {
      onStall.accept(stalled ? fault() : "");
    }
  }

  private long oldestNanos(long now) {
    long oldest = 0;
    for (int place = 0; place < PLACES; place++) {
      long began = begins.get(place);
      oldest = began == FREE ? oldest : Math.max(oldest, now - began);
    }
    return oldest;
  }

  /** How many calls are stalled now. */
  int stalled() {
    return stalled(now());
  }

  private int stalled(long now) {
    int count = 0;
    for (int place = 0; place < PLACES; place++) {
      long began = begins.get(place);
      count += began != FREE && now - began > limitNanos ? 1 : 0;
    }
    return count;
  }

  /** Calls that took longer than the limit, or have by now. */
  long stalls() {
    return stalls.sum() + stalled();
  }

  /** Since when and how many calls are stalled, for people to read; "" if none is. */
  String fault() {
    long now = now();
    long age = oldestNanos(now);
    int count = age > limitNanos ? stalled(now) : 0; // Each may have ended meanwhile.
    return count == 0
        ? ""
        : "%s must end within stallLimit: stallLimit=%s, stalledSince=%s, stalled=%d"
            .formatted(
                calls,
                limit,
                timeAtStart.plusNanos(now - age - nanosAtStart).truncatedTo(ChronoUnit.MILLIS),
                count);
  }
}
