/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.secondary.TierState;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes a line when the state of a tier has changed, at most one in a second: of a state that goes
 * to and fro the lines in between are left out and counted, and the last one is written. Lines are
 * written on the threads of the line, because a logger may block. Thread-safe.
 */
final class StateLog {
  static final Duration INTERVAL = Duration.ofSeconds(1);

  private final String tier;
  private final System.Logger logger;
  private final RequestWindow line;

  /** What was written last, or is being written: mode and type of the cause. Guarded by this. */
  private String last;

  private @Nullable Long lastNanos;
  private boolean waits;
  private int leftOut;

  StateLog(String tier, System.Logger logger, RequestWindow line) {
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
      if (waits) {
        leftOut++;
        return;
      }
      long since = lastNanos == null ? Long.MAX_VALUE : now - lastNanos;
      if (since < INTERVAL.toNanos()) {
        waits = true;
        leftOut++;
        line.after(INTERVAL.minusNanos(since), () -> waited(of));
        return;
      }
      last = key(state);
      lastNanos = now;
      skipped = leftOut;
      leftOut = 0;
    }
    line.soon(() -> write(state, skipped));
  }

  private void waited(Supplier<TierState> of) {
    synchronized (this) {
      waits = false;
      leftOut = Math.max(0, leftOut - 1); // The one that may be written now.
    }
    note(of);
  }

  private void write(TierState state, int skipped) {
    boolean open = state.mode() == TierState.Mode.OPEN;
    String more = skipped == 0 ? "" : ", changes left out=" + skipped;
    String text =
        "tier=" + tier + ", state=" + state.mode() + (open ? "" : ", " + state.reason()) + more;
    try {
      logger.log(open ? System.Logger.Level.INFO : System.Logger.Level.WARNING, text);
    } catch (RuntimeException e) {
      return; // Of a logger that fails nothing can be said anywhere.
    }
  }
}
