/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import io.hyperclock.BlockCache;
import io.hyperclock.CacheObserver;
import io.hyperclock.LeakDetection;
import io.hyperclock.OpenHandle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.stats.Problem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Notifies the user's observer of what happens, and keeps its exceptions away from the cache. */
public final class ObserverNotifier {
  private static final long LONG_SWEEP_NANOS = CacheObserver.LONG_SWEEP.toNanos();

  private final @Nullable CacheObserver observer;
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

  /** Reports what the observer throws to a log. */
  public ObserverNotifier(Settings settings, IncidentLog failures) {
    this.observer = settings.observer();
    this.failures = failures;
    if (observer != null) {
      failures.forwardTo(observer::onCallbackFailure);
    }
  }

  private void notifyObserver(String event, Consumer<CacheObserver> message) {
    if (observer != null) {
      try {
        message.accept(observer);
      } catch (Throwable e) {
        failures.report("observer of", event, e);
      }
    }
  }

  public void opened(BlockCache<?> cache) {
    notifyObserver("opening", to -> to.onOpen(cache));
  }

  public void closing(BlockCache<?> cache) {
    // Of all threads that close the cache one notifies the observer.
    if (closing.compareAndSet(false, true)) {
      notifyObserver("closing", to -> to.onClose(cache));
    }
  }

  /** Whether the next sweep is to be timed. */
  public boolean isOn() {
    try {
      return observer != null && observer.observesSweeps();
    } catch (Throwable e) {
      failures.report("observer of", "sweeps", e);
      return false;
    }
  }

  /** A sweep is over. */
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
      notifyObserver("long sweep", to -> to.onLongSweep(sweep));
    }
  }

  public void refused(long hi, long lo, EntryType<?> type, long charge, long usage, long capacity) {
    if (observer != null) {
      CacheObserver.Refusal refusal =
          new CacheObserver.Refusal(hi, lo, type, charge, usage, capacity);
      notifyObserver("refusal", to -> to.onRefusal(refusal));
    }
  }

  public void leaked(OpenHandle handle) {
    notifyObserver("leaked handle", to -> to.onLeakedHandle(handle));
  }

  public void heldForLong(OpenHandle handle) {
    notifyObserver("long pin", to -> to.onLongPin(handle));
  }

  public List<Problem> problems(List<Problem> problems) {
    for (Problem problem : problems) {
      if (problem.severity() != Problem.Severity.INFO) {
        this.problems.report(problem.severity().name(), problem.message(), null);
      }
      notifyObserver("problem", to -> to.onProblem(problem));
    }
    return problems;
  }
}
