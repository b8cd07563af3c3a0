/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.interleaving;

import io.hyperclock.interleaving.Exploration.Decision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs a few operations each on a thread of its own, of which one runs at a time, and tries one
 * order after another in which they may take turns. Turns change before accesses of shared state
 * only, so this shows what interleaving does, not what reordering does.
 *
 * <p>A schedule says at which decision another thread goes on than would by default: the one that
 * runs, or, at the start and when one has ended, the first that is left. Only the former kind is
 * limited in number. One run at a time.
 *
 * <p><b>Threads that wait.</b> In code with woven {@link SwitchPoints} a thread that parks is not
 * chosen until it is unparked or interrupted, and one that spins lets the next go on; threads of
 * which each waits for another fail the run at once. In other code a thread that makes no access
 * for a while, or has made very many, is taken to wait for another, and the next goes on.
 */
public final class Schedules implements AutoCloseable {
  /** At a decision, the thread that goes on. */
  public record Turn(int decision, int thread) {}

  /** Says which thread goes on at a decision. */
  public interface Chooser {
    /**
     * A thread, or {@link #NOBODY} for the default, which also stands in for one that has ended or
     * is parked.
     */
    int choose(int decision);
  }

  static final int NOBODY = -1;

  /** How long no turn changes before the run fails: a busy machine may stand still for long. */
  private static final int WAIT_SECONDS = 300;

  private static final int STALL_MILLIS = 3;

  /**
   * No thread makes as many accesses but in a loop. Fewer than half of what a writer of two
   * versions waits for another before it gives up: a thread that waits was made to by the schedule.
   */
  private static final int MOST_STEPS = 400;

  /** How many of them are forgotten when the next thread goes on. */
  private static final int FORGOTTEN_STEPS = 100;

  /** No run of woven code is as long unless its threads wait for what does not come. */
  private static final int LONGEST_RUN = 50_000;

  private final int threads;
  private final boolean woven;
  private final Thread[] runners;
  private final ReentrantLock lock = new ReentrantLock();

  /** For each thread, that it may have become its turn: each is woken for its own turns only. */
  private final Condition[] turns;

  private final Condition over = lock.newCondition();

  /** Guarded by the lock, as all that follows. */
  private final List<Decision> decisions = new ArrayList<>();

  private final List<Turn> turnsTaken = new ArrayList<>();
  private Chooser chooser = decision -> NOBODY;
  private boolean[] ended;
  private boolean[] parked;
  private boolean[] permits;
  private int[] steps;
  private int current;
  private boolean closed;

  /** What threads have not begun yet. */
  private @Nullable Runnable[] operations;

  /** What threads have thrown. */
  private @Nullable Throwable[] thrown;

  private @Nullable AssertionError failure;

  /** For so many threads, in code that says itself where turns may change. */
  public Schedules(int threads) {
    this(threads, false);
  }

  private Schedules(int threads, boolean woven) {
    this.threads = threads;
    this.woven = woven;
    this.turns = new Condition[threads];
    Arrays.setAll(turns, thread -> lock.newCondition());
    this.runners = new Thread[threads];
    reset();
    Arrays.setAll(runners, me -> new Thread(() -> takePartInRuns(me), "schedules-" + me));
    for (Thread runner : runners) {
      runner.setDaemon(true);
      runner.start();
    }
  }

  /** For so many threads, in code with woven {@link SwitchPoints}. */
  public static Schedules ofWovenCode(int threads) {
    return new Schedules(threads, true);
  }

  private void reset() {
    turnsTaken.clear();
    decisions.clear();
    ended = new boolean[threads];
    parked = new boolean[threads];
    permits = new boolean[threads];
    steps = new int[threads];
    operations = new Runnable[threads];
    thrown = new Throwable[threads];
    failure = null;
  }

  /** To be called before each access; does nothing for threads that are not of a run. */
  void beforeAccess() {
    RunThread self = RunThread.self();
    if (self != null && self.schedules() == this) {
      access(self.thread());
    }
  }

  void access(int me) {
    lock.lock();
    try {
      if (failure == null) {
        await(me);
        int next = nextAfter(me);
        boolean waits = !woven && ++steps[me] > MOST_STEPS && next != me;
        if (waits) {
          steps[me] -= FORGOTTEN_STEPS;
        }
        pass(waits ? decide(next, true) : decide(me, false));
        await(me);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The thread waits for what others do, without parking. */
  void pause(int me) {
    lock.lock();
    try {
      throwFailure();
      await(me);
      pass(decide(nextAfter(me), false));
      await(me);
    } finally {
      lock.unlock();
    }
  }

  /** The thread waits until it is unparked or interrupted. */
  void park(int me) {
    lock.lock();
    try {
      access(me);
      throwFailure();
      if (!permits[me] && !Thread.currentThread().isInterrupted()) {
        parked[me] = true;
        int next = nextAfter(me);
        if (next == NOBODY) {
          fail("each thread that is left waits for another: parked=" + Arrays.toString(parked));
        } else {
          pass(decide(next, true));
        }
        await(me);
      }
      permits[me] = false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets a thread of this run go on, or not park the next time; false if it is none of this run.
   */
  boolean unpark(int me, Thread thread) {
    lock.lock();
    try {
      access(me);
      int other = List.of(runners).indexOf(thread);
      if (other >= 0) {
        permits[other] = true;
        parked[other] = false;
      }
      return other >= 0;
    } finally {
      lock.unlock();
    }
  }

  private void fail(String message) {
    failure = new AssertionError(message);
    for (int i = 0; i < threads; i++) {
      if (!ended[i]) {
        AssertionError where = new AssertionError("thread " + i + " is here");
        where.setStackTrace(runners[i].getStackTrace());
        failure.addSuppressed(where);
      }
    }
    List.of(turns).forEach(Condition::signal);
    over.signal();
  }

  private void throwFailure() {
    if (failure != null) {
      throw new AssertionError(failure.getMessage(), failure);
    }
  }

  private void pass(int thread) {
    if (thread != current) {
      current = thread;
      turns[thread].signal();
    }
  }

  /** Returns when it is this thread's turn; fails if the run has failed. */
  private void await(int thread) {
    while (current != thread || parked[thread]) {
      throwFailure();
      turns[thread].awaitUninterruptibly();
    }
  }

  private boolean isOut(int thread) {
    return ended[thread] || parked[thread];
  }

  private int decide(int byDefault, boolean free) {
    int wish = chooser.choose(decisions.size());
    int chosen = wish == NOBODY || isOut(wish) ? byDefault : wish;
    if (chosen != byDefault) {
      turnsTaken.add(new Turn(decisions.size(), chosen));
    }
    boolean[] out = new boolean[threads];
    for (int i = 0; i < threads; i++) {
      out[i] = isOut(i);
    }
    decisions.add(new Decision(chosen, free, out));
    if (woven && decisions.size() == LONGEST_RUN) {
      fail("a run must end: decisions=" + LONGEST_RUN + ", ended=" + Arrays.toString(ended));
    }
    return chosen;
  }

  /** The first after {@code thread}, round and round, that can go on, or {@link #NOBODY}. */
  private int nextAfter(int thread) {
    for (int i = 1; i <= threads; i++) {
      int next = (thread + i) % threads;
      if (!isOut(next)) {
        return next;
      }
    }
    return NOBODY;
  }

  /** What the threads of the last run could have done otherwise; until the next run. */
  List<Decision> lastDecisions() {
    return Collections.unmodifiableList(decisions);
  }

  /** Where the last run was made to leave its default. */
  List<Turn> lastSchedule() {
    return List.copyOf(turnsTaken);
  }

  /** Runs one schedule. */
  void run(Chooser chooser, List<Runnable> operations) throws Exception {
    lock.lock();
    try {
      reset();
      this.chooser = chooser;
      this.operations = operations.toArray(Runnable[]::new);
      current = decide(0, true);
      turns[current].signal();
      awaitAllEnded();
      for (Throwable each : thrown) {
        if (each != null && failure == null) {
          throw new ExecutionException(each);
        } else if (each != null) {
          failure.addSuppressed(each);
        }
      }
      throwFailure();
    } finally {
      lock.unlock();
    }
  }

  private void awaitAllEnded() throws InterruptedException {
    long since = System.nanoTime();
    int seen = NOBODY;
    while (!haveAllEnded()) {
      if (decisions.size() != seen) {
        since = System.nanoTime();
        seen = decisions.size();
      } else if (System.nanoTime() - since > TimeUnit.SECONDS.toNanos(WAIT_SECONDS)) {
        throwFailure();
        fail("a thread must go on: thread=" + current);
        since = System.nanoTime();
      } else if (!woven && failure == null) {
        // It may wait for what another has yet to do.
        pass(nextAfter(current));
      }
      over.await(woven ? 1_000 : STALL_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** After a failure no more threads begin. */
  private boolean haveAllEnded() {
    for (int i = 0; i < threads; i++) {
      if (!ended[i] && (failure == null || operations[i] == null)) {
        return false;
      }
    }
    return true;
  }

  private void takePartInRuns(int me) {
    for (Runnable own = awaitBegin(me); own != null; own = awaitBegin(me)) {
      Throwable problem = null;
      RunThread.begin(new RunThread(this, me));
      try {
        own.run();
      } catch (Throwable e) {
        problem = e;
      } finally {
        RunThread.end();
        Thread.interrupted();
      }
      end(me, problem);
    }
  }

  /** Returns what to do in a run, or null if there will be none. */
  private @Nullable Runnable awaitBegin(int me) {
    lock.lock();
    try {
      while (!closed && (operations[me] == null || current != me || failure != null)) {
        turns[me].awaitUninterruptibly();
      }
      Runnable own = closed ? null : operations[me];
      operations[me] = null;
      return own;
    } finally {
      lock.unlock();
    }
  }

  private void end(int me, @Nullable Throwable problem) {
    lock.lock();
    try {
      ended[me] = true;
      thrown[me] = problem;
      int next = nextAfter(me);
      if (next != NOBODY && current == me) {
        pass(decide(next, true));
      }
      if (haveAllEnded()) {
        over.signal();
      } else if (next == NOBODY && failure == null) {
        fail("a thread waits for ever: parked=" + Arrays.toString(parked));
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      for (int i = 0; i < threads; i++) {
        turns[i].signal();
        runners[i].interrupt();
      }
    } finally {
      lock.unlock();
    }
  }
}
