/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.interleaving;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs a few operations each on a thread of its own, of which one runs at a time, and tries one
 * order after another in which they may take turns. Turns change before accesses of slots only, so
 * this shows what interleaving does, not what reordering does.
 *
 * <p>A schedule says at which decision another thread goes on than would by default: the one that
 * runs, or, at the start and when one has ended, the first that is left. Only the former kind is
 * limited in number. A thread that makes no access for a while, or has made very many, is taken to
 * wait for another, and the next goes on. One run at a time.
 */
public final class Schedules implements AutoCloseable {
  /** At a decision, the thread that goes on. */
  public record Turn(int decision, int thread) {}

  /** What was open at a decision. */
  private record Decision(int chosen, boolean free, boolean[] ended) {}

  /** Says which thread goes on at a decision. */
  public interface Chooser {
    /**
     * A thread, or {@link #NOBODY} for the default, which also stands in for one that has ended.
     */
    int choose(int decision);
  }

  static final int NOBODY = -1;
  private static final int WAIT_SECONDS = 20;
  private static final int MOST_STEPS_LOG = 9;

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

  private final int threads;
  private final ExecutorService executor;
  private final ThreadLocal<Integer> self = new ThreadLocal<>();

  /** Guarded by this, as all that follows. */
  private final List<Decision> decisions = new ArrayList<>();

  private final List<Turn> turnsTaken = new ArrayList<>();
  private Chooser chooser = decision -> NOBODY;
  private boolean[] ended;
  private int current;
  private int[] steps;

  /** For so many threads. */
  public Schedules(int threads) {
    this.threads = threads;
    this.executor = Executors.newFixedThreadPool(threads);
    this.ended = new boolean[threads];
    this.steps = new int[threads];
  }

  /** To be called before each access; does nothing for threads that are not of a run. */
  void beforeAccess() {
    Integer me = self.get();
    if (me != null) {
      access(me);
    }
  }

  private synchronized void access(int me) {
    await(me);
    boolean waits = ++steps[me] > MOST_STEPS && nextAfter(me) != me;
    if (waits) {
      steps[me] -= FORGOTTEN_STEPS;
    }
    pass(waits ? decide(nextAfter(me), true) : decide(me, false));
    await(me);
  }

  private void pass(int thread) {
    if (thread != current) {
      current = thread;
      notifyAll();
    }
  }

  private void await(int thread) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (current != thread) {
      try {
        wait(TimeUnit.SECONDS.toMillis(WAIT_SECONDS));
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      if (current != thread && System.nanoTime() - deadline > 0) {
        throw new AssertionError("a turn must come: thread=" + thread);
      }
    }
  }

  private int decide(int byDefault, boolean free) {
    int wish = chooser.choose(decisions.size());
    int chosen = wish == NOBODY || ended[wish] ? byDefault : wish;
    if (chosen != byDefault) {
      turnsTaken.add(new Turn(decisions.size(), chosen));
    }
    decisions.add(new Decision(chosen, free, ended.clone()));
    return chosen;
  }

  /** The first after {@code thread}, round and round, that has not ended, or -1. */
  private int nextAfter(int thread) {
    for (int i = 1; i <= threads; i++) {
      int next = (thread + i) % threads;
      if (!ended[next]) {
        return next;
      }
    }
    return -1;
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
      turnsTaken.clear();
      decisions.clear();
      ended = new boolean[threads];
      steps = new int[threads];
      current = decide(0, true);
      for (int i = 0; i < threads; i++) {
        int me = i;
        ends.add(executor.submit(() -> takePart(me, operations.get(me))));
      }
      passOnWhileWaiting();
    }
    for (Future<?> end : ends) {
      end.get(WAIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** A thread without accesses for a while may wait for what another has yet to do. */
  private void passOnWhileWaiting() throws InterruptedException {
    long seen = -1;
    while (nextAfter(current) >= 0) {
      long now = 31L * decisions.size() + current;
      if (now == seen) {
        pass(nextAfter(current));
      }
      seen = 31L * decisions.size() + current;
      wait(STALL_MILLIS);
    }
  }

  private void takePart(int me, Runnable operation) {
    synchronized (this) {
      await(me);
    }
    self.set(me);
    try {
      operation.run();
    } finally {
      self.remove();
      synchronized (this) {
        ended[me] = true;
        int next = nextAfter(me);
        if (next < 0) {
          notifyAll();
        } else if (current == me) {
          pass(decide(next, true));
        }
      }
    }
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
      run.accept(replaying(next));
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
              && !decision.ended()[thread]
              && (decision.free() || spent < preemptions)) {
            List<Turn> longer = new ArrayList<>(next);
            longer.add(new Turn(d, thread));
            open.add(longer);
          }
        }
      }
    }
  }

  /** Takes the turns of a schedule, of which each must be possible. */
  static Chooser replaying(List<Turn> schedule) {
    Iterator<Turn> left = schedule.iterator();
    Turn[] next = {left.hasNext() ? left.next() : null};
    return decision -> {
      if (next[0] == null || next[0].decision() != decision) {
        return NOBODY;
      }
      int thread = next[0].thread();
      next[0] = left.hasNext() ? left.next() : null;
      return thread;
    };
  }

  /** Holds threads up at random, as often after few steps as after many. */
  Chooser random(SplittableRandom random) {
    int[] next = {0};
    return decision -> {
      if (decision < next[0]) {
        return NOBODY;
      }
      int atMost = 1 << random.nextInt(MOST_STEPS_LOG);
      next[0] = decision + 1 + random.nextInt(atMost);
      return random.nextInt(threads);
    };
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
