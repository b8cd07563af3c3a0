/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import io.hyperclock.memorymodel.Program.Kind;
import io.hyperclock.memorymodel.Program.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs small concurrent programs in every way that a weak memory model allows, and tells whether
 * any of them breaks a rule. It stands in for the hardware that hides most of these runs: x86 never
 * reorders stores with stores nor loads with loads.
 *
 * <p>The model is the one of C11 without sequential consistency, which is no stronger than Java's
 * in anything that the protocol relies on, except that a load never sees a store which depends on
 * it (no hardware does that for the accesses at hand; uses of a value are checked as data races
 * instead, so that the exception does not matter for them).
 */
final class WeakMemory {
  /*
   * Algorithm. Each location keeps all values ever stored to it, in one order that everybody agrees
   * on. A thread has a view: for each location the oldest value it may still see. A load takes any
   * value from there on. A releasing store attaches the thread's view to the value, an acquiring
   * load adds the attached view to its own; an opaque load remembers it for a later acquire fence,
   * an opaque store attaches the view as it was at the last release fence. A store goes anywhere
   * after the thread's view, an update right after the value it read. Depth-first search over all
   * choices of thread, value and place, cutting off states seen before.
   */

  /** A value in the history of a location, with what its reader learns. */
  private record Message(int value, int[] view, boolean update) {}

  private static final class ThreadState {
    int pc;
    int[] registers = new int[REGISTERS];
    int[] view;
    int[] pending;
    int[] fenced;

    ThreadState(int locations) {
      view = new int[locations];
      pending = new int[locations];
      fenced = new int[locations];
    }

    ThreadState(ThreadState from) {
      pc = from.pc;
      registers = from.registers.clone();
      view = from.view.clone();
      pending = from.pending.clone();
      fenced = from.fenced.clone();
    }
  }

  private static final class State {
    final List<List<Message>> memory = new ArrayList<>();
    final ThreadState[] threads;

    State(int[] initial, int threads) {
      for (int value : initial) {
        memory.add(new ArrayList<>(List.of(new Message(value, new int[initial.length], false))));
      }
      this.threads = new ThreadState[threads];
      Arrays.setAll(this.threads, t -> new ThreadState(initial.length));
    }

    State(State from) {
      for (List<Message> history : from.memory) {
        List<Message> copy = new ArrayList<>();
        history.forEach(m -> copy.add(new Message(m.value, m.view.clone(), m.update)));
        memory.add(copy);
      }
      threads = new ThreadState[from.threads.length];
      Arrays.setAll(threads, t -> new ThreadState(from.threads[t]));
    }

    int last(int location) {
      List<Message> history = memory.get(location);
      return history.get(history.size() - 1).value;
    }

    /** Puts a value at a place of the history; everything known of later places moves up. */
    void insert(int location, int place, int value, boolean update, int[] learned) {
      int[] view = learned.clone();
      shift(view, location, place);
      view[location] = place;
      for (List<Message> history : memory) {
        history.forEach(m -> shift(m.view, location, place));
      }
      for (ThreadState t : threads) {
        shift(t.view, location, place);
        shift(t.pending, location, place);
        shift(t.fenced, location, place);
      }
      memory.get(location).add(place, new Message(value, view, update));
    }

    private static void shift(int[] view, int location, int place) {
      if (view[location] >= place) {
        view[location]++;
      }
    }

    String fingerprint() {
      StringBuilder text = new StringBuilder();
      for (List<Message> history : memory) {
        for (Message m : history) {
          text.append(m.value).append(m.update ? "u" : "").append(Arrays.toString(m.view));
        }
        text.append('/');
      }
      for (ThreadState t : threads) {
        text.append(t.pc)
            .append(Arrays.toString(t.registers))
            .append(Arrays.toString(t.view))
            .append(Arrays.toString(t.pending))
            .append(Arrays.toString(t.fenced));
      }
      return text.toString();
    }
  }

  /**
   * What was found.
   *
   * @param violation steps that led to the first broken rule, or null if no run breaks one
   * @param reached whether some run ended in a way that {@code hoped} accepts
   * @param states number of states seen
   */
  record Verdict(@Nullable String violation, boolean reached, int states) {
    boolean isSound() {
      return violation == null;
    }
  }

  private static final int REGISTERS = 8;
  private static final int FREED = -1;

  private final Program[] programs;
  private final Predicate<int[]> memoryAtEnd;
  private final Predicate<int[][]> hoped;
  private final Set<String> seen = new HashSet<>();
  private final Deque<String> trace = new ArrayDeque<>();
  private @Nullable String violation;
  private boolean reached;

  private WeakMemory(Program[] programs, Predicate<int[]> memoryAtEnd, Predicate<int[][]> hoped) {
    this.programs = programs;
    this.memoryAtEnd = memoryAtEnd;
    this.hoped = hoped;
  }

  /**
   * Explores all runs.
   *
   * @param initial first value of each location
   * @param memoryAtEnd what must hold of the last values of all locations when all threads are done
   * @param hoped an end, told by the registers of all threads, that must be possible for the
   *     verdict to mean anything
   * @param programs one for each thread
   */
  static Verdict explore(
      int[] initial, Predicate<int[]> memoryAtEnd, Predicate<int[][]> hoped, Program... programs) {
    WeakMemory explorer = new WeakMemory(programs, memoryAtEnd, hoped);
    explorer.visit(new State(initial, programs.length));
    return new Verdict(explorer.violation, explorer.reached, explorer.seen.size());
  }

  private void visit(State state) {
    for (int t = 0; t < programs.length && violation == null; t++) {
      runLocalSteps(state, t);
    }
    if (violation != null || !seen.add(state.fingerprint())) {
      return;
    }
    boolean done = true;
    for (int t = 0; t < programs.length && violation == null; t++) {
      if (state.threads[t].pc < programs[t].steps.size()) {
        done = false;
        advance(state, t, programs[t].steps.get(state.threads[t].pc));
      }
    }
    if (done && violation == null) {
      int[] last = new int[state.memory.size()];
      Arrays.setAll(last, state::last);
      if (!memoryAtEnd.test(last)) {
        violate("wrong memory at the end: " + Arrays.toString(last));
      }
      int[][] registers = new int[programs.length][];
      Arrays.setAll(registers, t -> state.threads[t].registers);
      reached |= hoped.test(registers);
    }
  }

  private void runLocalSteps(State state, int t) {
    ThreadState me = state.threads[t];
    List<Step> steps = programs[t].steps;
    while (me.pc < steps.size() && steps.get(me.pc).isLocal()) {
      Step step = steps.get(me.pc++);
      boolean holds = step.condition().test(me.registers);
      if (step.kind() == Kind.FORBID && holds) {
        violate("thread " + t + ": " + step.name());
        return;
      }
      if (step.kind() == Kind.EXIT_UNLESS && !holds) {
        me.pc = steps.size();
      }
      if (step.kind() == Kind.SKIP_UNLESS && !holds) {
        me.pc += step.count();
      }
    }
  }

  private void advance(State from, int t, Step step) {
    switch (step.kind()) {
      case LOAD, UPDATE -> read(from, t, step);
      case STORE -> {
        int location = step.location();
        List<Message> history = from.memory.get(location);
        for (int p = from.threads[t].view[location] + 1; p <= history.size(); p++) {
          if (p == history.size() || !history.get(p).update) {
            State next = step(from, t);
            ThreadState me = next.threads[t];
            int value = step.value().applyAsInt(me.registers);
            int[] learned = step.mode().releases ? me.view : me.fenced;
            put(next, me, location, p, value, false, learned);
            go(next, t, "store " + location + " = " + value);
          }
        }
      }
      case ACQUIRE_FENCE -> {
        State next = step(from, t);
        join(next.threads[t].view, next.threads[t].pending);
        go(next, t, "acquireFence");
      }
      case RELEASE_FENCE -> {
        State next = step(from, t);
        join(next.threads[t].fenced, next.threads[t].view);
        go(next, t, "releaseFence");
      }
      case USE -> {
        State next = step(from, t);
        int location = step.value().applyAsInt(next.threads[t].registers);
        if (from.last(location) == FREED) {
          violate("thread " + t + " uses a freed value");
        } else {
          put(next, next.threads[t], location, next.memory.get(location).size(), 1, false);
          go(next, t, "use " + location);
        }
      }
      case FREE -> free(step(from, t), t, step);
      default -> throw new AssertionError(step);
    }
  }

  private void read(State from, int t, Step step) {
    int location = step.location();
    List<Message> history = from.memory.get(location);
    for (int p = from.threads[t].view[location]; p < history.size(); p++) {
      State next = step(from, t);
      ThreadState me = next.threads[t];
      Message found = next.memory.get(location).get(p);
      int updated = Program.FAIL;
      if (step.kind() == Kind.UPDATE) {
        updated = step.update().apply(found.value, me.registers);
        boolean taken = p + 1 < history.size() && history.get(p + 1).update;
        if (updated != Program.FAIL && taken) {
          continue;
        }
      }
      me.registers[step.register()] = found.value;
      me.view[location] = p;
      join(me.pending, found.view);
      if (step.mode().acquires) {
        join(me.view, found.view);
      }
      join(me.pending, me.view);
      String text = "load " + location + " is " + found.value;
      if (updated != Program.FAIL) {
        int[] learned = (step.mode().releases ? me.view : me.fenced).clone();
        join(learned, found.view);
        put(next, me, location, p + 1, updated, true, learned);
        text = "update " + location + " from " + found.value + " to " + updated;
      }
      go(next, t, text);
    }
  }

  private void free(State next, int t, Step step) {
    ThreadState me = next.threads[t];
    int first = step.value().applyAsInt(me.registers);
    for (int location = first; location < first + step.count(); location++) {
      int size = next.memory.get(location).size();
      if (next.last(location) == FREED) {
        violate("thread " + t + " frees a value twice");
        return;
      }
      if (me.view[location] != size - 1) {
        violate("thread " + t + " frees a value without having seen its last use");
        return;
      }
      put(next, me, location, size, FREED, false);
    }
    go(next, t, "free " + first);
  }

  private void put(State s, ThreadState me, int location, int place, int value, boolean update) {
    put(s, me, location, place, value, update, me.fenced);
  }

  private static void put(
      State s, ThreadState me, int location, int place, int value, boolean update, int[] learned) {
    s.insert(location, place, value, update, learned);
    me.view[location] = place;
    me.pending[location] = Math.max(me.pending[location], place);
  }

  private static State step(State from, int t) {
    State next = new State(from);
    next.threads[t].pc++;
    return next;
  }

  private static void join(int[] into, int[] from) {
    for (int i = 0; i < into.length; i++) {
      into[i] = Math.max(into[i], from[i]);
    }
  }

  private void go(State next, int t, String text) {
    if (violation == null) {
      trace.addLast("thread " + t + ": " + text);
      visit(next);
      trace.removeLast();
    }
  }

  private void violate(String what) {
    violation = String.join("\n", trace) + "\n=> " + what;
  }
}
