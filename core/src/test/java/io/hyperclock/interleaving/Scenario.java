/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.interleaving;

import io.hyperclock.interleaving.Schedules.Chooser;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What a few threads do with one object of woven code, and what must hold afterwards, however the
 * threads take turns. Not thread-safe.
 *
 * @param <C> what the threads work on
 */
public final class Scenario<C> {
  /**
   * What one thread does.
   *
   * @param <C> what it works on
   */
  public interface Part<C> {
    /** Works, and fails if something is wrong already. */
    void run(C object) throws Exception;
  }

  private final String name;
  private final Supplier<C> start;
  private final Consumer<C> check;
  private final List<Part<C>> parts;

  /**
   * A scenario.
   *
   * @param start makes an object
   * @param check looks whether it is whole when all threads have ended, and closes it
   * @param parts what each thread does
   */
  @SafeVarargs
  public Scenario(String name, Supplier<C> start, Consumer<C> check, Part<C>... parts) {
    this.name = name;
    this.start = start;
    this.check = check;
    this.parts = List.of(parts);
  }

  /** Takes turns at random, in so many runs. */
  public void sample(int runs, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Schedules schedules = Schedules.ofWovenCode(parts.size())) {
      for (int i = 0; i < runs; i++) {
        run(schedules, Choosers.random(parts.size(), random), "seed " + seed);
      }
    }
  }

  /**
   * Takes turns in every way in which at most so many threads are held up.
   *
   * @return in how many
   */
  public int explore(int preemptions) {
    int[] runs = {0};
    try (Schedules schedules = Schedules.ofWovenCode(parts.size())) {
      Exploration.explore(
          schedules,
          preemptions,
          chooser -> {
            runs[0]++;
            run(schedules, chooser, "run " + runs[0]);
          });
    }
    return runs[0];
  }

  private void run(Schedules schedules, Chooser chooser, String which) {
    try {
      C object = start.get();
      List<Runnable> calls = new ArrayList<>();
      for (Part<C> part : parts) {
        calls.add(
            () -> {
              try {
                part.run(object);
              } catch (Exception e) {
                throw new AssertionError("a thread must not fail", e);
              }
            });
      }
      schedules.run(chooser, calls);
      check.accept(object);
    } catch (Exception | AssertionError e) {
      throw new AssertionError(name + " with turns " + schedules.lastSchedule() + ", " + which, e);
    }
  }
}
