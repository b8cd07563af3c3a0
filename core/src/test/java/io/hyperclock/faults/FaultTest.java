/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The stack or the memory ends at every call and at every allocation of every operation, one after
 * the other: 1, 2, 3 … until the operation succeeds. What is promised then is in {@code
 * core/docs/design.md}.
 */
public abstract class FaultTest {
  /** Held so that the level stays set. */
  private static final Logger LOGGER = Logger.getLogger("io.hyperclock");

  private static Level levelBefore;

  /** Faults in all classes of the library. */
  protected static final Predicate<String> EVERY_CLASS = any -> true;

  /**
   * By what is struck and what is spared: one for all runs of a test class, since cold code is
   * slow.
   */
  private static final Map<List<Object>, ClassLoader> LOADERS = new HashMap<>();

  /** More than any operation has calls or allocations. */
  private static final int MAX_FAULTS = 2_000;

  private static final int REPORTED = 40;

  /** What takes this long has waited for something in vain: after the next faults it would too. */
  private static final long HANGS_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final List<String> found = new ArrayList<>();

  /** Callback failures are provoked on purpose. */
  @BeforeAll
  protected static void logNothing() {
    levelBefore = LOGGER.getLevel();
    LOGGER.setLevel(Level.OFF);
  }

  @AfterAll
  protected static void logAgain() {
    LOGGER.setLevel(levelBefore);
  }

  @AfterAll
  protected static void forgetLoaders() {
    LOADERS.clear();
  }

  /** Runs the scenarios of a class of this package, with and without faults. */
  final void everyOperationStaysWhole(String factory, boolean variant, FaultPoint.Kind kind)
      throws Exception {
    String name = "io.hyperclock.faults." + factory;
    everyOperationStaysWhole(name, variant, kind, EVERY_CLASS, Set.of());
  }

  /**
   * Runs the scenarios of a class, with and without faults.
   *
   * @param factory class with a public static method {@code all(boolean)}
   * @param variant its argument
   * @param struck names of the classes of the library that faults are put into; a constant, so that
   *     it is the same in each run
   * @param spared places where nothing is allocated although it looks so, as they are reported
   */
  protected final void everyOperationStaysWhole(
      String factory,
      boolean variant,
      FaultPoint.Kind kind,
      Predicate<String> struck,
      Set<String> spared)
      throws Exception {
    ClassLoader loader =
        LOADERS.computeIfAbsent(List.of(struck, spared), key -> FaultLoader.create(struck, spared));
    int faults = 0;
    for (Map.Entry<String, Supplier<FaultScenario>> each :
        scenarios(factory, variant, loader).entrySet()) {
      runCalmly(each.getKey(), each.getValue());
      faults += runWithFaults(each.getKey(), each.getValue(), kind);
    }
    assertThat(found).isEmpty();
    assertThat(faults).as("faults that struck").isGreaterThan(50);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Supplier<FaultScenario>> scenarios(
      String factory, boolean variant, ClassLoader loader) throws Exception {
    return (Map<String, Supplier<FaultScenario>>)
        loader.loadClass(factory).getMethod("all", boolean.class).invoke(null, variant);
  }

  /** Once for its classes to be initialized: what ends in there is never to be used again. */
  private static void runCalmly(String name, Supplier<FaultScenario> scenarios) throws Exception {
    FaultScenario scenario = scenarios.get();
    scenario.arrange();
    scenario.act();
    assertThat(scenario.violations()).as("%s, without a fault", name).isEmpty();
  }

  private int runWithFaults(String name, Supplier<FaultScenario> scenarios, FaultPoint.Kind kind)
      throws Exception {
    for (int limit = 1; limit <= MAX_FAULTS; limit++) {
      FaultScenario scenario = scenarios.get();
      scenario.arrange();
      List<String> violations = new ArrayList<>();
      long begun = System.nanoTime();
      String where = actWith(scenario, kind, limit, violations);
      violations.addAll(scenario.violations());
      for (String violation : violations) {
        report(name, kind, limit, where, violation);
      }
      if (System.nanoTime() - begun > HANGS_NANOS) {
        assertThat(found).isEmpty();
      }
      if (where == null || found.size() > REPORTED) {
        return limit;
      }
    }
    throw new AssertionError("operation must end: scenario=" + name + ", limit=" + MAX_FAULTS);
  }

  /** Returns where the fault struck, or null. */
  private static String actWith(
      FaultScenario scenario, FaultPoint.Kind kind, int limit, Collection<String> violations) {
    String where;
    Throwable thrown = null;
    FaultPoint.arm(kind, limit);
    try {
      scenario.act();
    } catch (Throwable e) {
      thrown = e;
    } finally {
      where = FaultPoint.disarm();
    }
    boolean isExpected =
        thrown == null
            || where != null
                && (thrown instanceof StackOverflowError || thrown instanceof OutOfMemoryError);
    if (!isExpected) {
      violations.add("threw " + thrown);
    }
    return where;
  }

  private void report(
      String name, FaultPoint.Kind kind, int limit, String where, String violation) {
    found.add(name + ", " + kind + " " + limit + " at " + where + ": " + violation);
  }
}
