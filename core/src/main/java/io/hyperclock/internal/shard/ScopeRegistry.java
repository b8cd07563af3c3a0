/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import io.hyperclock.OpenScope;
import io.hyperclock.internal.scope.Reclaimer;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The open scopes of a cache that tracks them, with the places where they were opened. Ends those
 * of threads that have died, and reports those and the ones open too long, each once.
 */
final class ScopeRegistry {
  /** Open longer than this is reported. */
  static final long LONG_OPEN_NANOS = Duration.ofSeconds(10).toNanos();

  private static final long CHECK_NANOS = Duration.ofMillis(100).toNanos();
  private static final String LIBRARY = "io.hyperclock.internal.";
  private static final int FRAMES = 8;
  private static final StackWalker WALKER = StackWalker.getInstance();

  private final Set<Entry> open = ConcurrentHashMap.newKeySet();
  private final IncidentLog abandoned =
      new IncidentLog("a thread has died inside a read scope, which was ended");
  private final IncidentLog longOpen = new IncidentLog("a read scope has been open for long");
  private final AtomicLong nextCheck = new AtomicLong(System.nanoTime());
  private final Reclaimer reclaimer;

  ScopeRegistry(Reclaimer reclaimer) {
    this.reclaimer = reclaimer;
  }

  /** One open scope. */
  static final class Entry {
    private static final int NOT_OPEN = -1;

    /** Where it is counted; {@link #NOT_OPEN} before and after. One thread ends it. */
    private final AtomicInteger cell = new AtomicInteger(NOT_OPEN);

    private final Thread opener;
    private final List<StackTraceElement> openedAt;
    private final long sinceNanos;

    /** Written by whoever reports it first; twice would do no harm. */
    private volatile boolean reported;

    Entry(Thread opener, List<StackTraceElement> openedAt) {
      this.opener = opener;
      this.openedAt = openedAt;
      this.sinceNanos = System.nanoTime();
    }

    /** It is counted. */
    void opened(int where) {
      cell.set(where);
    }

    /** Ends it, unless that was done; whatever this throws, it has not been ended. */
    boolean end(Reclaimer reclaimer) {
      int where = cell.getAndSet(NOT_OPEN);
      if (where == NOT_OPEN) {
        return false;
      }
      boolean ended = false;
      try {
        reclaimer.end(where);
        ended = true;
      } finally {
        if (!ended) {
          cell.set(where);
        }
      }
      return true;
    }

    private OpenScope seen(long nowNanos) {
      return new OpenScope(openedAt, Duration.ofNanos(nowNanos - sinceNanos), opener.getName());
    }
  }

  /** Where the calling thread is. */
  static List<StackTraceElement> place() {
    return WALKER.walk(
        frames ->
            frames
                .dropWhile(frame -> frame.getClassName().startsWith(LIBRARY))
                .limit(FRAMES)
                .map(StackWalker.StackFrame::toStackTraceElement)
                .toList());
  }

  /** Enters a scope of this thread that is about to be opened. */
  void add(Entry entry) {
    boolean added = false;
    try {
      open.add(entry);
      added = true;
    } finally {
      if (!added) {
        open.remove(entry);
      }
    }
  }

  /** Forgets a scope that was ended, or could not be opened. */
  void remove(Entry entry) {
    open.remove(entry);
  }

  /** The same as {@link #check()}, but not more often than some times a second. */
  void checkNowAndThen() {
    long now = System.nanoTime();
    long due = nextCheck.get();
    // Opaque: would do; two checks at once do no harm.
    if (now - due >= 0 && nextCheck.compareAndSet(due, now + CHECK_NANOS)) {
      check(now);
    }
  }

  /** Ends the scopes of dead threads and reports those open too long. */
  void check(long nowNanos) {
    for (Entry entry : open) {
      if (!entry.opener.isAlive()) {
        open.remove(entry);
        if (entry.end(reclaimer)) {
          abandoned.report("opened at", entry.openedAt, null);
          reclaimer.reclaim();
        }
      } else if (nowNanos - entry.sinceNanos > LONG_OPEN_NANOS && !entry.reported) {
        entry.reported = true;
        longOpen.report("opened at", entry.openedAt, null);
      }
    }
  }

  /** Open scopes, oldest first. */
  List<OpenScope> list() {
    long now = System.nanoTime();
    check(now);
    return open.stream()
        .filter(entry -> entry.cell.get() != Entry.NOT_OPEN)
        .map(entry -> entry.seen(now))
        .sorted(Comparator.comparing(OpenScope::age).reversed())
        .toList();
  }

  /** Scopes ended because their threads had died. */
  long abandoned() {
    return abandoned.count();
  }

  /** Scopes reported as open too long. */
  long longOpen() {
    return longOpen.count();
  }
}
