/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.faults;

import static io.hyperclock.faults.CacheScenario.BUFFER;
import static io.hyperclock.faults.CacheScenario.HI;
import static io.hyperclock.faults.CacheScenario.KEY;

import io.hyperclock.entry.Priority;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Writes to a cache that sizes itself: a larger table comes, and entries are moved to it; some are
 * held meanwhile.
 */
public final class ResizeScenarios {
  private static final long CHARGE = 8;

  /** Entries up to which the first table is not too full. */
  private static final int FEW = 180;

  /** Writes that make it too full, and move what is there. */
  private static final int WRITES = 40;

  private ResizeScenarios() {}

  /** Scenarios by name. */
  public static Map<String, Supplier<FaultScenario>> all(boolean held) {
    Map<String, Supplier<FaultScenario>> all = new LinkedHashMap<>();
    all.put("inserts that grow the table", scenario(held, ResizeScenarios::insert));
    all.put("puts that grow the table", scenario(held, ResizeScenarios::put));
    return all;
  }

  private static Supplier<FaultScenario> scenario(boolean held, CacheScenario.Step act) {
    CacheScenario.Step arrange =
        it -> {
          it.enter(KEY);
          for (int i = 0; i < FEW; i++) {
            it.enter(1000 + i);
          }
          if (held) {
            it.keep(it.cache.lookup(HI, KEY));
          }
        };
    return () -> new CacheScenario(CacheScenario.Setting.AUTOMATIC, arrange, act);
  }

  private static void insert(CacheScenario it) {
    for (int i = 0; i < WRITES; i++) {
      it.cache.insert(HI, 2000 + i, it.buffer(false), BUFFER, CHARGE, Priority.LOW);
    }
  }

  private static void put(CacheScenario it) {
    for (int i = 0; i < WRITES; i++) {
      it.cache.put(HI, 1000 + i, it.buffer(false), BUFFER, CHARGE, Priority.LOW);
      it.cache.put(HI, 3000 + i, "new", CHARGE);
    }
  }
}
