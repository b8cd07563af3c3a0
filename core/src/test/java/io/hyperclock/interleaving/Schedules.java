/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.interleaving;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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

  /** What was open at a decision. */
  private record Decision(int chosen, boolean free, boolean[] out) {}

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

  /** More there are only where a thread goes round and round until another has done something. */
  private static final int MOST_DECISIONS = 500;

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
  private final ExecutorService executor;

  /** Guarded by this, as all that follows. */
  private final List<Decision> decisions = new ArrayList<>();

  private final List<Turn> turnsTaken = new ArrayList<>();
  private Chooser chooser = decision -> NOBODY;
  private boolean[] ended;
  private boolean[] parked;
  private boolean[] permits;
  private @Nullable Thread[] runners;
  private int current;
  private int[] steps;
  private @Nullable AssertionError failure;

  /** For so many threads, in code that says itself where turns may change. */
  public Schedules(int threads) {
    this(threads, false);
  }

  private Schedules(int threads, boolean woven) {
    this.threads = threads;
    this.woven = woven;
    this.executor = Executors.newFixedThreadPool(threads);
    reset();
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
    runners = new Thread[threads];
    steps = new int[threads];
    failure = null;
  }

  /** To be called before each access; does nothing for threads that are not of a run. */
  void beforeAccess() {
    RunThread self = RunThread.self();
    if (self != null && self.schedules() == this) {
      access(self.thread());
    }
  }

  synchronized void access(int me) {
    if (failure != null) {
      return;
    }
    await(me);
    int next = nextAfter(me);
    boolean waits = !woven && ++steps[me] > MOST_STEPS && next != me;
    if (waits) {
      steps[me] -= FORGOTTEN_STEPS;
    }
    pass(waits ? decide(next, true) : decide(me, false));
    await(me);
  }

  /** The thread waits for what others do, without parking. */
  synchronized void pause(int me) {
    throwFailure();
    await(me);
    pass(decide(nextAfter(me), false));
    await(me);
  }

  /** The thread waits until it is unparked or interrupted. */
  synchronized void park(int me) {
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
  }

  /**
   * Lets a thread of this run go on, or not park the next time; false if it is none of this run.
   */
  synchronized boolean unpark(int me, Thread thread) {
    access(me);
    for (int i = 0; i < threads; i++) {
      if (runners[i] == thread) {
        permits[i] = true;
        parked[i] = false;
        return true;
      }
    }
    return false;
  }

  private void fail(String message) {
    failure = new AssertionError(message);
    for (int i = 0; i < threads; i++) {
      Thread runner = runners[i];
      if (runner != null) {
        AssertionError where = new AssertionError("thread " + i + " is here");
        where.setStackTrace(runner.getStackTrace());
        failure.addSuppressed(where);
      }
    }
    notifyAll();
  }

  private void throwFailure() {
    if (failure != null) {
      throw new AssertionError(failure.getMessage(), failure);
    }
  }

  private void pass(int thread) {
    if (thread != current) {
      current = thread;
      notifyAll();
    }
  }

  /** Returns when it is this thread's turn, or the run has failed and the thread need not wait. */
  private void await(int thread) {
    long since = System.nanoTime();
    int seen = decisions.size();
    boolean interrupted = false;
    while (current != thread || parked[thread]) {
      throwFailure();
      try {
        wait(TimeUnit.SECONDS.toMillis(WAIT_SECONDS));
      } catch (InterruptedException e) {
        interrupted = true;
      }
      if (decisions.size() != seen) {
        since = System.nanoTime();
        seen = decisions.size();
      } else if (current != thread
          && System.nanoTime() - since > TimeUnit.SECONDS.toNanos(WAIT_SECONDS)) {
        fail("a turn must come: thread=" + thread);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
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

  /** Where the last run was made to leave its default. */
  List<Turn> lastSchedule() {
    return List.copyOf(turnsTaken);
  }

  /** Runs one schedule. */
  void run(Chooser chooser, List<Runnable> operations) throws Exception {
    List<Future<?>> ends = new ArrayList<>();
    synchronized (this) {
      this.chooser = chooser;
      reset();
      current = decide(0, true);
      for (int i = 0; i < threads; i++) {
        int me = i;
        ends.add(executor.submit(() -> takePart(me, operations.get(me))));
      }
      passOnWhileWaiting();
    }
    for (Future<?> end : ends) {
      try {
        end.get(WAIT_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        if (failure == null) {
          throw e;
        }
        failure.addSuppressed(e);
      }
    }
    throwFailure();
  }

  /** A thread without accesses for a while may wait for what another has yet to do. */
  private void passOnWhileWaiting() throws InterruptedException {
    long seen = -1;
    while (failure == null && nextAfter(current) != NOBODY) {
      long now = 31L * decisions.size() + current;
      if (!woven && now == seen) {
        pass(nextAfter(current));
      }
      seen = 31L * decisions.size() + current;
      wait(STALL_MILLIS);
    }
  }

  private void takePart(int me, Runnable operation) {
    synchronized (this) {
      runners[me] = Thread.currentThread();
      await(me);
    }
    RunThread.begin(new RunThread(this, me));
    try {
      operation.run();
    } finally {
      RunThread.end();
      Thread.interrupted();
      end(me);
    }
  }

  private synchronized void end(int me) {
    ended[me] = true;
    // It may be another one's next.
    runners[me] = null;
    int next = nextAfter(me);
    if (next != NOBODY) {
      if (current == me) {
        pass(decide(next, true));
      }
      return;
    }
    for (int i = 0; i < threads; i++) {
      if (parked[i] && failure == null) {
        fail("a thread waits for ever: parked=" + Arrays.toString(parked));
      }
    }
    notifyAll();
  }

  /**
   * Runs every schedule in which at most so many threads are held up in the middle of an operation.
   *
   * @param run runs one schedule on a new object and looks at what came out
   */
  void explore(int preemptions, Consumer<Chooser> run) {
    Deque<List<Turn>> open = new ArrayDeque<>();
    open.add(List.of());
    while (!open.isEmpty()) {
      List<Turn> next = open.removeLast();
      run.accept(Choosers.replaying(next));
      int spent = 0;
      for (Turn turn : next) {
        boolean taken = turn.decision() < decisions.size();
        spent += taken && decisions.get(turn.decision()).free() ? 0 : 1;
      }
      int from = next.isEmpty() ? 0 : next.get(next.size() - 1).decision() + 1;
      for (int d = from; d < Math.min(decisions.size(), MOST_DECISIONS); d++) {
        Decision decision = decisions.get(d);
        for (int thread = 0; thread < threads; thread++) {
          if (thread != decision.chosen()
              && !decision.out()[thread]
              && (decision.free() || spent < preemptions)) {
            List<Turn> longer = new ArrayList<>(next);
            longer.add(new Turn(d, thread));
            open.add(longer);
          }
        }
      }
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
