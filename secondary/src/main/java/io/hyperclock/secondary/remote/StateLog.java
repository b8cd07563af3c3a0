/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.secondary.TierState;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes a line when the state of a tier has changed, at most one in a second: of a state that goes
 * to and fro the lines in between are left out and counted, and the last one is written. Lines are
 * written on the threads of the line, because a logger may block; one at a time, so that the other
 * thread stays free for time limits and probes. Thread-safe.
 */
final class StateLog {
  static final Duration INTERVAL = Duration.ofSeconds(1);

  /** Runs tasks on threads of its own. */
  interface Line {
    /** After a while; null if it is closed. */
    @Nullable Future<?> after(Duration delay, Runnable task);

    /** As soon as it can. */
    void soon(Runnable task);
  }

  private final String tier;
  private final System.Logger logger;
  private final Line line;

  /** What was written last, or is being written: mode and type of the cause. Guarded by this. */
  private String last;

  private @Nullable Long lastNanos;
  private boolean isWriting;

  /** Whether the state is looked at again, after a while or when the logger returns. */
  private boolean waits;

  private int leftOut;

  StateLog(String tier, System.Logger logger, Line line) {
    this.tier = tier;
    this.logger = logger;
    this.line = line;
    this.last = key(TierState.OPEN);
  }

  private static String key(TierState state) {
    TierState.Cause cause = state.cause();
    return state.mode() + "/" + (cause == null ? "" : cause.type());
  }

  /** The state may have changed. */
  void note(Supplier<TierState> of) {
    TierState state = of.get();
    int skipped;
    synchronized (this) {
      long now = System.nanoTime();
      if (key(state).equals(last)) {
        return;
      }
      if (waits || isWriting) {
        waits = true;
        leftOut++;
        return;
      }
      long since = lastNanos == null ? Long.MAX_VALUE : now - lastNanos;
      if (since < INTERVAL.toNanos()) {
        waits = true;
        leftOut++;
        try {
          line.after(INTERVAL.minusNanos(since), () -> waited(of));
        } catch (Throwable e) {
          waits = false; // The next change tries again.
          leftOut--;
          throw e;
        }
        return;
      }
      isWriting = true;
      last = key(state);
      lastNanos = now;
      skipped = leftOut;
      leftOut = 0;
    }
    try {
      line.soon(() -> write(of, state, skipped));
    } catch (Throwable e) {
      written(of);
      throw e;
    }
  }

  private void waited(Supplier<TierState> of) {
    synchronized (this) {
      waits = false;
      leftOut = Math.max(0, leftOut - 1); // The one that may be written now.
    }
    note(of);
  }

  private void written(Supplier<TierState> of) {
    boolean again;
    synchronized (this) {
      isWriting = false;
      again = waits;
    }
    if (again) {
      waited(of);
    }
  }

  private void write(Supplier<TierState> of, TierState state, int skipped) {
    try {
      boolean open = state.mode() == TierState.Mode.OPEN;
      String more = skipped == 0 ? "" : ", changes left out=" + skipped;
      String text =
          "tier=" + tier + ", state=" + state.mode() + (open ? "" : ", " + state.reason()) + more;
      logger.log(open ? System.Logger.Level.INFO : System.Logger.Level.WARNING, text);
    } catch (Throwable e) {
      // Of a logger that fails nothing can be said anywhere.
    } finally {
      written(of);
    }
  }
}
