/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

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

  private final String calls;
  private final Duration limit;
  private final long limitNanos;
  private final long nanosAtStart = System.nanoTime();
  private final Instant timeAtStart = Instant.now();
  private final AtomicLongArray begins = new AtomicLongArray(PLACES);
  private final LongAdder stalls = new LongAdder();

  /**
   * @param calls what they are, in the plural
   */
  CallWatch(String calls, Duration limit) {
    this.calls = calls;
    this.limit = limit;
    this.limitNanos = Nanos.of(limit);
  }

  /** Notes that a call begins; the result is for {@link #end}. */
  int begin() {
    long now = now();
    int home = (int) Thread.currentThread().getId();
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
      long began = begins.getAndSet(place, FREE);
      if (now() - began > limitNanos) {
        stalls.increment();
      }
    }
  }

  private static long now() {
    long nanos = System.nanoTime();
    return nanos == FREE ? 1 : nanos;
  }

  /** Whether a call is stalled now. */
  boolean isStalled() {
    return stalled() > 0;
  }

  /** How many calls are stalled now. */
  int stalled() {
    int count = 0;
    long now = 0;
    for (int place = 0; place < PLACES; place++) {
      long began = begins.get(place);
      if (began != FREE) {
        now = now == 0 ? now() : now;
        count += now - began > limitNanos ? 1 : 0;
      }
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
    long age = 0;
    int count = 0;
    for (int place = 0; place < PLACES; place++) {
      long began = begins.get(place);
      if (began != FREE && now - began > limitNanos) {
        count++;
        age = Math.max(age, now - began);
      }
    }
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
