/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import io.hyperclock.OpenScopeInfo;
import io.hyperclock.ReadScope;
import io.hyperclock.ReadScopeStats;
import io.hyperclock.internal.scope.ReadEpochs;
import io.hyperclock.internal.scope.Reclaimer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The read scopes of one cache. */
final class ReadScopes {
  private final Reclaimer reclaimer =
      new Reclaimer(new ReadEpochs(Runtime.getRuntime().availableProcessors()), this::watch);
  private final @Nullable Tracker tracker;

  ReadScopes(ObserverNotifier.Settings settings) {
    this.tracker = settings.leakDetection().oneIn() == 0 ? null : new Tracker(settings, reclaimer);
  }

  /** Knows the tracked scopes that are open. A leaked one is one whose thread has died. */
  private static final class Tracker extends LeakTracker<TrackedScope> {
    private final Reclaimer reclaimer;

    Tracker(ObserverNotifier.Settings settings, Reclaimer reclaimer) {
      super(
          settings,
          "a thread has died inside a read scope, which was ended",
          "a read scope has been open for long",
          System::nanoTime);
      this.reclaimer = reclaimer;
    }

    @Override
    void end(int cell) {
      reclaimer.end(cell);
    }

    @Override
    void lost(TrackedScope scope, long nowNanos) {
      reclaimer.reclaim();
    }
  }

  /** What is remembered of a tracked scope: where it is counted is its cell. */
  static final class TrackedScope extends LeakTracker.Tracked {
    private final Thread opener;

    TrackedScope(Thread opener, long nowNanos) {
      super(nowNanos);
      this.opener = opener;
    }

    @Override
    boolean isLost() {
      return !opener.isAlive();
    }

    private OpenScopeInfo seen(long nowNanos) {
      return new OpenScopeInfo(callers(), age(nowNanos), thread);
    }
  }

  private void watch() {
    Tracker scopes = tracker;
    if (scopes != null) {
      scopes.lookNowAndThen();
    }
  }

  Reclaimer reclaimer() {
    return reclaimer;
  }

  <V> ReadScope<V> open(HyperClockCache<V> cache) {
    Thread opener = Thread.currentThread();
    Tracker scopes = tracker;
    if (scopes == null || !scopes.isChosen()) {
      return new EpochScope<>(cache, opener, null).open(reclaimer);
    }
    // Before anything is held: it is what needs most of stack and memory.
    TrackedScope tracked = new TrackedScope(opener, scopes.now());
    EpochScope<V> scope = new EpochScope<>(cache, opener, tracked);
    scopes.add(tracked);
    boolean opened = false;
    try {
      scope.open(reclaimer);
      tracked.opened(scope.cell());
      opened = true;
      return scope;
    } finally {
      if (!opened) {
        scopes.remove(tracked);
      }
    }
  }

  /** Ends a scope; if this throws, it has not been ended. */
  void end(int cell, @Nullable TrackedScope tracked) {
    Tracker scopes = tracker;
    if (scopes == null || tracked == null) {
      reclaimer.end(cell);
    } else {
      tracked.end(scopes);
    }
  }

  /** Frees what only a scope that was ended held back. */
  void ended(int cell, @Nullable TrackedScope tracked) {
    Tracker scopes = tracker;
    if (scopes != null && tracked != null) {
      scopes.remove(tracked);
    }
    reclaimer.ended(cell);
  }

  List<OpenScopeInfo> list() {
    Tracker scopes = tracker;
    if (scopes == null) {
      throw new IllegalStateException(
          "read scopes must be tracked to be listed: leakDetection=off");
    }
    return scopes.oldest(Long.MAX_VALUE, TrackedScope::seen);
  }

  ReadScopeStats stats() {
    Tracker scopes = tracker;
    if (scopes != null) {
      scopes.look();
    }
    return new ReadScopeStats(
        reclaimer.openScopes(),
        reclaimer.retiredValues(),
        reclaimer.retiredBytes(),
        Duration.ofNanos(reclaimer.stuckNanos()));
  }
}
