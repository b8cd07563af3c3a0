/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/**
 * Real overflows: a thread with a small stack goes down until it overflows, and begins the
 * operation some frames above that. What these find is by chance; {@link FaultInjectionTest} goes
 * through all depths.
 */
class RealOverflowTest {
  /** Held so that the level stays set: callback failures are provoked on purpose. */
  private static final Logger LOGGER = Logger.getLogger("io.hyperclock");

  static {
    LOGGER.setLevel(Level.OFF);
  }

  private static final long STACK_BYTES = 256 << 10;

  /** Frames of {@link #down} above the end of the stack at which the operation begins. */
  private static final int MAX_FRAMES_LEFT = 120;

  private static final int FRAMES_STEP = 2;

  private int deepest;
  private boolean begun;
  private int overflows;

  @Test
  void loadsAndScopesStayWhole() throws Exception {
    List<String> found = new ArrayList<>();
    Map<String, Supplier<FaultScenario>> scenarios = CacheScenarios.all(false);
    for (String name :
        List.of(
            "get, loading",
            "lookup, loading",
            "getAll, loading",
            "lookupAsync",
            "read scope, opened, used and closed",
            "lookup and close")) {
      for (int frames = 0; frames < MAX_FRAMES_LEFT; frames += FRAMES_STEP) {
        int left = frames;
        FaultScenario scenario = scenarios.get(name).get();
        scenario.arrange();
        FutureTask<List<String>> deep = new FutureTask<>(() -> violationsAfter(scenario, left));
        new Thread(null, deep, "deep", STACK_BYTES).start();
        for (String violation : deep.get()) {
          found.add(name + ", " + left + " frames left: " + violation);
        }
      }
    }
    assertThat(found).isEmpty();
    assertThat(overflows).as("operations that overflowed").isGreaterThan(20);
  }

  private List<String> violationsAfter(FaultScenario scenario, int left) throws Exception {
    try {
      down(0, Integer.MAX_VALUE, scenario);
    } catch (StackOverflowError e) {
      // Measured.
    }
    int limit = deepest - left;
    begun = false;
    try {
      down(0, limit, scenario);
    } catch (StackOverflowError e) {
      overflows += begun ? 1 : 0;
    }
    return scenario.violations();
  }

  /** The same method measures the depth and goes there, so that its frames are the same. */
  private void down(int depth, int limit, FaultScenario scenario) {
    deepest = depth;
    if (depth < limit) {
      down(depth + 1, limit, scenario);
      return;
    }
    begun = true;
    try {
      scenario.act();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
