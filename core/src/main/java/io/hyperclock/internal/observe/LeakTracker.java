/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * Knows the tracked handles, or read scopes, that are open, with the places where they were opened.
 * Finds those that no thread will close, and those open for long; reports each once. No thread is
 * started for it: it looks now and then when one is tracked, and when statistics are asked for.
 */
public abstract class LeakTracker<T extends LeakTracker.Tracked> {
  private static final long LOOK_NANOS = Duration.ofMillis(100).toNanos();

  /** Looks at every opening take at most a hundredth of the time. */
  private static final int FACTOR = 100;

  /** What is remembered of an open handle or scope; it does not keep a handle reachable. */
  public abstract static class Tracked {
    private static final int NOT_OPEN = -1;
    private static final String OURS = "io.hyperclock.internal.";

    private final Throwable place = new Throwable("opened here");

    protected final String thread = Thread.currentThread().getName();
    final long sinceNanos;

    /** A number that its owner gives it; {@link #NOT_OPEN} before and after. One thread ends it. */
    private final AtomicInteger cell = new AtomicInteger(NOT_OPEN);

    private final AtomicBoolean reported = new AtomicBoolean();

    protected Tracked(long nowNanos) {
      this.sinceNanos = nowNanos;
    }

    /** Whether no thread will close it any more. */
    public abstract boolean isLost();

    public final void opened(int where) {
      cell.set(where);
    }

    public final boolean isOpen() {
      return cell.get() != NOT_OPEN;
    }

    /** Whether the caller is the one to end it; if that fails, it is {@link #opened} again. */
    public final boolean take(int where) {
      return cell.compareAndSet(where, NOT_OPEN);
    }

    /**
     * Ends it, unless that was done; if this throws, it has not been ended. Allocates nothing.
     *
     * @return whether it was open
     */
    public final boolean end(LeakTracker<?> tracker) {
      int where = cell.get();
      // One call deeper than opened: with the stack for this there is the stack for that.
      if (where == NOT_OPEN || !take(where)) {
        return false;
      }
      try {
        tracker.end(where);
      } catch (Throwable e) {
        opened(where);
        throw e;
      }
      return true;
    }

    /** True for the first caller only, and not once it was ended. */
    final boolean claimReport() {
      return isOpen() && reported.compareAndSet(false, true);
    }

    protected final Duration age(long nowNanos) {
      return Duration.ofNanos(nowNanos - sinceNanos);
    }

    /** Where it was opened: a stack trace that is not an error. */
    public final Throwable place() {
      return place;
    }

    /** The frames of the place, from the caller of the cache on. */
    protected final List<StackTraceElement> callers() {
      return Arrays.stream(place.getStackTrace())
          .dropWhile(frame -> frame.getClassName().startsWith(OURS))
          .toList();
    }

    @Override
    public String toString() {
      return "thread=" + thread;
    }
  }

  private final int oneIn;
  private final long longNanos;
  private final LongSupplier nanoClock;
  private final IncidentLog leaks;
  private final IncidentLog longOpen;
  private final Set<T> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong nextLook;

  public LeakTracker(
      ObserverNotifier.Settings settings,
      String leaked,
      String openForLong,
      LongSupplier nanoClock) {
    this.oneIn = settings.leakDetection().oneIn();
    this.longNanos = TimeUnit.NANOSECONDS.convert(settings.longPinAfter());
    this.leaks = new IncidentLog(leaked);
    this.longOpen = new IncidentLog(openForLong);
    this.nanoClock = nanoClock;
    this.nextLook = new AtomicLong(nanoClock.getAsLong());
  }

  /** Ends one that is lost; if this throws, it has not been ended. */
  protected void end(int cell) {}

  /** Acts on one that was lost and has been ended. */
  protected abstract void lost(T tracked, long nowNanos);

  /** Acts on one that has been open for long. */
  protected void openForLong(T tracked, long nowNanos) {}

  public final long now() {
    return nanoClock.getAsLong();
  }

  /** One is about to be opened. Whether it is to be tracked. */
  public final boolean isChosen() {
    if (oneIn > 1 && ThreadLocalRandom.current().nextInt(oneIn) != 0) {
      return false;
    }
    lookNowAndThen();
    return true;
  }

  public final void add(T tracked) {
    try {
      open.add(tracked);
    } catch (Throwable e) {
      open.remove(tracked);
      throw e;
    }
  }

  /** Forgets one that was ended, or could not be opened. */
  public final void remove(T tracked) {
    open.remove(tracked);
  }

  public final void lookNowAndThen() {
    long now = now();
    long due = nextLook.get();
    // Two looks at once would do no harm.
    if (now - due >= 0 && nextLook.compareAndSet(due, now + LOOK_NANOS)) {
      look();
      nextLook.set(now + Math.max(LOOK_NANOS, FACTOR * (now() - now)));
    }
  }

  public final void look() {
    long now = now();
    for (T tracked : open) {
      if (tracked.isLost()) {
        boolean wasOpen = tracked.end(this);
        remove(tracked);
        if (wasOpen) {
          leaks.report("tracked,", tracked, tracked.place());
          lost(tracked, now);
        }
      } else if (now - tracked.sinceNanos >= longNanos && tracked.claimReport()) {
        longOpen.report("still open,", tracked, tracked.place());
        openForLong(tracked, now);
      }
    }
  }

  /** Those open for longest, the oldest first. */
  public final <R> List<R> oldest(long max, BiFunction<T, Long, R> description) {
    look();
    long now = now();
    return open.stream()
        .filter(Tracked::isOpen)
        .sorted(Comparator.comparingLong((T tracked) -> now - tracked.sinceNanos).reversed())
        .limit(max)
        .map(tracked -> description.apply(tracked, now))
        .toList();
  }

  public final long leaked() {
    return leaks.count();
  }

  public final long openForLong() {
    return longOpen.count();
  }
}
