/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.secondary.TierObserver;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.internal.tier.TierIncidentLog;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Reports to an observer, if there is one, and to the log what an operator must see. */
final class Watch {
  private static final System.Logger LOG = System.getLogger(TieredBlockCache.class.getName());

  private final @Nullable TierObserver observer;
  private final long slowNanos;
  private final LongSupplier clock;

  Watch(@Nullable TierObserver observer, Duration slowReadAfter, LongSupplier clock) {
    this.observer = observer;
    this.slowNanos = TimeUnit.NANOSECONDS.convert(slowReadAfter);
    this.clock = clock;
  }

  /** Time of a question, for {@link #answered}. */
  long asked() {
    return observer == null ? 0 : clock.getAsLong();
  }

  void answered(String tier, TierOutcome outcome, long asked) {
    TierObserver present = observer;
    if (present != null) {
      long took = clock.getAsLong() - asked;
      if (took > slowNanos) {
        notifyObserver(() -> present.onSlowRead(tier, outcome, Duration.ofNanos(took)));
      }
    }
  }

  /** A tier did not answer in time. Throws nothing: who tells of it is to go on without it. */
  void timedOut(TierIncidentLog timeouts, String tier, Duration limit, long asked) {
    try {
      timeouts.report("tierTimeout=" + limit, null);
      answered(tier, TierOutcome.TIMED_OUT, asked);
    } catch (Throwable noMemory) {
      // It is not told.
    }
  }

  void dropped(long hi, long lo, EntryRole role, long chargeBytes) {
    TierObserver present = observer;
    if (present != null) {
      notifyObserver(() -> present.onDemotionDropped(hi, lo, role, chargeBytes));
    }
  }

  /** A tier did not end in time. */
  void closesLate(String tier, Duration waited) {
    warn(
        "close of a tier has not returned and goes on without the cache",
        tier + ", tierTimeout=" + waited);
    TierObserver present = observer;
    if (present != null) {
      notifyObserver(() -> present.onCloseTimeout(tier, waited));
    }
  }

  /** Counts what a tier does against its contract. */
  TierIncidentLog failures(String tier) {
    return new TierIncidentLog(LOG, "a tier failed: tier=" + tier);
  }

  /** Counts waits for a tier that were in vain. */
  TierIncidentLog timeouts(String tier) {
    return new TierIncidentLog(LOG, "a tier did not answer in time: tier=" + tier);
  }

  /** An erase has failed. */
  void banned(String tier) {
    warn(
        "a tier is not used any more, because an erase has failed and it may hold outdated values",
        tier);
  }

  /** A tier may hold what was overwritten or erased. */
  void closesEmpty(String tier) {
    warn(
        "a tier is emptied before it is closed, because an erase has failed or an insert has not"
            + " returned",
        tier);
  }

  /** Throws nothing. */
  private static void warn(String what, String tier) {
    try {
      LOG.log(System.Logger.Level.WARNING, what + ": tier=" + tier);
    } catch (Throwable ignored) {
      // Of a logger that fails nothing can be said anywhere.
    }
  }

  private static void notifyObserver(Runnable message) {
    try {
      message.run();
    } catch (Throwable ignored) {
      // What an observer throws is its own affair.
    }
  }
}
