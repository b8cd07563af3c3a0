/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.metrics;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.secondary.TierObserver;
import io.hyperclock.secondary.TierOutcome;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * Writes dropped values, slow tiers and tiers that do not end into the recordings of the JDK's
 * flight recorder, as events {@code hyperclock.DemotionsDropped}, {@code hyperclock.SlowTier} and
 * {@code hyperclock.TierCloseTimeout}. Drops come in crowds: the first is written at once, those of
 * the next second together with the first one after it.
 *
 * <p>Without a recording nothing is written, and drops are only counted. Thread-safe.
 */
public final class TierJfrEvents implements TierObserver {
  private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

  private final String name;
  private final LongSupplier nanoClock;
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong droppedBytes = new AtomicLong();
  private final AtomicLong lastNanos;

  TierJfrEvents(String name, LongSupplier nanoClock) {
    this.name = name;
    this.nanoClock = nanoClock;
    this.lastNanos = new AtomicLong(nanoClock.getAsLong() - INTERVAL_NANOS);
  }

  /**
   * Events of one cache.
   *
   * @param name goes into the field {@code cache} of each event
   * @return an observer for one cache
   */
  public static TierJfrEvents named(String name) {
    return new TierJfrEvents(
        Objects.requireNonNull(name, "name must not be null"), System::nanoTime);
  }

  @Override
  public void onDemotionDropped(long keyHi, long keyLo, EntryRole role, long chargeBytes) {
    dropped.incrementAndGet();
    droppedBytes.addAndGet(chargeBytes);
    long now = nanoClock.getAsLong();
    long last = lastNanos.get();
    if (now - last >= INTERVAL_NANOS && lastNanos.compareAndSet(last, now)) {
      DemotionsDropped event = new DemotionsDropped();
      event.cache = name;
      event.values = dropped.getAndSet(0);
      event.chargeBytes = droppedBytes.getAndSet(0);
      event.lastRole = role.name();
      event.commit();
    }
  }

  @Override
  public void onSlowRead(String tier, TierOutcome outcome, Duration took) {
    SlowTier event = new SlowTier();
    event.cache = name;
    event.tier = tier;
    event.outcome = outcome.name();
    event.took = took.toNanos();
    event.commit();
  }

  @Override
  public void onCloseTimeout(String tier, Duration waited) {
    TierCloseTimeout event = new TierCloseTimeout();
    event.cache = name;
    event.tier = tier;
    event.waited = waited.toNanos();
    event.commit();
  }

  @Name("hyperclock.DemotionsDropped")
  @Label("Demotions Dropped")
  @Description("Evicted values dropped because too many were on their way to a tier")
  @Category("HyperClock")
  @StackTrace(false)
  static final class DemotionsDropped extends Event {
    String cache = "";
    long values;
    @DataAmount long chargeBytes;
    String lastRole = "";
  }

  @Name("hyperclock.TierCloseTimeout")
  @Label("Tier Close Timeout")
  @Description("The close of a tier did not return in time and goes on without the cache")
  @Category("HyperClock")
  @StackTrace(false)
  static final class TierCloseTimeout extends Event {
    String cache = "";
    String tier = "";
    @Timespan long waited;
  }

  @Name("hyperclock.SlowTier")
  @Label("Slow Tier")
  @Description("A tier took long for an answer")
  @Category("HyperClock")
  @StackTrace(false)
  static final class SlowTier extends Event {
    String cache = "";
    String tier = "";
    String outcome = "";
    @Timespan long took;
  }
}
