/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/**
 * The stack or the memory ends at every call and at every allocation of every operation, one after
 * the other. What is promised then is in {@code core/docs/design.md}.
 */
class FaultInjectionTest {
  /** Held so that the level stays set: callback failures are provoked on purpose. */
  private static final Logger LOGGER = Logger.getLogger("io.hyperclock");

  static {
    LOGGER.setLevel(Level.OFF);
  }

  private static final int MAX_FAULTS = 20_000;
  private static final FaultLoader LOADER = new FaultLoader(FaultInjectionTest.class.getClassLoader());

  @SuppressWarnings("unchecked")
  private static Map<String, Supplier<FaultScenario>> scenarios(String factory, boolean variant)
      throws Exception {
    return (Map<String, Supplier<FaultScenario>>)
        LOADER
            .loadClass("io.hyperclock.faults." + factory)
            .getMethod("all", boolean.class)
            .invoke(null, variant);
  }

  @Test
  void all() throws Exception {
    Map<String, List<String>> found = new LinkedHashMap<>();
    for (boolean variant : new boolean[] {false, true}) {
      for (String factory : List.of("CacheScenarios")) {
        for (Map.Entry<String, Supplier<FaultScenario>> each : scenarios(factory, variant).entrySet()) {
          String only = System.getProperty("only");
          if (only != null && !each.getKey().startsWith(only)) continue;
          for (int i = 0; i < 2; i++) {
            FaultScenario calm = each.getValue().get();
            calm.arrange();
            calm.act();
            List<String> v = calm.violations();
            if (!v.isEmpty()) System.out.println("CALM " + each.getKey() + " " + variant + v);
          }
          for (FaultPoint.Kind kind : FaultPoint.Kind.values()) {
            int n = 1;
            Map<String, List<Integer>> sums = new LinkedHashMap<>();
            for (; n < MAX_FAULTS; n++) {
              FaultScenario scenario = each.getValue().get();
              scenario.arrange();
              String thrown = null;
              FaultPoint.arm(kind, n);
              String firedAt;
              try {
                scenario.act();
              } catch (StackOverflowError | OutOfMemoryError e) {
                thrown = "";
              } catch (Throwable e) {
                thrown = e.toString();
              } finally {
                firedAt = FaultPoint.disarm();
              }
              List<String> v = new ArrayList<>();
              if (thrown != null && !thrown.isEmpty()) v.add("threw " + thrown);
              try {
                v.addAll(scenario.violations());
              } catch (Throwable e) {
                v.add("check threw " + e);
              }
              if (firedAt == null) break;
              for (String s : v) sums.computeIfAbsent(firedAt + " => " + s, x -> new ArrayList<>()).add(n);
            }
            System.out.println((sums.isEmpty() ? "OK  " : "BAD ") + each.getKey() + " " + variant + " " + kind + " n=" + n);
            sums.forEach((s, ns) -> System.out.println("      " + ns.size() + "x first n=" + ns.get(0) + " " + s));
          }
        }
      }
    }
  }
}
