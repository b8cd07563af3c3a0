/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.interleaving;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One of the threads of a run. */
record RunThread(Schedules schedules, int thread) {
  private static final ThreadLocal<RunThread> SELF = new ThreadLocal<>();

  /** The calling thread as one of a run, or null. */
  static @Nullable RunThread self() {
    return SELF.get();
  }

  /** The calling thread is one of a run from here on. */
  static void begin(RunThread self) {
    SELF.set(self);
  }

  /** The calling thread is none any more. */
  static void end() {
    SELF.remove();
  }

  /** What a look says during which the calling thread is none of a run. */
  static boolean unseen(BooleanSupplier look) {
    RunThread self = SELF.get();
    SELF.remove();
    try {
      return look.getAsBoolean();
    } finally {
      if (self != null) {
        SELF.set(self);
      }
    }
  }
}
