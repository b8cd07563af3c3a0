/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.memorymodel.MemoryState.Message;
import io.hyperclock.memorymodel.MemoryState.ThreadState;
import io.hyperclock.memorymodel.Program.Kind;
import io.hyperclock.memorymodel.Program.Mode;
import io.hyperclock.memorymodel.Program.Step;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs small concurrent programs in every way that a weak memory model allows, and tells whether
 * any of them breaks a rule. It stands in for the hardware that hides most of these runs: x86 never
 * reorders stores with stores nor loads with loads.
 *
 * <p>The model is the one of C11, as repaired, which is no stronger than Java's in anything that
 * the protocol relies on, except that a load never sees a store which depends on it (no hardware
 * does that for the accesses at hand; uses of a value are checked as data races instead, so that
 * the exception does not matter for them). Only accesses of mode TOTAL have one order ({@link
 * TotalOrder}).
 */
final class WeakMemory {
  /*
   * Algorithm. Each location keeps all values ever stored to it, in one order that everybody agrees
   * on. A thread has a view: for each location the oldest value it may still see. A load takes any
   * value from there on. A releasing store attaches the thread's view to the value, an acquiring
   * load adds the attached view to its own; an opaque load remembers it for a later acquire fence,
   * an opaque store attaches the view as it was at the last release fence. A store goes anywhere
   * after the thread's view, an update right after the value it read. Depth-first search over all
   * choices of thread, value and place, cutting off states seen before. Where no other thread can
   * meet the next step of a thread any more, that step alone is made.
   */

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

  /** Asserts that no run is wrong, and that the hoped for is among them. */
  static void assertSound(Verdict verdict) {
    assertThat(verdict.violation()).isNull();
    assertThat(verdict.reached()).as("the runs that matter exist").isTrue();
  }

  private static final int FREED = -1;

  private final Program[] programs;
  private final Map<Step, Integer> accesses = new IdentityHashMap<>();
  private final Predicate<int[]> memoryAtEnd;
  private final Predicate<int[][]> hoped;
  private final Set<String> seen = new HashSet<>();
  private final Deque<String> trace = new ArrayDeque<>();
  private @Nullable String violation;
  private boolean reached;

  private WeakMemory(Program[] programs, Predicate<int[]> memoryAtEnd, Predicate<int[][]> hoped) {
    this.programs = copies(programs);
    for (Program program : this.programs) {
      for (Step step : program.steps) {
        if (step.mode() == Mode.TOTAL) {
          accesses.put(step, accesses.size());
        }
      }
    }
    this.memoryAtEnd = memoryAtEnd;
    this.hoped = hoped;
  }

  /** Copies the programs, since one may run in several threads, and numbers their accesses. */
  private static Program[] copies(Program[] programs) {
    return Arrays.stream(programs)
        .map(
            program -> {
              Program copy = new Program();
              program.steps.forEach(step -> copy.steps.add(step.copy()));
              return copy;
            })
        .toArray(Program[]::new);
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
    explorer.visit(new MemoryState(initial, programs.length, explorer.accesses.size()));
    return new Verdict(explorer.violation, explorer.reached, explorer.seen.size());
  }

  private void visit(MemoryState state) {
    for (int t = 0; t < programs.length && violation == null; t++) {
      runLocalSteps(state.threads[t], t);
    }
    state.forget();
    if (violation != null || !seen.add(state.fingerprint())) {
      return;
    }
    int alone = independent(state);
    boolean done = true;
    for (int t = 0; t < programs.length && violation == null; t++) {
      if (!state.threads[t].hasEnded()) {
        done = false;
        if (alone < 0 || alone == t) {
          advance(state, t, programs[t].steps.get(state.threads[t].pc));
        }
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

  /** A thread whose next step no other thread can meet any more, or -1. */
  private int independent(MemoryState state) {
    for (int t = 0; t < programs.length; t++) {
      if (!state.threads[t].hasEnded()) {
        Step step = programs[t].steps.get(state.threads[t].pc);
        if (step.isAccess() && !isMet(state, t, step)) {
          return t;
        }
      }
    }
    return -1;
  }

  private boolean isMet(MemoryState state, int t, Step step) {
    for (int other = 0; other < programs.length; other++) {
      if (other != t && !state.threads[other].hasEnded()) {
        List<Step> steps = programs[other].steps;
        for (Step rest : steps.subList(state.threads[other].pc, steps.size())) {
          boolean writes = rest.kind() != Kind.LOAD || step.kind() != Kind.LOAD;
          if (rest.isAccess() && rest.location() == step.location() && writes) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private void runLocalSteps(ThreadState me, int t) {
    List<Step> steps = programs[t].steps;
    while (me.pc < steps.size() && steps.get(me.pc).isLocal()) {
      Step step = steps.get(me.pc++);
      switch (step.kind()) {
        case ACQUIRE_FENCE -> me.view.join(me.pending);
        case RELEASE_FENCE -> me.fenced.join(me.view);
        case SET -> me.registers[step.register()] = step.value().applyAsInt(me.registers);
        default -> {
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
    }
    if (me.pc >= steps.size()) {
      me.end();
    }
  }

  private void advance(MemoryState from, int t, Step step) {
    switch (step.kind()) {
      case LOAD, UPDATE -> read(from, t, step);
      case STORE -> store(from, t, step);
      case USE -> {
        MemoryState next = step(from, t);
        ThreadState me = next.threads[t];
        int location = step.value().applyAsInt(me.registers);
        if (from.last(location) == FREED) {
          violate("thread " + t + " uses a freed value");
        } else {
          put(next, me, location, next.memory.get(location).size(), 1, false, me.fenced);
          go(next, t, "use " + location);
        }
      }
      case FREE -> free(step(from, t), t, step);
      default -> throw new AssertionError(step);
    }
  }

  private void store(MemoryState from, int t, Step step) {
    int location = step.location();
    List<Message> history = from.memory.get(location);
    for (int p = from.threads[t].view.oldest[location] + 1; p <= history.size(); p++) {
      if (p == history.size() || !history.get(p).update()) {
        MemoryState next = step(from, t);
        ThreadState me = next.threads[t];
        int value = step.value().applyAsInt(me.registers);
        long passed = me.view.passed;
        View learned = step.mode().releases ? me.view : me.fenced;
        View handed = put(next, me, location, p, value, false, learned);
        if (!ordered(next, t, step, p, true, passed, handed)) {
          continue;
        }
        go(next, t, "store " + location + " = " + value);
      }
    }
  }

  private void read(MemoryState from, int t, Step step) {
    int location = step.location();
    List<Message> history = from.memory.get(location);
    for (int p = from.threads[t].view.oldest[location]; p < history.size(); p++) {
      MemoryState next = step(from, t);
      ThreadState me = next.threads[t];
      Message found = next.memory.get(location).get(p);
      int updated = Program.FAIL;
      if (step.kind() == Kind.UPDATE) {
        updated = step.update().apply(found.value(), me.registers);
        boolean taken = p + 1 < history.size() && history.get(p + 1).update();
        if (updated != Program.FAIL && taken) {
          continue;
        }
      }
      me.registers[step.register()] = found.value();
      long passed = me.view.passed;
      me.view.oldest[location] = p;
      me.pending.join(found.view());
      if (step.mode().acquires) {
        me.view.join(found.view());
      }
      me.pending.join(me.view);
      String text = "load " + location + " is " + found.value();
      View handed = null;
      int place = p;
      if (updated != Program.FAIL) {
        View learned = new View(step.mode().releases ? me.view : me.fenced);
        learned.join(found.view());
        place++;
        handed = put(next, me, location, place, updated, true, learned);
        text = "update " + location + " from " + found.value() + " to " + updated;
      }
      if (ordered(next, t, step, place, handed != null, passed, handed)) {
        go(next, t, text);
      }
    }
  }

  /** Gives an access of mode TOTAL its place in the order; tells whether it has one. */
  private boolean ordered(
      MemoryState next,
      int t,
      Step step,
      int place,
      boolean write,
      long passed,
      @Nullable View handed) {
    if (step.mode() != Mode.TOTAL) {
      return true;
    }
    View view = next.threads[t].view;
    int access = accesses.get(step);
    if (!next.total.add(access, step.location(), place, write, passed, view.before)) {
      return false;
    }
    long bit = 1L << access;
    if (handed != null) {
      handed.before |= bit;
    }
    view.before |= bit;
    view.passed |= bit;
    next.threads[t].pending.join(view);
    return true;
  }

  private void free(MemoryState next, int t, Step step) {
    ThreadState me = next.threads[t];
    int first = step.value().applyAsInt(me.registers);
    for (int location = first; location < first + step.count(); location++) {
      int size = next.memory.get(location).size();
      if (next.last(location) == FREED) {
        violate("thread " + t + " frees a value twice");
        return;
      }
      if (me.view.oldest[location] != size - 1) {
        violate("thread " + t + " frees a value without having seen its last use");
        return;
      }
      put(next, me, location, size, FREED, false, me.fenced);
    }
    go(next, t, "free " + first);
  }

  private static View put(
      MemoryState s,
      ThreadState me,
      int location,
      int place,
      int value,
      boolean update,
      View learned) {
    View handed = s.insert(location, place, value, update, learned);
    me.view.oldest[location] = place;
    me.pending.oldest[location] = Math.max(me.pending.oldest[location], place);
    return handed;
  }

  private static MemoryState step(MemoryState from, int t) {
    MemoryState next = new MemoryState(from);
    next.threads[t].pc++;
    return next;
  }

  private void go(MemoryState next, int t, String text) {
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
