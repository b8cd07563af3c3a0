/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the keys of a restart list in the background, one after the other, within a rate.
 *
 * <p>Each read is due when those before it have had their time: bytes / rate. Time that was not
 * used is forgotten but for {@value #SLACK_NANOS} ns of it, so a clock that jumps forward, or a
 * slow read, brings no burst. One that jumps back delays by the time of one read.
 */
final class WarmUp implements Runnable {
  /** What a read counts at least. */
  static final long LEAST_BYTES = 4 << 10;

  /** What {@link Reads} says when the primary is full. */
  static final long FULL = -1;

  /** What {@link #step} says at the end. */
  static final long ENDED = -1;

  private static final long SLACK_NANOS = 10_000_000;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Reads one key into the primary. */
  interface Reads {
    /** The charge of the entry, 0 if there is none, or {@link #FULL}. */
    long read(long hi, long lo, int type);
  }

  private final RestartKeys keys;
  private final Reads reads;
  private final long bytesPerSecond;
  private final LongSupplier clock;
  private volatile int next;
  private volatile boolean cancelled;
  private long due;
  private long lastCost;

  WarmUp(RestartKeys keys, Reads reads, long bytesPerSecond, LongSupplier clock) {
    this.keys = keys;
    this.reads = reads;
    this.bytesPerSecond = bytesPerSecond;
    this.clock = clock;
    this.due = clock.getAsLong();
  }

  /** Starts a thread for it; null if there is none to be had, or nothing to read. */
  static @Nullable Thread start(WarmUp warmUp) {
    if (warmUp.keys.size() == 0) {
      return null;
    }
    try {
      Thread thread = new Thread(warmUp, "hyperclock-warm-up");
      thread.setDaemon(true);
      thread.start();
      return thread;
    } catch (OutOfMemoryError noThread) {
      return null;
    }
  }

  @Override
  public void run() {
    for (long wait = step(); wait != ENDED; wait = step()) {
      if (wait > 0) {
        LockSupport.parkNanos(this, wait);
      }
    }
  }

  /**
   * Reads the next key if it is due.
   *
   * @return nanoseconds until the next is due, or {@link #ENDED}
   */
  long step() {
    if (cancelled || next >= keys.size()) {
      return ENDED;
    }
    long now = clock.getAsLong();
    if (due - now > lastCost) {
      due = now + lastCost;
    }
    if (due - now > 0) {
      return due - now;
    }
    int at = next;
    long bytes = reads.read(keys.hi(at), keys.lo(at), keys.type(at));
    if (bytes == FULL) {
      cancelled = true;
      return ENDED;
    }
    next = at + 1;
    lastCost = (long) Math.ceil(Math.max(bytes, LEAST_BYTES) * NANOS_PER_SECOND / bytesPerSecond);
    due = Math.max(due, now - SLACK_NANOS) + lastCost;
    return 0;
  }

  /** Lets the read under way be the last. */
  void cancel() {
    cancelled = true;
  }

  /** Adds the keys that have not been read, for the list of the next start. */
  void addRest(RestartKeys to, int most) {
    for (int i = next; i < keys.size() && to.size() < most; i++) {
      to.add(keys.hi(i), keys.lo(i), keys.type(i));
    }
  }
}
