/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.scope;

import io.hyperclock.Handle;
import io.hyperclock.OpenScope;
import io.hyperclock.ReadScopeStats;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.observe.LeakTracker;
import io.hyperclock.internal.observe.ObserverNotifier;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The read scopes of one cache. */
public final class ReadScopes {
  private final Reclaimer reclaimer =
      new Reclaimer(new ReadEpochs(Runtime.getRuntime().availableProcessors()), this::watch);
  private final @Nullable Tracker tracker;

  public ReadScopes(ObserverNotifier.Settings settings) {
    this.tracker = settings.leakDetection().oneIn() == 0 ? null : new Tracker(settings);
  }

  /** Knows the tracked scopes that are open. A leaked one is one whose thread has died. */
  private final class Tracker extends LeakTracker<TrackedScope> {
    Tracker(ObserverNotifier.Settings settings) {
      super(
          settings,
          "a thread has died inside a read scope, which was ended",
          "a read scope has been open for long",
          System::nanoTime);
    }

    @Override
    protected void end(int cell) {
      reclaimer.end(cell);
    }

    @Override
    protected void lost(TrackedScope scope, long nowNanos) {
      reclaimer.reclaim();
      closeAll(scope.kept);
    }
  }

  /** What is remembered of a tracked scope: where it is counted is its cell. */
  static final class TrackedScope extends LeakTracker.Tracked {
    private final Thread opener;

    /** What the scope alone holds; of its thread, and of the one that finds this dead. */
    @Nullable Deque<? extends Handle<?>> kept;

    TrackedScope(Thread opener, long nowNanos) {
      super(nowNanos);
      this.opener = opener;
    }

    @Override
    public boolean isLost() {
      return !opener.isAlive();
    }

    private OpenScope seen(long nowNanos) {
      return new OpenScope(age(nowNanos), thread, callers());
    }
  }

  private void watch() {
    if (tracker != null) {
      tracker.lookNowAndThen();
    }
  }

  public Reclaimer reclaimer() {
    return reclaimer;
  }

  /** What is remembered of a scope that is about to be opened, or null if it is not tracked. */
  @Nullable TrackedScope choose(Thread opener) {
    return tracker == null || !tracker.isChosen() ? null : new TrackedScope(opener, tracker.now());
  }

  /**
   * Counts a scope. The last step of opening: nothing that may fail comes between this and the
   * caller.
   *
   * @return its cell
   */
  int begin(@Nullable TrackedScope tracked) {
    if (tracker == null || tracked == null) {
      StackReserve.requireToPin();
      return reclaimer.enter();
    }
    StackReserve.require();
    tracker.add(tracked);
    try {
      int cell = reclaimer.enter();
      tracked.opened(cell);
      return cell;
    } catch (Throwable e) {
      tracker.remove(tracked);
      throw e;
    }
  }

  /** Ends a scope; if this throws, it has not been ended. */
  void end(int cell, @Nullable TrackedScope tracked) {
    if (tracker == null || tracked == null) {
      StackReserve.requireToRelease();
      reclaimer.end(cell);
    } else {
      StackReserve.requireLittle();
      tracked.end(tracker);
    }
  }

  /** Frees what only a scope that was ended held back. */
  void ended(int cell, @Nullable TrackedScope tracked) {
    if (tracker != null && tracked != null) {
      tracker.remove(tracked);
    }
    reclaimer.ended(cell);
  }

  /** Closes what a scope alone holds, if there is something. */
  static void closeAll(@Nullable Deque<? extends Handle<?>> kept) {
    while (kept != null && !kept.isEmpty()) {
      Handle<?> handle = kept.element();
      // One that cannot be closed for want of stack stays, and can be closed again. One that is
      // just being closed has a disposer that closes this scope.
      if (!handle.isReleased()) {
        handle.close();
      }
      kept.remove(handle);
    }
  }

  public List<OpenScope> list() {
    return tracker == null ? List.of() : tracker.oldest(Long.MAX_VALUE, TrackedScope::seen);
  }

  /** Ends the tracked scopes whose threads have died, and looks for those open for long. */
  public void lookForLeaks() {
    if (tracker != null) {
      tracker.look();
    }
  }

  public ReadScopeStats stats() {
    lookForLeaks();
    return new ReadScopeStats(
        reclaimer.openScopes(),
        reclaimer.retiredValues(),
        reclaimer.retiredBytes(),
        Duration.ofNanos(reclaimer.stuckNanos()));
  }
}
