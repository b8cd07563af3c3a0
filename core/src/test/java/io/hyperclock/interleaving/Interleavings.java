/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.interleaving.Schedules.Chooser;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Looks whether what operations of several threads answer, and what is found afterwards, is what
 * some order of whole operations gives, however the threads take turns. Not thread-safe.
 *
 * @param <C> what the operations work on
 */
public final class Interleavings<C> {
  private final Function<Runnable, C> start;
  private final Function<C, Object> end;
  private final long seed;
  private final SplittableRandom random;
  private final boolean woven;

  /**
   * Of objects of one kind.
   *
   * @param start makes one, with what it must call before each access
   * @param end looks whether one is whole, closes it, and tells what is in it
   * @param seed for the turns
   */
  public Interleavings(Function<Runnable, C> start, Function<C, Object> end, long seed) {
    this(start, end, seed, false);
  }

  /**
   * Of objects of one kind, whose classes have woven {@link SwitchPoints}.
   *
   * @param start makes one
   * @param end as above
   * @param seed for the turns
   */
  public static <C> Interleavings<C> ofWovenCode(
      Supplier<C> start, Function<C, Object> end, long seed) {
    return new Interleavings<>(before -> start.get(), end, seed, true);
  }

  private Interleavings(
      Function<Runnable, C> start, Function<C, Object> end, long seed, boolean woven) {
    this.woven = woven;
    this.start = start;
    this.end = end;
    this.seed = seed;
    this.random = new SplittableRandom(seed);
  }

  /** Takes turns at random, in so many runs. */
  public void sample(int runs, List<List<Operation<C>>> threads) {
    Set<Object> allowed = allowed(threads);
    try (Schedules schedules = schedules(threads.size())) {
      for (int i = 0; i < runs; i++) {
        run(schedules, object -> Choosers.random(threads.size(), random), threads, allowed);
      }
    }
  }

  /** Takes turns in every way in which at most so many threads are held up. */
  public void explore(int preemptions, List<List<Operation<C>>> threads) {
    Set<Object> allowed = allowed(threads);
    try (Schedules schedules = schedules(threads.size())) {
      Consumer<Chooser> run = chooser -> run(schedules, object -> chooser, threads, allowed);
      Exploration.explore(schedules, preemptions, run);
    }
  }

  /**
   * Takes turns as scripts say.
   *
   * @param scripts what each says for the object of its run
   */
  public void follow(List<Function<C, Chooser>> scripts, List<List<Operation<C>>> threads) {
    Set<Object> allowed = allowed(threads);
    try (Schedules schedules = schedules(threads.size())) {
      scripts.forEach(script -> run(schedules, script, threads, allowed));
    }
  }

  private Schedules schedules(int threads) {
    return woven ? Schedules.ofWovenCode(threads) : new Schedules(threads);
  }

  private List<List<Object>> noAnswers(List<List<Operation<C>>> threads) {
    return threads.stream().<List<Object>>map(thread -> new ArrayList<>()).toList();
  }

  private List<Object> outcome(List<List<Object>> answers, C object) {
    List<Object> all = new ArrayList<>(answers);
    all.add(end.apply(object));
    return all;
  }

  private Set<Object> allowed(List<List<Operation<C>>> threads) {
    Set<Object> outcomes = new HashSet<>();
    addSequential(threads, List.of(), outcomes);
    return outcomes;
  }

  private void addSequential(
      List<List<Operation<C>>> threads, List<Integer> order, Set<Object> outcomes) {
    int[] done = new int[threads.size()];
    order.forEach(thread -> done[thread]++);
    boolean whole = true;
    for (int thread = 0; thread < threads.size(); thread++) {
      if (done[thread] < threads.get(thread).size()) {
        whole = false;
        List<Integer> longer = new ArrayList<>(order);
        longer.add(thread);
        addSequential(threads, longer, outcomes);
      }
    }
    if (whole) {
      List<List<Object>> answers = noAnswers(threads);
      C object = start.apply(() -> {});
      for (int thread : order) {
        List<Object> own = answers.get(thread);
        own.add(threads.get(thread).get(own.size()).call().apply(object));
      }
      outcomes.add(outcome(answers, object));
    }
  }

  private void run(
      Schedules schedules,
      Function<C, Chooser> chooser,
      List<List<Operation<C>>> threads,
      Set<Object> allowed) {
    try {
      List<List<Object>> answers = noAnswers(threads);
      C object = start.apply(schedules::beforeAccess);
      List<Runnable> calls = new ArrayList<>();
      for (int i = 0; i < threads.size(); i++) {
        List<Operation<C>> own = threads.get(i);
        List<Object> to = answers.get(i);
        calls.add(() -> own.forEach(operation -> to.add(operation.call().apply(object))));
      }
      schedules.run(chooser.apply(object), calls);
      assertThat(allowed).contains(outcome(answers, object));
    } catch (Exception | AssertionError e) {
      throw new AssertionError(
          threads + " with turns " + schedules.lastSchedule() + ", seed " + seed, e);
    }
  }
}
