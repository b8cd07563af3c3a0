/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import io.hyperclock.BlockCache;
import io.hyperclock.CacheObserver;
import io.hyperclock.LeakDetection;
import io.hyperclock.OpenHandle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.table.CapacityEnforcer.SweepWatch;
import io.hyperclock.internal.table.CapacityLedger;
import io.hyperclock.stats.Problem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells the user's observer what happens, and keeps its exceptions away from the cache. */
public final class ObserverNotifier implements SweepWatch {
  private static final long LONG_SWEEP_NANOS = CacheObserver.LONG_SWEEP.toNanos();

  private final @Nullable CacheObserver observer;
  private final @Nullable HandleTracker tracker;
  private final IncidentLog failures;
  private final IncidentLog problems = new IncidentLog("a setting costs capacity or speed");
  private final AtomicBoolean closing = new AtomicBoolean();

  /**
   * Settings of the builder.
   *
   * @param observer the observer, or null
   * @param leakDetection which handles and read scopes are tracked
   * @param longPinAfter when a tracked one counts as open for long
   */
  public record Settings(
      @Nullable CacheObserver observer, LeakDetection leakDetection, Duration longPinAfter) {}

  ObserverNotifier(Settings settings, IncidentLog failures, IncidentLog doubleCloses) {
    this.observer = settings.observer();
    this.failures = failures;
    this.tracker =
        settings.leakDetection().oneIn() == 0
            ? null
            : new HandleTracker(settings, this, doubleCloses, System::nanoTime);
    if (observer != null) {
      failures.forwardTo(observer::onCallbackFailure);
    }
  }

  @Nullable HandleTracker tracker() {
    return tracker;
  }

  /** What charging needs to know, null without an observer. */
  @Nullable SweepWatch sweepWatch() {
    return observer == null ? null : this;
  }

  private void tell(String event, Consumer<CacheObserver> message) {
    if (observer != null) {
      try {
        message.accept(observer);
      } catch (Throwable e) {
        failures.report("observer of", event, e);
      }
    }
  }

  void opened(BlockCache<?> cache) {
    tell("opening", to -> to.onOpen(cache));
  }

  void closing(BlockCache<?> cache) {
    if (closing.compareAndSet(false, true)) {
      look();
      tell("closing", to -> to.onClose(cache));
    }
  }

  @Override
  public boolean isOn() {
    try {
      return observer != null && observer.observesSweeps();
    } catch (Throwable e) {
      failures.report("observer of", "sweeps", e);
      return false;
    }
  }

  @Override
  public void swept(EvictionRequest request, long nanos) {
    if (nanos >= LONG_SWEEP_NANOS || request.looks() >= CacheObserver.LONG_SWEEP_SLOTS) {
      CacheObserver.Sweep sweep =
          new CacheObserver.Sweep(
              Duration.ofNanos(nanos),
              request.looks(),
              request.pinnedSeen(),
              request.freedEntries(),
              request.freedBytes(),
              request.isEffortExceeded());
      tell("long sweep", to -> to.onLongSweep(sweep));
    }
  }

  void refused(long hi, long lo, EntryType<?> type, long charge, CapacityLedger ledger) {
    if (observer != null) {
      CacheObserver.Refusal refusal =
          new CacheObserver.Refusal(hi, lo, type, charge, ledger.usage(), ledger.capacity());
      tell("refusal", to -> to.onRefusal(refusal));
    }
  }

  void leaked(OpenHandle handle) {
    tell("leaked handle", to -> to.onLeakedHandle(handle));
  }

  void heldForLong(OpenHandle handle) {
    tell("long pin", to -> to.onLongPin(handle));
  }

  List<Problem> problems(List<Problem> problems) {
    look();
    for (Problem problem : problems) {
      if (problem.severity() != Problem.Severity.INFO) {
        this.problems.report(problem.severity().name(), problem.message(), null);
      }
      tell("problem", to -> to.onProblem(problem));
    }
    return problems;
  }

  /** Looks for leaked handles and for handles held for long. */
  void look() {
    if (tracker != null) {
      tracker.look();
    }
  }

  long leakedHandles() {
    return tracker == null ? 0 : tracker.leaked();
  }

  long longPins() {
    return tracker == null ? 0 : tracker.openForLong();
  }

  List<OpenHandle> longestHeld(int max) {
    if (max < 0) {
      throw new IllegalArgumentException("max must be >= 0: max=" + max);
    }
    return tracker == null ? List.of() : tracker.longestHeld(max);
  }
}
