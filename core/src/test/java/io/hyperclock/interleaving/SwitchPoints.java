/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.interleaving;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What woven code calls where turns may change: before each access of what threads share, and
 * instead of parking, unparking and spinning. For threads that are not of a run nothing changes.
 */
public final class SwitchPoints {
  private SwitchPoints() {}

  /** Before an access of shared state. */
  public static void access() {
    RunThread self = RunThread.self();
    if (self != null) {
      self.schedules().access(self.thread());
    }
  }

  /** A look of a test's own: no turns change in it. */
  public static boolean unseen(BooleanSupplier look) {
    return RunThread.unseen(look);
  }

  /** For {@link Thread#onSpinWait}. */
  public static void onSpinWait() {
    RunThread self = RunThread.self();
    if (self == null) {
      Thread.onSpinWait();
    } else {
      self.schedules().pause(self.thread());
    }
  }

  /** For {@link Thread#yield}. */
  public static void yield() {
    onSpinWait();
  }

  /** For {@link LockSupport#park(Object)}. */
  public static void park(@Nullable Object blocker) {
    RunThread self = RunThread.self();
    if (self == null) {
      LockSupport.park(blocker);
    } else {
      self.schedules().park(self.thread());
    }
  }

  /** For {@link LockSupport#parkNanos(Object, long)}: its time may pass at once. */
  public static void parkNanos(@Nullable Object blocker, long nanos) {
    RunThread self = RunThread.self();
    if (self == null) {
      LockSupport.parkNanos(blocker, nanos);
    } else {
      self.schedules().pause(self.thread());
    }
  }

  /** For {@link LockSupport#unpark}. */
  public static void unpark(Thread thread) {
    RunThread self = RunThread.self();
    if (self == null || !self.schedules().unpark(self.thread(), thread)) {
      LockSupport.unpark(thread);
    }
  }

  /** Interrupts a thread, which goes on if it is parked; tests call it. */
  public static void interrupt(Thread thread) {
    thread.interrupt();
    unpark(thread);
  }
}
