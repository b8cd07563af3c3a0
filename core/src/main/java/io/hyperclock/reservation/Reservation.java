/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.reservation;

import io.hyperclock.internal.errors.StackReserve;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of one user of a {@link ReservationManager}, such as the arena of one write buffer:
 *
 * <pre>{@code
 * Reservation arena = manager.makeReservation(0);   // once per write buffer
 * arena.allocate(1 << 20);                          // beside each allocation
 * arena.close();                                    // when the buffer is gone
 * }</pre>
 *
 * <p>Thread-safe and lock-free, like its manager. Closing the manager or the cache first is
 * allowed.
 */
public final class Reservation implements AutoCloseable {
  /** What {@link #bytes} is after {@link #close()}. */
  private static final long CLOSED = -1;

  private final ReservationManager manager;
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean covered;

  Reservation(ReservationManager manager, long bytes) {
    this.manager = manager;
    try {
      allocate(bytes);
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  /**
   * Memory of this user.
   *
   * @return bytes, 0 after {@link #close()}
   */
  public long bytes() {
    return Math.max(0, bytes.get());
  }

  /**
   * Whether the whole reservation of the manager was large enough when this part last grew.
   *
   * @return false if strict capacity had refused a part of it
   */
  public boolean isCovered() {
    return covered;
  }

  /**
   * More is used.
   *
   * @param moreBytes bytes, at least 0
   * @return false if strict capacity has refused a part of the manager's reservation; the use is
   *     recorded all the same
   * @throws IllegalStateException if this part or its manager is closed
   */
  public boolean allocate(long moreBytes) {
    ReservationManager.requireBytes("moreBytes", moreBytes);
    manager.requireOpen();
    StackReserve.require();
    change(moreBytes);
    covered = manager.add(moreBytes);
    return covered;
  }

  /**
   * Less is used.
   *
   * @param lessBytes bytes, at least 0 and at most {@link #bytes()}
   * @throws IllegalStateException if this part is closed
   */
  public void free(long lessBytes) {
    ReservationManager.requireBytes("lessBytes", lessBytes);
    StackReserve.require();
    change(-lessBytes);
    manager.subtract(lessBytes);
  }

  private void change(long difference) {
    for (; ; ) {
      long before = bytes.get();
      if (before == CLOSED) {
        throw new IllegalStateException("reservation must not be closed: closed=true");
      }
      long after = before + difference;
      if (after < 0) {
        throw new IllegalArgumentException(
            "lessBytes must be <= bytes: lessBytes=" + -difference + ", bytes=" + before);
      }
      // No thread can change the sum in between, nor after close.
      if (bytes.compareAndSet(before, after)) {
        return;
      }
    }
  }

  /** Gives back all that was not freed. Idempotent. */
  @Override
  public void close() {
    StackReserve.require();
    long left = bytes.getAndSet(CLOSED);
    if (left != CLOSED) {
      manager.subtract(left);
    }
  }
}
